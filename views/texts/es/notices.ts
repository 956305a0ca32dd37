import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Ha llegado otra criptomoneda',
    underpaid: 'Su pago no cubre este pedido',
    late: 'Su pago ha llegado con retraso',
    second_payment: 'Ha llegado un segundo pago',
    order_closed: 'Ha llegado un pago para un pedido cerrado',
    too_late: 'Su pago ha llegado demasiado tarde',
    overpaid: 'Ha pagado más de lo debido',
  },
  otherCoin: 'otra criptomoneda',
  received: {
    wrong_asset: (coins, wanted) => `Hemos recibido ${coins}, pero este pago debía hacerse en ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Hemos recibido ${coins}.` : `Hemos recibido ${coins}, por valor de ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Hemos recibido ${coins} después de agotarse el tiempo para pagar.`
        : `Hemos recibido ${coins}, ` + `por valor de ${value}, después de agotarse el tiempo para pagar.`,
    second_payment: coins => `Hemos recibido ${coins}, pero este pedido ya estaba pagado.`,
    order_closed: coins => `Hemos recibido ${coins}, pero este pedido estaba cerrado.`,
    too_late: coins => `Hemos recibido ${coins} mucho después de agotarse el tiempo para pagar.`,
    overpaid: (coins, due) => `Hemos recibido ${coins}, pero el importe debido era solo de ${due}.`,
  },
  notLost: shop => `Su pago está registrado y se ha avisado a ${shop}.`,
  contact: shop => `Contacte con ${shop}`,
  contactForRefund: contact => `${contact} para pedir un reembolso o si tiene preguntas.`,
  refundAddress: network => `Dirección de reembolso en ${network}`,
  optional: '(opcional)',
  saveAddress: 'Guardar la dirección de reembolso',
  wrongAddress: 'Si es incorrecta, póngase en contacto con la tienda.',
}
