import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'お支払いの一部が届きました',
  left: (left, total) =>
    `${total}のうち${left}のお支払いが残っています。残りは、ショップが対応しているどの方法でもお支払いいただけます。`,
  payRest: '残りを支払う',
  vanished: 'お支払いがネットワークに表示されなくなりました',
  refund: '返金のお知らせ',
  recorded: (shop, amount) => `${shop}がご注文に対する${amount}の返金を記録しました。`,
  refundedTotal: '返金合計',
  sentApart: shop => `返金は${shop}から別途送られます。届かない場合は、ショップにお問い合わせください。`,
  sentBack: 'お支払いに使われた決済サービスから返金されます。',
  decides: '返金についてはショップが判断します。',
  leaveAddress: '返金をご希望の場合は、ご注文のページに返金先アドレスを残すことができます。',
  worth: '価値',
  why: shop => `このメールは、${shop}でのご注文にこのアドレスが指定されたため送信されました。`,
}
