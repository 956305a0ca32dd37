import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Potwierdzenie płatności',
  titleOf: shop => `Potwierdzenie płatności od sklepu ${shop}`,
  show: 'Zobacz potwierdzenie płatności',
  paidOn: 'Data płatności',
  order: 'Zamówienie',
  item: 'Pozycja',
  thisOrder: reference => `Zamówienie ${reference}`,
  amount: 'Kwota',
  total: 'Razem',
  refunded: date => `Zwrócono ${date}`,
  afterRefunds: 'Razem po zwrotach',
  payment: 'Płatność',
  paidWith: 'Metoda płatności',
  received: 'Otrzymano',
  rate: 'Kurs wymiany',
  transaction: 'Transakcja',
  byMerchant: shop => `Sklep ${shop} oznaczył to zamówienie jako opłacone.`,
  print: 'Drukuj lub zapisz jako PDF',
  backToOrder: 'Wróć do zamówienia',
  sandbox: 'Płatność testowa w środowisku testowym. Nie zapłacono prawdziwych pieniędzy.',
}
