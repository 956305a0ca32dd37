import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Seu pedido em ${shop}`,
  opened: 'Você abriu um pagamento para este pedido. Se fechar a página, o link abaixo leva você de volta.',
  paid: shop => `${shop} recebeu seu pagamento. Obrigado.`,
  ignore: 'Se você não pediu nada, pode ignorar este e-mail.',
}
