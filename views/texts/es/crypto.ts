import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} en ${network}`,
  pay: (amount, network) => `Pague ${amount} en ${network}`,
  payCoin: amount => `Pague ${amount}`,
  waiting: 'Esperando su pago',
  timeLeft: 'Tiempo restante:',
  payBefore: time => `Pague antes de las ${time}`,
  fewMinutesLeft: 'Quedan menos de cinco minutos para pagar.',
  detected: 'Pago detectado',
  detectedWith: progress => `Pago detectado: ${progress}`,
  confirmations: 'Confirmaciones',
  progress: (done, required) => `${done} de ${required} confirmaciones`,
  lastConfirmation: 'Esperando la confirmación final',
  aboutLeft: time => `quedan aprox. ${time}`,
  receivedPayments: 'Recibido hasta ahora',
  closePage: 'Puede cerrar esta página. El pedido se marcará como pagado en cuanto la red confirme el pago.',
  leftToPay: amount => `Importe pendiente: ${amount}`,
  sendRest: received => `Hemos recibido ${received}. Envíe el resto a la misma dirección.`,
  dustTitle: 'El importe restante es demasiado pequeño para enviarlo',
  qrOfPayment: 'Código QR del pago',
  qrOfAddress: 'Código QR de la dirección',
  cannotScan: '¿Su monedero no puede escanear este código?',
  onlyAddress: 'Este código contiene solo la dirección.',
  showAddressOnly: 'Mostrar solo la dirección',
  includeAmount: 'Incluir el importe',
  openWallet: 'Abrir en el monedero',
  walletClosed: '¿No se ha abierto nada? Copie el importe y la dirección en su monedero.',
  browserWallet: {
    pay: 'Pagar con {wallet}',
    open: 'Confirme el pago en su monedero.',
    sent: 'Enviado. Esta página cambiará cuando se detecte el pago.',
    again: '¿Enviar de nuevo con {wallet}?',
    twice: 'Envíe de nuevo solo si su monedero indica que el primer pago ha fallado.',
    rejected: 'No ha confirmado el pago. No se ha enviado nada.',
    chain: 'Su monedero no conoce esta red. Añádala en el monedero y vuelva a intentarlo.',
    failed:
      'Su monedero no ha podido enviar el pago. Compruebe el saldo o pague con el código QR o la dirección.',
  },
  sendTestCoins: 'Enviar monedas de prueba',
  sendOnly: (coin, network) => `Envíe solo ${coin} en la red ${network}.`,
  otherCoins:
    'Otras criptomonedas, o las enviadas por otras redes, pueden no contar para este pedido y perderse.',
  exactAmount: 'Envíe exactamente este importe en una sola transacción.',
  exactAmountReason:
    'Identificamos su pago por el importe. Si paga desde una plataforma de intercambio, añada la ' +
    'comisión de retirada para que llegue exactamente este importe.',
  exchangeFee:
    '¿Paga desde una plataforma de intercambio? Añada su comisión de retirada para que llegue ' +
    'exactamente este importe.',
  amountLeft: 'Queda por pagar',
  amountDue: 'Envíe exactamente',
  toAddress: network => `A esta dirección de la red ${network}`,
  rate: 'Cambio',
  theAmount: 'el importe',
  theAddress: 'la dirección',
  nothingFound: network => `Todavía no se ha detectado ningún pago en ${network}.`,
  nothingMore: 'No ha llegado nada más.',
  restMissing: 'El resto aún no ha llegado.',
  unconfirmed: 'El pago aún no está confirmado.',
  lapsed: 'El tiempo para pagar se ha agotado',
  partOf: (received, due) => `${received} de ${due}`,
  maybePaid:
    '¿Acaba de pagar? Su pago se detectará igualmente y puede cerrar esta página. Si no, obtenga ' +
    'un precio nuevo.',
  newPrice: coin => `Obtener un precio nuevo en ${coin}`,
  notCovered:
    'Todavía no hemos recibido el importe completo. Si acaba de pagar, vuelva a comprobarlo ' +
    'dentro de unos minutos.',
  elsewhere: {
    ask: 'Lo envié por otra red',
    looking: networks => `Estamos revisando ${networks}.`,
    found: coins => `Hemos encontrado ${coins}.`,
    nothing: (networks, time) => `Hemos revisado ${networks} a las ${time} y no hemos encontrado nada.`,
    unreachable: networks =>
      `No hemos podido conectar con ${networks}. ` +
      'Seguiremos intentándolo; nada de lo que ha enviado se pierde.',
  },
  turnedTo: coin =>
    `Se inició un pago más reciente en otra ventana: ${coin}. Esta página lo muestra ahora. Si ya ` +
    'ha pagado, su pago se detectará igualmente.',
}
