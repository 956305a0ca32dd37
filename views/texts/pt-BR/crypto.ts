import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} na rede ${network}`,
  pay: (amount, network) => `Pague ${amount} na rede ${network}`,
  payCoin: amount => `Pague ${amount}`,
  waiting: 'Aguardando seu pagamento',
  timeLeft: 'Tempo restante:',
  payBefore: time => `Pague antes das ${time}`,
  fewMinutesLeft: 'Faltam menos de cinco minutos para pagar.',
  detected: 'Pagamento detectado',
  detectedWith: progress => `Pagamento detectado: ${progress}`,
  confirmations: 'Confirmações',
  progress: (done, required) => `${done} de ${required} confirmações`,
  lastConfirmation: 'Aguardando a confirmação final',
  aboutLeft: time => `cerca de ${time} restantes`,
  receivedPayments: 'Recebido até agora',
  closePage:
    'Você pode fechar esta página. O pedido será marcado como pago assim que a rede confirmar o pagamento.',
  leftToPay: amount => `Falta pagar ${amount}`,
  sendRest: received => `Recebemos ${received}. Envie o restante para o mesmo endereço.`,
  dustTitle: 'O valor restante é pequeno demais para ser enviado',
  qrOfPayment: 'QR code do pagamento',
  qrOfAddress: 'QR code do endereço',
  cannotScan: 'Sua carteira não consegue ler este código?',
  onlyAddress: 'Este código contém apenas o endereço.',
  showAddressOnly: 'Mostrar apenas o endereço',
  includeAmount: 'Incluir o valor',
  openWallet: 'Abrir na carteira',
  walletClosed: 'Nada abriu? Copie o valor e o endereço para sua carteira.',
  browserWallet: {
    pay: 'Pagar com {wallet}',
    open: 'Confirme o pagamento na sua carteira.',
    sent: 'Enviado. Esta página mudará quando o pagamento for detectado.',
    again: 'Enviar de novo com {wallet}?',
    twice: 'Envie de novo somente se a sua carteira indicar que o primeiro pagamento falhou.',
    rejected: 'Você não confirmou o pagamento. Nada foi enviado.',
    chain: 'Sua carteira não conhece esta rede. Adicione a rede na carteira e tente novamente.',
    failed:
      'Sua carteira não conseguiu enviar o pagamento. Confira o saldo ou pague com o QR code ou o endereço.',
  },
  sendTestCoins: 'Enviar moedas de teste',
  sendOnly: (coin, network) => `Envie apenas ${coin} na rede ${network}.`,
  otherCoins:
    'Outras moedas, ou moedas enviadas por outras redes, podem não contar para este pedido e se perder.',
  exactAmount: 'Envie exatamente este valor, em uma única transação.',
  exactAmountReason:
    'Identificamos seu pagamento pelo valor. Se você pagar por uma corretora, some a taxa de ' +
    'saque dela, para que chegue exatamente este valor.',
  exchangeFee:
    'Vai pagar por uma corretora? Some a taxa de saque dela, para que chegue exatamente este valor.',
  amountLeft: 'Falta pagar',
  amountDue: 'Envie exatamente',
  toAddress: network => `Para este endereço na rede ${network}`,
  rate: 'Cotação',
  theAmount: 'o valor',
  theAddress: 'o endereço',
  nothingFound: network => `Nenhum pagamento detectado na rede ${network} até agora.`,
  nothingMore: 'Nada mais chegou.',
  restMissing: 'O restante ainda não chegou.',
  unconfirmed: 'O pagamento ainda não foi confirmado.',
  lapsed: 'O tempo para pagar acabou',
  partOf: (received, due) => `${received} de ${due}`,
  maybePaid:
    'Acabou de pagar? Seu pagamento ainda será detectado e você pode fechar esta página. Caso ' +
    'contrário, obtenha um novo preço.',
  newPrice: coin => `Obter um novo preço em ${coin}`,
  notCovered:
    'Ainda não recebemos o valor total. Se você acabou de pagar, verifique novamente em alguns minutos.',
  elsewhere: {
    ask: 'Enviei por outra rede',
    looking: networks => `Estamos verificando ${networks}.`,
    found: coins => `Encontramos ${coins}.`,
    nothing: (networks, time) => `Verificamos ${networks} às ${time} e não encontramos nada.`,
    unreachable: networks =>
      `Não conseguimos acessar ${networks}. ` +
      'Vamos continuar tentando, e nada do que você enviou será perdido.',
  },
  turnedTo: coin =>
    `Um pagamento mais recente foi iniciado em outra janela: ${coin}. Esta página agora mostra ` +
    'esse pagamento. Se você já pagou, seu pagamento ainda será detectado.',
}
