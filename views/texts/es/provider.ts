import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Pagar con ${method}`,
  waiting: method => `Esperando a ${method}`,
  otherTab:
    'Termine el pago en la otra pestaña. Esta página se actualiza automáticamente unos minutos ' +
    'después de que pague. Una vez que haya pagado, puede cerrar esta página; su pedido se marcará ' +
    'igualmente como pagado.',
  openAgain: method => `Abrir ${method} de nuevo`,
  unconfirmed: method => `${method} aún no ha confirmado el pago.`,
  incomplete: 'Pago incompleto',
  tooLittle: method =>
    `El importe recibido a través de ${method} no cubre este pedido. Póngase en contacto con la ` +
    'tienda antes de volver a pagar.',
  nothingMore: 'No ha llegado nada más.',
}
