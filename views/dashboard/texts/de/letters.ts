import { plural } from '../../../texts/plural.ts'
import type { Texts } from '../types.ts'

const paidOrders = (count: number): string =>
  plural('de', count, { one: `${count} Bestellung bezahlt`, other: `${count} Bestellungen bezahlt` })

export const letters: Texts['letters'] = {
  unknownAddress: 'unbekannt',
  accountAt: url => `Ihr Konto: ${url}`,
  newLogin: {
    subject: 'Neue Anmeldung an Ihrem Dashboard',
    text: ({ url, email, browser, address, time }) =>
      `Jemand hat sich am Dashboard unter ${url} als ${email} angemeldet, mit einem ` +
      'Browser oder aus einem Netzwerk, ' +
      'die Sie in den letzten 30 Tagen nicht benutzt haben.\n\nBrowser: ' +
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
    subject: 'Einer Ihrer Passkeys wurde vielleicht kopiert',
    text: (passkey, email) =>
      `Jemand wollte sich als ${email} mit dem Passkey „${passkey}“ anmelden. Der Passkey wurde ` +
      'abgelehnt, weil sein Zähler niedriger war als erwartet. Er wurde vielleicht kopiert, oder ' +
      'das Gerät ist defekt.\n\nEntfernen Sie diesen Passkey und fügen Sie einen neuen hinzu.',
  },
  channelCode: {
    subject: (shop, code) => `${shop}: ${code} ist Ihr Code`,
    text: (shop, code) =>
      `Geben Sie diesen Code im Dashboard von ${shop} ein, um hier benachrichtigt zu werden: ${code}`,
  },
  channelTest: {
    subject: shop => `${shop}: Testnachricht`,
    text: 'Das ist ein Test. Benachrichtigungen von Florin erreichen Sie hier.',
  },
  digest: {
    subject: (shop, paid) => `${shop}: ${paidOrders(paid)}`,
    range: (from, to, zone) => `Von ${from} bis ${to} (${zone})`,
    orders: (created, paid) => {
      const orders = { one: `${created} Bestellung angelegt`, other: `${created} Bestellungen angelegt` }
      return `${plural('de', created, orders)}, ${paidOrders(paid)}.`
    },
    paid: sum => `bezahlt ${sum}`,
    forced: sum => `als bezahlt markiert ${sum}`,
    refunded: sum => `erstattet ${sum}`,
    net: sum => `nach Gebühren und Erstattungen ${sum}`,
    attention: 'Das braucht Ihre Aufmerksamkeit:',
    nothing: 'Nichts braucht Ihre Aufmerksamkeit.',
    openPayments: count =>
      plural('de', count, {
        one: `${count} Zahlung ist zu prüfen: Sie hat ihre Bestellung nicht beglichen.`,
        other: `${count} Zahlungen sind zu prüfen: Sie haben ihre Bestellungen nicht beglichen.`,
      }),
    failedEvents: count =>
      plural('de', count, {
        one: `${count} Ereignis konnte nicht an Ihren Webhook zugestellt werden.`,
        other: `${count} Ereignisse konnten nicht an Ihren Webhook zugestellt werden.`,
      }),
    webhookDown: 'Ihr Webhook ist gestört.',
  },
}
