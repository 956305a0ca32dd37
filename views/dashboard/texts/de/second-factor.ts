import type { Texts } from '../types.ts'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Bestätigung in zwei Schritten',
  about:
    'Eine Authenticator-App auf Ihrem Handy zeigt alle 30 Sekunden einen neuen Code. Damit genügt ein ' +
    'gestohlenes Passwort nicht zum Anmelden.',
  setUp: 'App einrichten',
  onlyPasskeys: 'Nach einem Passkey fragen',
  onlyPasskeysHint:
    'Sie haben Passkeys: Nach dem Passwort kann statt eines Codes nach einem von ihnen gefragt werden.',
  on: 'Eingeschaltet',
  byPasskeys: 'Nach dem Passwort werden Sie nach einem Passkey oder einem Wiederherstellungscode gefragt.',
  byApp:
    'Nach dem Passwort werden Sie nach einem Code Ihrer App, einem Passkey oder einem ' +
    'Wiederherstellungscode gefragt.',
  codesLeft: count =>
    count === 1
      ? 'Sie haben noch 1 Wiederherstellungscode, falls Sie Ihr Gerät verlieren.'
      : `Sie haben noch ${count} Wiederherstellungscodes, falls Sie Ihr Gerät verlieren.`,
  renew: 'Neue Wiederherstellungscodes erstellen',
  off: 'Ausschalten',
  offAsk: 'Die Bestätigung in zwei Schritten ausschalten? Dann genügt Ihr Passwort zum Anmelden.',
  setUpTitle: 'Authenticator-App einrichten',
  scan: 'Scannen Sie diesen Code mit einer Authenticator-App wie Aegis, 2FAS oder Google Authenticator.',
  qr: 'QR-Code für Ihre Authenticator-App',
  orType: 'Oder geben Sie diesen Schlüssel in der App ein:',
  confirmHint: 'Geben Sie dann den Code ein, den die App zeigt. Bis dahin ändert sich nichts.',
  code: 'Code',
  wrongFirstCode:
    'Das ist nicht der aktuelle Code. Prüfen Sie die Uhrzeit Ihres Handys und geben Sie den ' +
    'nächsten Code ein.',
  confirm: 'Einschalten',
  cancel: 'Abbrechen',
  recoveryTitle: 'Ihre Wiederherstellungscodes',
  switchedOn: 'Die Bestätigung in zwei Schritten ist eingeschaltet. Alle anderen Browser sind abgemeldet.',
  renewed: 'Das sind Ihre neuen Wiederherstellungscodes. Die alten gelten nicht mehr.',
  recoveryHint:
    'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Gerät verlieren. Bewahren Sie die ' +
    'Codes jetzt ' +
    'an einem sicheren Ort auf: Sie werden nicht wieder angezeigt.',
  saved: 'Ich habe sie gesichert',
  codeTitle: 'Zweiter Schritt',
  codeHint: 'Geben Sie den Code Ihrer Authenticator-App ein, oder einen Ihrer Wiederherstellungscodes.',
  recoveryOnlyHint: 'Benutzen Sie Ihren Passkey, oder geben Sie einen Ihrer Wiederherstellungscodes ein.',
  codeSubmit: 'Anmelden',
  wrongCode:
    'Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten und ' +
    'versuchen Sie es dann noch einmal.',
  lost: 'Gerät und Wiederherstellungscodes verloren? Fragen Sie den Betreiber dieses Servers.',
}
