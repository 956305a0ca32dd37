import type { Texts } from '../types.ts'

export const account: Texts['account'] = {
  title: 'Ihr Konto',
  signedInAs: email => `Sie sind als ${email} angemeldet.`,
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordNote: 'Hier bleiben Sie angemeldet. Alle anderen Browser werden abgemeldet.',
  changePassword: 'Passwort ändern',
  language: 'Sprache',
  languageLabel: 'Sprache dieser Seiten und der Nachrichten an Sie',
  languageHint:
    'Benachrichtigungen, Zusammenfassungen, Codes und E-Mails zu Ihrem Konto sind in dieser Sprache. ' +
    'Die Links im Menü gelten nur für diesen Browser.',
  logins: 'Wo Sie angemeldet sind',
  browser: 'Browser',
  address: 'Netzwerkadresse',
  lastSeen: 'Zuletzt benutzt',
  thisBrowser: 'Dieser Browser',
  end: 'Abmelden',
  endOthers: 'Überall sonst abmelden',
  unknownBrowser: 'Unbekannter Browser',
  onSystem: (browser, system) => `${browser} unter ${system}`,
  done: {
    password: 'Ihr Passwort wurde geändert. Alle anderen Browser sind abgemeldet.',
    login: 'Der Browser ist abgemeldet.',
    logins: 'Alle anderen Browser sind abgemeldet.',
    secondFactor: 'Die Bestätigung in zwei Schritten ist ausgeschaltet.',
    passkeyAdded: 'Der Passkey wurde hinzugefügt.',
    passkeyRenamed: 'Der Passkey wurde umbenannt.',
    passkeyRemoved: 'Der Passkey wurde entfernt.',
    language: 'Die Sprache wurde gespeichert.',
  },
}
