import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Ricevuta',
  titleOf: shop => `Ricevuta di ${shop}`,
  show: 'Vedi la ricevuta',
  paidOn: 'Data di pagamento',
  order: 'Ordine',
  item: 'Articolo',
  thisOrder: reference => `Ordine ${reference}`,
  amount: 'Importo',
  total: 'Totale',
  refunded: date => `Rimborsato in data ${date}`,
  afterRefunds: 'Totale dopo i rimborsi',
  payment: 'Pagamento',
  paidWith: 'Pagato con',
  received: 'Importo ricevuto',
  rate: 'Tasso di cambio',
  transaction: 'Transazione',
  byMerchant: shop => `${shop} ha segnato questo ordine come pagato.`,
  print: 'Stampa o salva in PDF',
  backToOrder: 'Torna all’ordine',
  sandbox: 'Pagamento di prova nell’ambiente di prova. Non è stato pagato denaro reale.',
}
