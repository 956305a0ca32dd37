import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'È arrivata un’altra criptovaluta',
    underpaid: 'Il pagamento non copre questo ordine',
    late: 'Il pagamento è arrivato in ritardo',
    second_payment: 'È arrivato un secondo pagamento',
    order_closed: 'È arrivato un pagamento per un ordine chiuso',
    too_late: 'Il pagamento è arrivato troppo tardi',
    overpaid: 'Hai pagato più del dovuto',
  },
  otherCoin: 'un’altra criptovaluta',
  received: {
    wrong_asset: (coins, wanted) =>
      `Abbiamo ricevuto ${coins}, ma questo pagamento era richiesto in ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Abbiamo ricevuto ${coins}.` : `Abbiamo ricevuto ${coins}, per un valore di ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Abbiamo ricevuto ${coins} dopo la scadenza del tempo per pagare.`
        : `Abbiamo ricevuto ${coins}, ` + `per un valore di ${value}, dopo la scadenza del tempo per pagare.`,
    second_payment: coins => `Abbiamo ricevuto ${coins}, ma questo ordine era già pagato.`,
    order_closed: coins => `Abbiamo ricevuto ${coins}, ma questo ordine era chiuso.`,
    too_late: coins => `Abbiamo ricevuto ${coins} molto dopo la scadenza del tempo per pagare.`,
    overpaid: (coins, due) => `Abbiamo ricevuto ${coins}, ma l’importo dovuto era solo ${due}.`,
  },
  notLost: shop => `Il tuo pagamento è registrato e ${shop} è stato avvisato.`,
  contact: shop => `Contatta ${shop}`,
  contactForRefund: contact => `${contact} per un rimborso o se hai domande.`,
  refundAddress: network => `Indirizzo di rimborso su ${network}`,
  optional: '(facoltativo)',
  saveAddress: 'Salva l’indirizzo di rimborso',
  wrongAddress: 'Se è sbagliato, contatta il negozio.',
}
