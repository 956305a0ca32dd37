import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Chegou uma moeda diferente',
    underpaid: 'Seu pagamento não cobre este pedido',
    late: 'Seu pagamento chegou atrasado',
    second_payment: 'Chegou um segundo pagamento',
    order_closed: 'Chegou um pagamento para um pedido encerrado',
    too_late: 'Seu pagamento chegou tarde demais',
    overpaid: 'Você pagou mais do que o devido',
  },
  otherCoin: 'uma moeda diferente',
  received: {
    wrong_asset: (coins, wanted) => `Recebemos ${coins}, mas este pagamento deveria ser em ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Recebemos ${coins}.` : `Recebemos ${coins}, no valor de ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Recebemos ${coins} depois que o tempo para pagar acabou.`
        : `Recebemos ${coins}, no valor de ` + `${value}, depois que o tempo para pagar acabou.`,
    second_payment: coins => `Recebemos ${coins}, mas este pedido já estava pago.`,
    order_closed: coins => `Recebemos ${coins}, mas este pedido estava encerrado.`,
    too_late: coins => `Recebemos ${coins} muito depois que o tempo para pagar acabou.`,
    overpaid: (coins, due) => `Recebemos ${coins}, mas o valor devido era apenas ${due}.`,
  },
  notLost: shop => `Seu pagamento está registrado e ${shop} foi avisado.`,
  contact: shop => `Fale com ${shop}`,
  contactForRefund: contact => `${contact} para pedir um reembolso ou se tiver dúvidas.`,
  refundAddress: network => `Endereço de reembolso na rede ${network}`,
  optional: '(opcional)',
  saveAddress: 'Salvar endereço de reembolso',
  wrongAddress: 'Se estiver errado, fale com a loja.',
}
