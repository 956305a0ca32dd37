import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Escolha como pagar',
  byProvider: 'Cartão, transferência bancária ou carteira digital',
  crypto: 'Cripto',
  card: 'Cartão',
  bank: 'Transferência bancária',
  through: provider => `via ${provider}`,
  moreWays: 'Mais formas de pagamento',
  moreCoins: 'Mais moedas',
  filter: 'Buscar uma forma de pagamento',
  noMatch: 'Nenhuma forma de pagamento encontrada.',
  usual: (fee, time) => `Taxa de rede: em geral cerca de ${fee}. Tempo aproximado: ${time}`,
  networks: count =>
    plural('pt-BR', count, {
      one: `${count} rede`,
      other: `${count} redes`,
    }),
  payWith: method => `Pagar com ${method}`,
  continueTo: method => `Continuar para ${method}`,
  keepPageOpen: method =>
    `${method} abre em uma nova aba. Volte a esta página para ver quando seu pagamento chegar.`,
  handledBy: company =>
    `${company} processa o pagamento e paga a loja em criptomoedas. Pode pedir um documento de ` +
    'identidade e cobrar uma taxa própria.',
  handledByNamed:
    'A empresa indicada processa o pagamento e paga a loja em criptomoedas. Pode pedir um ' +
    'documento de identidade e cobrar uma taxa própria.',
  back: 'Voltar ao pagamento que você iniciou',
  noMethod: 'Nenhuma forma de pagamento',
  nothing: 'Nenhuma forma de pagamento está disponível no momento',
  providerAway: 'O provedor de pagamento não está respondendo. Tente novamente em alguns minutos.',
  noneForAmount: 'Nenhuma das formas de pagamento da loja está disponível para este valor.',
  openUntil: time => `Este pedido fica aberto até ${time}.`,
  cardsAway:
    'Pagamentos com cartão, transferência bancária ou carteira digital não estão disponíveis no momento.',
  tryInMinutes: 'Tente novamente em alguns minutos.',
  networksAway: networks => `Não conseguimos acessar ${networks} no momento.`,
  otherOrLater: 'Escolha outra forma de pagamento ou tente novamente em alguns minutos.',
  unavailable: method => `${method} não está disponível`,
  chooseOther: 'Nada foi cobrado. Escolha outra forma de pagamento.',
  declined: method => `${method} recusou o pagamento`,
  tryAgainOrOther:
    'O pagamento não foi concluído. Se o seu banco mostrar um valor bloqueado, ele será liberado ' +
    'automaticamente. Tente novamente ou escolha outra forma de pagamento.',
}
