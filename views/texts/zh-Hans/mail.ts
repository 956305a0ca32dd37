import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `您在 ${shop} 的订单`,
  opened: '您已开始为此订单付款。请使用下面的链接返回付款页面。',
  paid: shop => `${shop} 已收到您的付款。谢谢。`,
  ignore: '如果您没有下此订单，请忽略此邮件。',
}
