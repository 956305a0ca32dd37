import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'È arrivata una parte del tuo pagamento',
  left: (left, total) =>
    `Ancora da pagare: ${left} su ${total}. Puoi pagare il resto con qualsiasi metodo offerto dal ` +
    'negozio.',
  payRest: 'Paga il resto',
  vanished: 'Il tuo pagamento non risulta più sulla rete',
  refund: 'Il tuo rimborso',
  recorded: (shop, amount) => `${shop} ha registrato un rimborso di ${amount} per il tuo ordine.`,
  refundedTotal: 'Totale rimborsato',
  sentApart: shop => `${shop} ti invia il denaro separatamente. Se non arriva, contatta il negozio.`,
  sentBack: 'Il fornitore di pagamenti con cui hai pagato ti restituisce il denaro.',
  decides: 'Il negozio decide sul rimborso.',
  leaveAddress:
    'Se vuoi indietro il denaro, puoi lasciare un indirizzo di rimborso sulla pagina del tuo ' + 'ordine.',
  worth: 'Valore',
  why: shop => `Ricevi questa e-mail perché questo indirizzo è stato indicato per un ordine presso ${shop}.`,
}
