import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Recibo',
  titleOf: shop => `Recibo de ${shop}`,
  show: 'Ver el recibo',
  paidOn: 'Pagado el',
  order: 'Pedido',
  item: 'Artículo',
  thisOrder: reference => `Pedido ${reference}`,
  amount: 'Importe',
  total: 'Total',
  refunded: date => `Reembolsado el ${date}`,
  afterRefunds: 'Total tras los reembolsos',
  payment: 'Pago',
  paidWith: 'Pagado con',
  received: 'Recibido',
  rate: 'Tipo de cambio',
  transaction: 'Transacción',
  byMerchant: shop => `${shop} ha marcado este pedido como pagado.`,
  print: 'Imprimir o guardar como PDF',
  backToOrder: 'Volver al pedido',
  sandbox: 'Pago de prueba en el entorno de pruebas. No se ha pagado dinero real.',
}
