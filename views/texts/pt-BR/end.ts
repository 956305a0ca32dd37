import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Pago',
  paidCoins: (amount, shop) => `Você pagou ${amount} para ${shop}.`,
  paidWith: (shop, method) => `Você fez um pagamento para ${shop} com ${method}.`,
  paidShop: shop => `Você fez um pagamento para ${shop}.`,
  thanks: 'Obrigado!',
  refundedTitle: 'Reembolsado',
  refunded: (amount, shop) => `${shop} reembolsou ${amount}.`,
  expired: 'Este pedido expirou',
  contactFirst: shop => `Fale com ${shop} antes de pagar novamente.`,
  notInTime: 'Ele não foi pago a tempo.',
  maybePaid: 'Se você já pagou, não faça o pedido de novo: seu pagamento ainda será detectado.',
  orderAgain: 'Caso contrário, volte à loja e faça o pedido novamente.',
  cancelled: 'Este pedido foi cancelado',
  notCharged: 'Nada foi cobrado.',
  failed: 'O pagamento falhou',
  declined: 'O provedor de pagamento recusou o pagamento. Volte à loja e faça o pedido novamente.',
  blocked: 'Não é possível pagar',
  notAccepted: shop => `${shop} não pode aceitar este pagamento.`,
  haveQuestions: shop => `Fale com ${shop} se tiver dúvidas.`,
}
