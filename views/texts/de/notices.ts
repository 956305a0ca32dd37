import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Ein anderer Coin ist eingegangen',
    underpaid: 'Ihre Zahlung deckt diese Bestellung nicht',
    late: 'Ihre Zahlung ist verspätet eingegangen',
    second_payment: 'Eine zweite Zahlung ist eingegangen',
    order_closed: 'Eine Zahlung ist nach dem Ende der Bestellung eingegangen',
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
    order_closed: coins => `Wir haben ${coins} erhalten, diese Bestellung war aber bereits beendet.`,
    too_late: coins => `Wir haben ${coins} erhalten, lange nachdem die Zeit zum Bezahlen abgelaufen war.`,
    overpaid: (coins, due) => `Wir haben ${coins} erhalten, fällig waren aber nur ${due}.`,
  },
  notLost: shop => `Ihre Zahlung ist erfasst, und ${shop} wurde benachrichtigt.`,
  contact: shop => `Kontaktieren Sie ${shop}`,
  contactForRefund: contact => `${contact}, wenn Sie eine Erstattung möchten oder Fragen haben.`,
  refundAddress: network => `Erstattungsadresse im Netzwerk ${network}`,
  optional: '(optional)',
  saveAddress: 'Erstattungsadresse speichern',
  wrongAddress: 'Wenn die Adresse falsch ist, kontaktieren Sie den Shop.',
}
