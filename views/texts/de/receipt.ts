import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `Beleg von ${shop}`,
  title: 'Beleg',
  show: 'Beleg ansehen',
  paidOn: 'Bezahlt am',
  order: 'Bestellung',
  item: 'Artikel',
  thisOrder: reference => `Bestellung ${reference}`,
  amount: 'Betrag',
  total: 'Summe',
  refunded: date => `Erstattet am ${date}`,
  afterRefunds: 'Summe nach Erstattungen',
  payment: 'Zahlung',
  paidWith: 'Bezahlt mit',
  received: 'Eingegangen',
  rate: 'Wechselkurs',
  transaction: 'Transaktion',
  byMerchant: shop => `${shop} hat diese Bestellung als bezahlt markiert.`,
  print: 'Drucken oder als PDF speichern',
  backToOrder: 'Zurück zur Bestellung',
  sandbox: 'Testzahlung in der Testumgebung. Es wurde kein Geld gezahlt.',
}
