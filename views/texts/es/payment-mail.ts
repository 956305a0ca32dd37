import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Ha llegado una parte de su pago',
  left: (left, total) =>
    `Falta pagar ${left} de ${total}. Puede pagar el resto con cualquier método que ofrezca la tienda.`,
  payRest: 'Pagar el resto',
  vanished: 'Su pago ya no aparece en su red',
  refund: 'Su reembolso',
  recorded: (shop, amount) => `${shop} ha registrado un reembolso de ${amount} para su pedido.`,
  refundedTotal: 'Total reembolsado',
  sentApart: shop =>
    `${shop} le envía el dinero por separado. Si no llega, póngase en contacto con la tienda.`,
  sentBack: 'El proveedor de pagos con el que pagó le devuelve el dinero.',
  decides: 'La tienda decide sobre el reembolso.',
  leaveAddress:
    'Si quiere recuperar el dinero, puede dejar una dirección de reembolso en la página de su ' + 'pedido.',
  worth: 'Valor',
  why: shop => `Ha recibido este correo porque esta dirección se indicó en un pedido en ${shop}.`,
}
