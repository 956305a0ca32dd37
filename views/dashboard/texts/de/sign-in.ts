import type { Texts } from '../types.ts'

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  forgotten:
    'Noch kein Passwort, oder vergessen? Bitten Sie den Inhaber Ihres Shops oder den ' +
    'Betreiber dieses Servers um einen Link.',
  needsHttps:
    'Sie können sich nur über HTTPS anmelden, oder auf diesem Rechner unter localhost. Stellen Sie ' +
    'Florin hinter einen Webserver mit Zertifikat und setzen Sie FLORIN_DASHBOARD_URL.',
  firstTitle: 'Willkommen bei Florin',
  firstHint: 'Legen Sie den ersten Benutzer dieses Servers an. Dieser Benutzer sieht alle Shops.',
  passwordTitle: 'Wählen Sie Ihr Passwort',
  passwordFor: email => `Für ${email}`,
  passwordHint: 'Mindestens 10 Zeichen. Einige Wörter hintereinander lassen sich gut merken.',
  wrongEmail: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  wrongPassword:
    'Wählen Sie 10 bis 200 Zeichen, die schwer zu erraten sind und die E-Mail-Adresse nicht enthalten.',
  passwordSubmit: 'Speichern und anmelden',
  proofTitle: 'Geben Sie Ihr Passwort noch einmal ein',
  proofHint: email =>
    `Sie sind als ${email} angemeldet. Diese Änderung braucht Ihr Passwort, weil Ihre Anmeldung schon ` +
    'länger her ist.',
  proofWrong: 'Das Passwort ist falsch.',
  proofSubmit: 'Weiter',
  enterTitle: 'Demo öffnen',
  enterHint: email => `Sie werden als ${email} angemeldet.`,
  enterSubmit: 'Dashboard öffnen',
}
