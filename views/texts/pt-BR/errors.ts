import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Página não encontrada',
    notPossible: 'Isso não é possível',
    notAvailable: 'Não disponível',
    tooMany: 'Muitas solicitações',
    providerAway: 'O provedor de pagamento não está respondendo',
    other: 'Algo deu errado',
  },
  titled: title => `Erro: ${title}`,
  notSold: shop => `${shop} não vende mais este produto.`,
  shopClosed:
    'Esta loja não está aceitando pagamentos no momento. Se você já pagou, fale com a loja e ' +
    'informe o número do pedido.',
  checkLink: 'Confira o link ou peça um novo à loja.',
  backToPayment: 'Voltar ao pagamento',
  requestId: 'ID da solicitação',
  waitMinute: 'Espere um minuto e tente novamente.',
  wait: seconds =>
    plural('pt-BR', seconds, {
      one: `Muitas solicitações. Tente novamente em ${seconds} segundo.`,
      other: `Muitas solicitações. Tente novamente em ${seconds} segundos.`,
    }),
  shopCannot: 'A loja não pode aceitar este pedido no momento. Tente mais tarde ou fale com a loja.',
  byCode: {
    validation_error: 'Este link ou formulário é inválido. Volte ou peça um novo link à loja.',
    not_found: 'Não há nenhuma página neste endereço.',
    order_not_payable: 'Este pedido não pode mais ser pago. Volte à loja e faça o pedido novamente.',
    method_not_offered: 'Esta forma de pagamento não está disponível. Escolha outra.',
    product_not_available: 'Este produto não está disponível. Volte à loja e escolha outro.',
    internal_error:
      'Tente novamente. Se acontecer de novo, fale com a loja e informe o ID da solicitação abaixo.',
    provider_unavailable: 'Tente novamente em alguns minutos.',
  },
  byReason: {
    order_unknown: 'Este pedido não existe.',
    product_unknown: 'Este produto não existe.',
    order_paid: 'Este pedido já está pago.',
    order_cancelled: 'Este pedido foi cancelado.',
    order_expired: 'Este pedido expirou. Volte à loja e faça o pedido novamente.',
    order_failed: 'O pagamento deste pedido falhou. Volte à loja e faça o pedido novamente.',
    coin_not_offered:
      'Esta moeda não está disponível para este pedido no momento. Escolha outra forma de pagamento.',
    coin_unsupported: 'Esta moeda não é mais aceita. Fale com a loja.',
    nothing_to_refund: 'Não há nada a reembolsar. Fale com a loja se achar que isso é um engano.',
    address_saved: 'Um endereço de reembolso já está salvo. Fale com a loja para alterá-lo.',
    private_key: 'Isto parece uma chave privada. Nunca a compartilhe. Em vez dela, digite um endereço.',
    payment_address: 'Este é o endereço para o qual você paga. Digite um endereço da sua própria carteira.',
    payments_open:
      'Você abriu dez pagamentos para este pedido. Conclua um deles ou tente novamente em 30 minutos.',
    changed: 'Esta página estava desatualizada. Recarregue-a e tente novamente.',
  },
  notAnAddress: network => `Este não é um endereço da rede ${network}. Copie-o novamente da sua carteira.`,
}
