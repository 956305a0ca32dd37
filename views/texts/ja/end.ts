import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'お支払い済み',
  paidCoins: (amount, shop) => `${shop}に${amount}を支払いました。`,
  paidWith: (shop, method) => `${method}で${shop}に支払いました。`,
  paidShop: shop => `${shop}に支払いました。`,
  thanks: 'ありがとうございました。',
  refundedTitle: '返金済み',
  refunded: (amount, shop) => `${shop}が${amount}を返金しました。`,
  expired: 'このご注文は期限切れです',
  contactFirst: shop => `再度お支払いになる前に、${shop}にお問い合わせください。`,
  notInTime: '期限までにお支払いがありませんでした。',
  maybePaid: 'すでにお支払いの場合は、再度のご注文はお控えください。お支払いは引き続き検出されます。',
  orderAgain: 'まだの場合は、ショップに戻ってもう一度ご注文ください。',
  cancelled: 'このご注文はキャンセルされました',
  notCharged: '請求は行われていません。',
  failed: 'お支払いに失敗しました',
  declined: '決済サービスがお支払いを承認しませんでした。ショップに戻ってもう一度ご注文ください。',
  blocked: 'お支払いできません',
  notAccepted: shop => `${shop}はこのお支払いを受け付けられません。`,
  haveQuestions: shop => `ご不明な点は${shop}にお問い合わせください。`,
}
