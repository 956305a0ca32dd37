import type { Texts } from '../types.ts'

export const letters: Texts['letters'] = {
  unknownAddress: 'unbekannt',
  accountAt: url => `Ihr Konto: ${url}`,
  newLogin: {
    subject: 'Neue Anmeldung an Ihrem Dashboard',
    text: ({ url, email, browser, address, time }) =>
      `Jemand hat sich am Dashboard unter ${url} als ${email} angemeldet, in einem ` +
      'Browser oder aus einem Netzwerk, ' +
      'das Sie in den letzten 30 Tagen nicht benutzt haben.\n\nBrowser: ' +
      `${browser}\nNetzwerkadresse: ${address}\n` +
      `Zeit: ${time}\n\nWenn Sie das waren, ist nichts zu tun. Wenn nicht, ändern Sie ` +
      'sofort Ihr Passwort, was alle ' +
      'anderen Browser abmeldet, und entfernen Sie Passkeys, die Sie nicht kennen.',
  },
  passkeyAdded: {
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    text: (passkey, email) =>
      `Mit dem Passkey „${passkey}“ kann man sich jetzt als ${email} anmelden.\n\nWenn ` +
      'Sie ihn nicht hinzugefügt ' +
      'haben, entfernen Sie ihn sofort und ändern Sie Ihr Passwort.',
  },
  passkeyCopied: {
    subject: 'Ein Passkey von Ihnen ist womöglich kopiert worden',
    text: (passkey, email) =>
      `Jemand wollte sich als ${email} mit dem Passkey „${passkey}“ anmelden und wurde ` +
      'abgelehnt: Sein Gerät hat ' +
      'rückwärts gezählt. Entweder ist das Gerät defekt, oder jemand hat eine Kopie des ' +
      'Passkeys.\n\nEntfernen Sie ' +
      'diesen Passkey und fügen Sie einen neuen hinzu.',
  },
}
