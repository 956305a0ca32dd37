import type { Texts } from '../types.ts'

export const webhook: Texts['webhook'] = {
  title: 'Webhook',
  none: 'Es ist kein Webhook eingestellt. Geben Sie die URL Ihres Shopsystems an, die Ereignisse erhält.',
  states: { active: 'Aktiv', failing: 'Gestört', disabled: 'Abgeschaltet' },
  disabled:
    '5 Tage lang konnte kein Ereignis zugestellt werden, deshalb wurde der Webhook abgeschaltet. Er wird ' +
    'einmal am Tag versucht. Beheben Sie den Fehler, senden Sie dann ein Testereignis oder speichern Sie ' +
    'die URL: Alles, was wartet, wird dann gesendet.',
  failing: (since, failures) =>
    failures === 1
      ? `Eine Zustellung ist am ${since} fehlgeschlagen. Sie wird wiederholt.`
      : `Seit ${since} schlagen Zustellungen fehl, bisher ${failures}. Sie werden wiederholt.`,
  url: 'URL',
  urlHint:
    'Eine öffentliche Adresse, die mit https:// beginnt. Sie muss jedes Ereignis mit Status 200 beantworten.',
  save: 'URL speichern',
  enable: 'Wieder einschalten',
  saved: 'Gespeichert. Ereignisse, die gewartet haben, werden jetzt gesendet.',
  wrongUrl: 'Geben Sie eine öffentliche Adresse an, die mit https:// beginnt.',
  secret: 'Signaturgeheimnis',
  secretNew:
    'Das ist das Signaturgeheimnis. Kopieren Sie es jetzt: Es kann nicht noch einmal angezeigt werden.',
  secretHint:
    'Jedes Ereignis wird mit einem Geheimnis signiert. Ersetzen Sie es, wenn andere es kennen könnten.',
  previousUntil: time => `Bis ${time} werden Ereignisse auch mit dem alten Geheimnis signiert.`,
  rotate: 'Geheimnis ersetzen',
  rotateFor: 'Ereignisse werden auch mit dem alten Geheimnis signiert:',
  rotateAsk: 'Das Signaturgeheimnis ersetzen? Ihr Shopsystem braucht dann das neue.',
  events: 'Ereignisse',
  eventsHint: 'Was dorthin gesendet wird.',
  eventNames: {
    'order.paid': 'Eine Bestellung wurde bezahlt',
    'payment.created': 'Ein Käufer hat eine Zahlung begonnen',
    'payment.processing': 'Eine Zahlung wurde gesehen und wartet auf Bestätigungen',
    'payment.paid': 'Eine Zahlung ist angekommen',
    'payment.failed': 'Eine Zahlung ist fehlgeschlagen',
    'payment.expired': 'Eine Zahlung ist abgelaufen',
  },
  eventsSave: 'Ereignisse speichern',
  eventsSaved: 'Gespeichert.',
  eventsWrong: 'Wählen Sie mindestens ein Ereignis.',
  test: 'Testereignis senden',
  testHint: 'Das Ereignis webhook.test wird einmal gesendet, mit gültiger Signatur.',
  testGood: ms => `Ihr Shopsystem hat das Testereignis nach ${ms} ms angenommen.`,
  testBad: outcome => `Ihr Shopsystem hat das Testereignis nicht angenommen: ${outcome}.`,
}
