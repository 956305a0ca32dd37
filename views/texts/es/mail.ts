import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Su pedido en ${shop}`,
  opened: 'Ha empezado a pagar este pedido. Utilice el enlace de abajo para volver a él.',
  paid: shop => `${shop} ha recibido su pago. Gracias.`,
  ignore: 'Si usted no ha hecho este pedido, puede ignorar este correo.',
}
