import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Recebido: ${received} de ${total} · falta pagar ${left}`,
  receivedAll: (received, total) => `Recebido: ${received} de ${total}`,
  awaiting: (amount, shop) =>
    `O valor de ${amount} ainda precisa ser aceito por ${shop}. Não envie mais nada por enquanto.`,
  awaitingUnknown: shop =>
    `Um pagamento ainda precisa ser aceito por ${shop}. Não envie mais nada por enquanto.`,
  tooSmall: left =>
    `O valor restante, ${left}, é pequeno demais para ser enviado. A loja foi avisada; você não precisa ` +
    'enviar mais nada.',
  others: 'Outros pagamentos que você iniciou',
  continueWith: name => `Continuar com ${name}`,
  part: received => `Recebido: ${received}`,
  vanished: amount =>
    `A rede não mostra mais seu pagamento de ${amount}. Confira na sua carteira antes de enviar novamente.`,
  blind: (network, time) =>
    `Não conseguimos acessar a rede ${network} no momento. Última verificação: ${time}.`,
  blindAdvice:
    'Se você já pagou, seu pagamento não foi perdido. Não pague novamente: vamos encontrá-lo assim que ' +
    'conseguirmos acessar a rede.',
}
