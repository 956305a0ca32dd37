import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Betaalbewijs',
  titleOf: shop => `Betaalbewijs van ${shop}`,
  show: 'Betaalbewijs bekijken',
  paidOn: 'Betaald op',
  order: 'Bestelling',
  item: 'Artikel',
  thisOrder: reference => `Bestelling ${reference}`,
  amount: 'Bedrag',
  total: 'Totaal',
  refunded: date => `Terugbetaald op ${date}`,
  afterRefunds: 'Totaal na terugbetalingen',
  payment: 'Betaling',
  paidWith: 'Betaald met',
  received: 'Ontvangen',
  rate: 'Wisselkoers',
  transaction: 'Transactie',
  byMerchant: shop => `${shop} heeft deze bestelling als betaald gemarkeerd.`,
  print: 'Afdrukken of opslaan als pdf',
  backToOrder: 'Terug naar de bestelling',
  sandbox: 'Testbetaling in de testomgeving. Er is geen echt geld betaald.',
}
