import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Pagar com ${method}`,
  waiting: method => `Aguardando ${method}`,
  otherTab:
    'Conclua o pagamento na outra aba. Esta página é atualizada automaticamente alguns minutos ' +
    'depois que você paga. Depois de pagar, você pode fechar esta página; seu pedido será marcado ' +
    'como pago mesmo assim.',
  openAgain: method => `Abrir ${method} novamente`,
  unconfirmed: method => `${method} ainda não confirmou o pagamento.`,
}
