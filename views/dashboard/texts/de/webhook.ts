import type { Texts } from '../types.ts'

export const webhook: Texts['webhook'] = {
  title: 'Webhook',
  none: 'Noch kein Webhook. Geben Sie die URL Ihrer Website ein, die Ereignisse empfängt.',
  states: { active: 'Aktiv', failing: 'Gestört', disabled: 'Abgeschaltet' },
  disabled:
    'Der Webhook ist abgeschaltet, weil 5 Tage lang nichts zugestellt werden konnte. Florin versucht ' +
    'es nur noch einmal am Tag. Beheben Sie den Fehler auf dem Server unter dieser URL, und senden ' +
    'Sie dann ein Testereignis oder speichern Sie die URL noch einmal. Alle wartenden Ereignisse ' +
    'werden dann gesendet.',
  failing: (since, failures) =>
    failures === 1
      ? `Eine Zustellung ist am ${since} fehlgeschlagen. Florin versucht es wieder.`
      : `Seit ${since} schlagen Zustellungen fehl, bisher ${failures}. Florin versucht es wieder.`,
  url: 'URL',
  urlHint:
    'Muss mit https:// beginnen und darf nicht in ein privates Netz führen. Ihre Website muss jedes ' +
    'Ereignis mit Status 200 beantworten.',
  save: 'URL speichern',
  enable: 'Wieder einschalten',
  saved: 'Gespeichert. Ereignisse, die gewartet haben, werden jetzt gesendet.',
  wrongUrl: 'Die URL muss mit https:// beginnen und darf nicht in ein privates Netz führen.',
  secret: 'Signaturgeheimnis',
  secretNew:
    'Das ist das Signaturgeheimnis. Kopieren Sie es jetzt: Es kann nicht noch einmal angezeigt werden.',
  secretHint:
    'Jedes Ereignis wird mit einem Geheimnis signiert. Ersetzen Sie es, wenn andere es kennen könnten.',
  previousUntil: time => `Bis ${time} werden Ereignisse auch mit dem alten Geheimnis signiert.`,
  rotate: 'Geheimnis ersetzen',
  rotateFor: 'Ereignisse werden auch mit dem alten Geheimnis signiert:',
  rotateAsk: 'Das Signaturgeheimnis ersetzen? Ihre Website braucht dann das neue.',
  events: 'Ereignisse',
  eventsHint: 'Was dorthin gesendet wird.',
  eventNames: {
    'order.paid': 'Eine Bestellung wurde bezahlt',
    'payment.created': 'Ein Kunde hat eine Zahlung begonnen',
    'payment.processing': 'Eine Zahlung wurde erkannt und wartet auf Bestätigungen',
    'payment.paid': 'Eine Zahlung ist angekommen',
    'payment.failed': 'Eine Zahlung ist fehlgeschlagen',
    'payment.expired': 'Eine Zahlung ist abgelaufen',
  },
  eventsSave: 'Ereignisse speichern',
  eventsSaved: 'Gespeichert.',
  eventsWrong: 'Wählen Sie mindestens ein Ereignis.',
  test: 'Testereignis senden',
  testHint: 'Das Ereignis webhook.test wird einmal gesendet, mit gültiger Signatur.',
  testGood: ms => `Ihre Website hat das Testereignis nach ${ms} ms angenommen.`,
  testBad: outcome =>
    `Ihre Website hat das Testereignis nicht angenommen: ${outcome}. Prüfen Sie die URL. Stimmt sie, ` +
    'bitten Sie Ihren Entwickler, das Protokoll Ihrer Website zu prüfen.',
}
