import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Ein anderer Coin ist eingegangen',
    underpaid: 'Ihre Zahlung deckt diese Bestellung nicht',
    late: 'Ihre Zahlung ist verspätet eingegangen',
    second_payment: 'Eine zweite Zahlung ist eingegangen',
    order_closed: 'Eine Zahlung für eine geschlossene Bestellung ist eingegangen',
    too_late: 'Ihre Zahlung ist zu spät eingegangen',
    overpaid: 'Sie haben zu viel bezahlt',
  },
  otherCoin: 'einen anderen Coin',
  received: {
    wrong_asset: (coins, wanted) =>
      `Wir haben ${coins} erhalten, diese Zahlung war aber in ${wanted} fällig.`,
    underpaid: (coins, value) =>
      value === null ? `Wir haben ${coins} erhalten.` : `Wir haben ${coins} im Wert von ${value} erhalten.`,
    late: (coins, value) =>
      value === null
        ? `Wir haben ${coins} nach Ablauf der Zeit zum Bezahlen erhalten.`
        : `Wir haben ${coins} im Wert von ${value} nach Ablauf der Zeit zum Bezahlen erhalten.`,
    second_payment: coins => `Wir haben ${coins} erhalten, diese Bestellung war aber bereits bezahlt.`,
    order_closed: coins => `Wir haben ${coins} erhalten, diese Bestellung war aber bereits geschlossen.`,
    too_late: coins => `Wir haben ${coins} erhalten, lange nachdem die Zeit zum Bezahlen abgelaufen war.`,
    overpaid: (coins, due) => `Wir haben ${coins} erhalten, fällig waren aber nur ${due}.`,
  },
  missing: (shortfall, total) => `Von ${total} fehlen ${shortfall}.`,
  notLost: shop => `Ihr Geld ist nicht verloren: ${shop} wurde benachrichtigt.`,
  contact: shop => `Kontaktieren Sie ${shop}`,
  contactForRefund: contact => `${contact}, wenn Sie eine Rückerstattung möchten oder Fragen haben.`,
  refundAddress: network => `Rückerstattungsadresse im Netzwerk ${network}`,
  optional: '(optional)',
  saveAddress: 'Rückerstattungsadresse speichern',
  wrongAddress: 'Wenn sie falsch ist, kontaktieren Sie den Shop.',
}
