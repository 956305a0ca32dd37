import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `${received} von ${total} eingegangen · noch ${left} offen`,
  receivedAll: (received, total) => `${received} von ${total} eingegangen`,
  awaiting: (amount, shop) =>
    `Der Betrag von ${amount} muss noch von ${shop} angenommen werden. Senden Sie vorerst nichts weiter.`,
  awaitingUnknown: shop =>
    `Eine Zahlung muss noch von ${shop} angenommen werden. Senden Sie vorerst nichts weiter.`,
  tooSmall: left =>
    `Der Restbetrag von ${left} ist zu klein zum Senden. Der Shop wurde benachrichtigt. Sie müssen ` +
    'nichts weiter senden.',
  others: 'Weitere begonnene Zahlungen',
  continueWith: name => `Weiter mit ${name}`,
  part: received => `${received} eingegangen`,
  vanished: amount =>
    `Ihre Zahlung von ${amount} ist im Netzwerk nicht mehr zu finden. Prüfen Sie die Zahlung in Ihrer ` +
    'Wallet, bevor Sie erneut senden.',
  blind: (network, time) =>
    `Wir können das Netzwerk ${network} derzeit nicht erreichen. Letzte Prüfung: ${time}.`,
  blindAdvice:
    'Wenn Sie bereits bezahlt haben, ist Ihre Zahlung nicht verloren. Bezahlen Sie nicht erneut: Wir ' +
    'finden Ihre Zahlung, sobald wir das Netzwerk wieder erreichen.',
}
