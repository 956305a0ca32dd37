import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Su pedido en ${shop}`,
  opened: 'Ha abierto un pago para este pedido. Si cierra la página, el enlace de abajo le lleva de vuelta.',
  paid: shop => `${shop} ha recibido su pago. Gracias.`,
  ignore: 'Si no ha pedido nada, puede ignorar este correo.',
}
