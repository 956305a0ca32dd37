import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: '已收到您的部分付款',
  left: (left, total) => `應付 ${total}，尚需支付 ${left}。您可以使用商店提供的任何方式支付餘款。`,
  payRest: '支付餘款',
  vanished: '網路上不再顯示您的付款',
  refund: '您的退款',
  recorded: (shop, amount) => `${shop} 已為您的訂單登記退款 ${amount}。`,
  refundedTotal: '退款總額',
  sentApart: shop => `${shop} 會另行將款項傳送給您。如果未收到，請聯絡商店。`,
  sentBack: '款項將由您付款時使用的支付服務商退回。',
  decides: '是否退款由商店決定。',
  leaveAddress: '如需取回款項，您可以在訂單頁面上留下退款地址。',
  worth: '價值',
  why: shop => `您收到此郵件，是因為 ${shop} 的一筆訂單填寫了此電子郵件地址。`,
}
