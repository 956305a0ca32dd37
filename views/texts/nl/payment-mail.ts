import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Een deel van je betaling is ontvangen',
  left: (left, total) =>
    `Van ${total} moet nog ${left} worden betaald. Je kunt de rest betalen op elke manier die de ` +
    'winkel aanbiedt.',
  payRest: 'De rest betalen',
  vanished: 'Je betaling is niet meer te zien op het netwerk',
  refund: 'Je terugbetaling',
  recorded: (shop, amount) => `${shop} heeft een terugbetaling van ${amount} voor je bestelling vastgelegd.`,
  refundedTotal: 'In totaal terugbetaald',
  sentApart: shop => `${shop} stuurt je het geld apart. Neem contact op met de winkel als het niet aankomt.`,
  sentBack: 'De betaalprovider waarmee je hebt betaald, stuurt het geld terug.',
  decides: 'De winkel beslist over een terugbetaling.',
  leaveAddress:
    'Wil je het geld terug? Dan kun je op de pagina van je bestelling een terugbetalingsadres ' +
    'achterlaten.',
  worth: 'Waarde',
  why: shop => `Je krijgt deze e-mail omdat dit adres is opgegeven bij een bestelling bij ${shop}.`,
}
