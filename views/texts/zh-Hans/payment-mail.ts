import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: '已收到您的部分付款',
  left: (left, total) => `应付 ${total}，还需支付 ${left}。您可以使用商店提供的任何方式支付余款。`,
  payRest: '支付余款',
  vanished: '网络上不再显示您的付款',
  refund: '您的退款',
  recorded: (shop, amount) => `${shop} 已为您的订单登记退款 ${amount}。`,
  refundedTotal: '退款总额',
  sentApart: shop => `${shop} 会另行将款项发送给您。如果未收到，请联系商店。`,
  sentBack: '款项将由您付款时使用的支付服务商退回。',
  decides: '是否退款由商店决定。',
  leaveAddress: '如需取回款项，您可以在订单页面上留下退款地址。',
  worth: '价值',
  why: shop => `您收到此邮件，是因为 ${shop} 的一个订单填写了此邮箱地址。`,
}
