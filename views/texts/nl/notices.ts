import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Er is een andere munt ontvangen',
    underpaid: 'Je betaling dekt deze bestelling niet',
    late: 'Je betaling kwam te laat binnen',
    second_payment: 'Er is een tweede betaling ontvangen',
    order_closed: 'Er is een betaling ontvangen voor een gesloten bestelling',
    too_late: 'Je betaling kwam veel te laat binnen',
    overpaid: 'Je hebt te veel betaald',
  },
  otherCoin: 'een andere munt',
  received: {
    wrong_asset: (coins, wanted) =>
      `We hebben ${coins} ontvangen, maar voor deze betaling was ${wanted} gevraagd.`,
    underpaid: (coins, value) =>
      value === null
        ? `We hebben ${coins} ontvangen.`
        : `We hebben ${coins} ontvangen, ter waarde van ${value}.`,
    late: (coins, value) =>
      value === null
        ? `We hebben ${coins} ontvangen nadat de tijd om te betalen voorbij was.`
        : `We hebben ${coins}, ter waarde van ${value}, ontvangen nadat de tijd om te betalen voorbij was.`,
    second_payment: coins => `We hebben ${coins} ontvangen, maar deze bestelling was al betaald.`,
    order_closed: coins => `We hebben ${coins} ontvangen, maar deze bestelling was gesloten.`,
    too_late: coins => `We hebben ${coins} ontvangen, lang nadat de tijd om te betalen voorbij was.`,
    overpaid: (coins, due) => `We hebben ${coins} ontvangen, maar er was maar ${due} verschuldigd.`,
  },
  notLost: shop => `Je betaling is vastgelegd en ${shop} is op de hoogte gebracht.`,
  contact: shop => `Neem contact op met ${shop}`,
  contactForRefund: contact => `${contact} voor een terugbetaling of als je vragen hebt.`,
  refundAddress: network => `Terugbetalingsadres op ${network}`,
  optional: '(optioneel)',
  saveAddress: 'Terugbetalingsadres opslaan',
  wrongAddress: 'Klopt het niet? Neem dan contact op met de winkel.',
}
