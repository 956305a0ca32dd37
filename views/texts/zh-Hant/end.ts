import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: '已付款',
  paidCoins: (amount, shop) => `您已向 ${shop} 支付 ${amount}。`,
  paidWith: (shop, method) => `您已透過 ${method} 向 ${shop} 付款。`,
  paidShop: shop => `您已向 ${shop} 付款。`,
  thanks: '謝謝！',
  refundedTitle: '已退款',
  refunded: (amount, shop) => `${shop} 已退款 ${amount}。`,
  expired: '此訂單已過期',
  contactFirst: shop => `再次付款之前，請先聯絡 ${shop}。`,
  notInTime: '訂單未能及時付款。',
  maybePaid: '如果您已經付款，請不要重新訂購：您的付款仍會被偵測到。',
  orderAgain: '否則，請返回商店重新訂購。',
  cancelled: '此訂單已取消',
  notCharged: '未向您扣款。',
  failed: '付款失敗',
  declined: '付款服務商拒絕了付款。請返回商店重新訂購。',
  blocked: '無法付款',
  notAccepted: shop => `${shop} 無法接受此付款。`,
  haveQuestions: shop => `如有疑問，請聯絡 ${shop}。`,
}
