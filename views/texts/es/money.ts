import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Recibido: ${received} de ${total} · pendiente: ${left}`,
  receivedAll: (received, total) => `Recibido: ${received} de ${total}`,
  awaiting: (amount, shop) =>
    `El importe de ${amount} está pendiente de que ${shop} lo acepte. No envíe nada más por ahora.`,
  awaitingUnknown: shop => `Hay un pago pendiente de que ${shop} lo acepte. No envíe nada más por ahora.`,
  tooSmall: left =>
    `El importe restante, ${left}, es demasiado pequeño para enviarlo. Se ha avisado a la tienda; no ` +
    'tiene que enviar nada más.',
  others: 'Otros pagos que ha iniciado',
  continueWith: name => `Continuar con ${name}`,
  part: received => `Recibido: ${received}`,
  vanished: amount =>
    `La red ya no muestra su pago de ${amount}. Compruébelo en su monedero antes de hacer otro envío.`,
  blind: (network, time) =>
    `En este momento no podemos conectar con la red ${network}. Última comprobación: ${time}.`,
  blindAdvice:
    'Si ya ha pagado, su pago no se ha perdido. No vuelva a pagar: lo encontraremos en cuanto podamos ' +
    'conectar con la red.',
}
