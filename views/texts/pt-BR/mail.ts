import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Seu pedido em ${shop}`,
  opened: 'Você começou a pagar este pedido. Use o link abaixo para voltar ao pagamento.',
  paid: shop => `${shop} recebeu seu pagamento. Obrigado.`,
  ignore: 'Se você não fez este pedido, pode ignorar este e-mail.',
}
