import type { Texts } from '../types.ts'

export const passkeys: Texts['passkeys'] = {
  title: 'Passkeys',
  about:
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN Ihres Geräts an, ohne ' +
    'Passwort und Code. Er kann weder von diesem Server noch über eine gefälschte Anmeldeseite ' +
    'gestohlen werden.',
  name: 'Name',
  added: 'Hinzugefügt',
  lastUsed: 'Zuletzt benutzt',
  never: 'Noch nie',
  rename: 'Umbenennen',
  renameLabel: name => `Passkey ${name} umbenennen`,
  remove: 'Entfernen',
  removeLabel: name => `Passkey ${name} entfernen`,
  removeAsk: name => `Den Passkey ${name} entfernen? Sie können sich hier dann nicht mehr damit anmelden.`,
  add: 'Passkey hinzufügen',
  impossible: url =>
    `Passkeys funktionieren unter ${url} nicht. Sie brauchen einen Hostnamen, und ` +
    'HTTPS außer für localhost. Bitten Sie den Betreiber dieses Servers, FLORIN_DASHBOARD_URL auf ' +
    'eine solche Adresse zu setzen.',
  newTitle: 'Passkey hinzufügen',
  newHint:
    'Geben Sie dem Passkey einen Namen, der Sie an das Gerät erinnert. Danach bittet ' +
    'Ihr Browser um Bestätigung.',
  create: 'Passkey anlegen',
  wrongName: 'Geben Sie einen Namen mit 1 bis 60 Zeichen ein.',
  cancel: 'Abbrechen',
  needsScript: 'Passkeys brauchen JavaScript. Mit Ihrem Passwort können Sie sich weiterhin anmelden.',
  needsSupport: 'Dieser Browser kennt keine Passkeys. Benutzen Sie einen anderen, oder Ihr Passwort.',
  otherAddress: url => `Passkeys funktionieren nur unter ${url}. Öffnen Sie das Dashboard dort.`,
  cancelled:
    'Der Browser hat keinen Passkey benutzt: Sie haben abgebrochen, es hat zu lange ' +
    'gedauert, oder es gibt keinen ' +
    'für dieses Dashboard.',
  exists: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  failed: 'Der Server war nicht erreichbar. Warten Sie einen Moment und versuchen Sie es noch einmal.',
  wrong: 'Der Passkey konnte nicht benutzt werden. Versuchen Sie es noch einmal, oder mit Ihrem Passwort.',
  notAdded: 'Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.',
  tooMany: 'Sie haben 20 Passkeys. Entfernen Sie einen, bevor Sie einen weiteren hinzufügen.',
  copied: name =>
    `Der Passkey „${name}“ wurde abgelehnt, weil sein Zähler niedriger war als erwartet. Er wurde ` +
    'vielleicht kopiert, oder das Gerät ist defekt. Melden Sie sich mit Ihrem Passwort an, ' +
    'entfernen Sie diesen Passkey und fügen Sie einen neuen hinzu.',
  signIn: 'Mit einem Passkey anmelden',
  prove: 'Stattdessen einen Passkey benutzen',
  last:
    'Ihre Bestätigung in zwei Schritten braucht einen Passkey. Schalten Sie sie aus, bevor Sie den ' +
    'letzten entfernen.',
}
