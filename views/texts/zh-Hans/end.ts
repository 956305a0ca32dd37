import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: '已付款',
  paidCoins: (amount, shop) => `您已向 ${shop} 支付 ${amount}。`,
  paidWith: (shop, method) => `您已通过 ${method} 向 ${shop} 付款。`,
  paidShop: shop => `您已向 ${shop} 付款。`,
  thanks: '谢谢！',
  refundedTitle: '已退款',
  refunded: (amount, shop) => `${shop} 已退款 ${amount}。`,
  expired: '此订单已过期',
  contactFirst: shop => `再次付款之前，请先联系 ${shop}。`,
  notInTime: '订单未能及时付款。',
  maybePaid: '如果您已经付款，请不要重新下单：您的付款仍会被检测到。',
  orderAgain: '否则，请返回商店重新下单。',
  cancelled: '此订单已取消',
  notCharged: '未向您扣款。',
  failed: '付款失败',
  declined: '支付服务商拒绝了付款。请返回商店重新下单。',
  blocked: '无法付款',
  notAccepted: shop => `${shop} 无法接受此付款。`,
  haveQuestions: shop => `如有疑问，请联系 ${shop}。`,
}
