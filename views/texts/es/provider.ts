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
}
