import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Recibo',
  titleOf: shop => `Recibo de ${shop}`,
  show: 'Ver recibo',
  paidOn: 'Pago em',
  order: 'Pedido',
  item: 'Item',
  thisOrder: reference => `Pedido ${reference}`,
  amount: 'Valor',
  total: 'Total',
  refunded: date => `Reembolsado em ${date}`,
  afterRefunds: 'Total após reembolsos',
  payment: 'Pagamento',
  paidWith: 'Pago com',
  received: 'Recebido',
  rate: 'Cotação',
  transaction: 'Transação',
  byMerchant: shop => `${shop} marcou este pedido como pago.`,
  print: 'Imprimir ou salvar em PDF',
  backToOrder: 'Voltar ao pedido',
  sandbox: 'Pagamento de teste no ambiente de teste. Nenhum dinheiro foi pago.',
}
