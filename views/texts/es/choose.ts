import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Elija cómo pagar',
  byProvider: 'Tarjeta, transferencia bancaria o monedero digital',
  crypto: 'Cripto',
  card: 'Tarjeta',
  bank: 'Transferencia bancaria',
  through: provider => `a través de ${provider}`,
  moreWays: 'Más formas de pago',
  moreCoins: 'Más criptomonedas',
  filter: 'Buscar una forma de pago',
  noMatch: 'Ninguna forma de pago coincide.',
  usual: (fee, time) => `Comisión de red: normalmente unos ${fee}. Duración aproximada: ${time}`,
  networks: count =>
    plural('es', count, {
      one: `${count} red`,
      other: `${count} redes`,
    }),
  payWith: method => `Pagar con ${method}`,
  continueTo: method => `Continuar a ${method}`,
  keepPageOpen: method =>
    `${method} se abre en una pestaña nueva. Vuelva a esta página para ver cuándo ha llegado su pago.`,
  handledBy: company =>
    `${company} gestiona el pago y paga a la tienda en criptomonedas. Puede pedir un documento ` +
    'de identidad y añadir su propia comisión.',
  handledByNamed:
    'La empresa indicada gestiona el pago y paga a la tienda en criptomonedas. Puede pedir un ' +
    'documento de identidad y añadir su propia comisión.',
  back: 'Volver al pago que ha iniciado',
  noMethod: 'No hay ningún método de pago disponible',
  nothing: 'No hay ningún método de pago disponible en este momento',
  providerAway: 'El proveedor de pagos no responde. Vuelva a intentarlo en unos minutos.',
  noneForAmount: 'Ninguno de los métodos de pago de la tienda está disponible para este importe.',
  openUntil: time => `Este pedido permanece abierto hasta el ${time}.`,
  cardsAway:
    'Los pagos con tarjeta, transferencia bancaria o monedero digital no están disponibles en este momento.',
  tryInMinutes: 'Vuelva a intentarlo en unos minutos.',
  networksAway: networks => `En este momento no podemos conectar con ${networks}.`,
  otherOrLater: 'Elija otra forma de pago o vuelva a intentarlo en unos minutos.',
  unavailable: method => `${method} no está disponible`,
  chooseOther: 'No se le ha cobrado nada. Elija otro método.',
  declined: method => `${method} ha rechazado el pago`,
  tryAgainOrOther:
    'El pago no se ha completado. Si su banco muestra una retención, desaparecerá por sí sola. Vuelva a ' +
    'intentarlo o elija otro método.',
}
