import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `您在 ${shop} 的订单`,
  opened: '您已为此订单发起付款。如果关闭了页面，可通过下面的链接返回。',
  paid: shop => `${shop} 已收到您的付款。谢谢。`,
  ignore: '如果您没有下单，请忽略此邮件。',
}
