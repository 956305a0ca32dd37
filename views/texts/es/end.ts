import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Pagado',
  paidCoins: (amount, shop) => `Ha pagado ${amount} a ${shop}.`,
  paidWith: (shop, method) => `Ha pagado a ${shop} con ${method}.`,
  paidShop: shop => `Ha pagado a ${shop}.`,
  thanks: '¡Gracias!',
  refundedTitle: 'Reembolsado',
  refunded: (amount, shop) => `${shop} ha reembolsado ${amount}.`,
  expired: 'Este pedido ha caducado',
  contactFirst: shop => `Contacte con ${shop} antes de volver a pagar.`,
  notInTime: 'No se pagó a tiempo.',
  maybePaid: 'Si ya ha pagado, no vuelva a hacer el pedido: su pago se detectará igualmente.',
  orderAgain: 'Si no, vuelva a la tienda y haga el pedido de nuevo.',
  cancelled: 'Este pedido se ha cancelado',
  notCharged: 'No se le ha cobrado nada.',
  failed: 'El pago ha fallado',
  declined: 'El proveedor de pagos ha rechazado el pago. Vuelva a la tienda y haga el pedido de nuevo.',
  blocked: 'No es posible pagar',
  notAccepted: shop => `${shop} no puede aceptar este pago.`,
  haveQuestions: shop => `Contacte con ${shop} si tiene preguntas.`,
}
