import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'ページが見つかりません',
    notPossible: '実行できません',
    notAvailable: '利用できません',
    tooMany: 'リクエストが多すぎます',
    providerAway: '決済サービスが応答していません',
    other: '問題が発生しました',
  },
  titled: title => `エラー：${title}`,
  notSold: shop => `${shop}では、この商品の販売を終了しました。`,
  shopClosed:
    'このショップは現在お支払いを受け付けていません。すでにお支払いの場合は、' +
    '注文番号を添えてショップにお問い合わせください。',
  checkLink: 'リンクを確認するか、ショップに新しいリンクをご依頼ください。',
  backToPayment: 'お支払いに戻る',
  requestId: 'リクエストID',
  waitMinute: '1分ほど待ってから、もう一度お試しください。',
  wait: seconds =>
    plural('ja', seconds, {
      other: `リクエストが多すぎます。${seconds}秒後にもう一度お試しください。`,
    }),
  shopCannot:
    'ショップは現在このご注文を受け付けられません。後でもう一度お試しいただくか、' +
    'ショップにお問い合わせください。',
  byCode: {
    validation_error:
      'このリンクまたはフォームは無効です。前のページに戻るか、ショップに新しいリンクをご依頼ください。',
    not_found: 'このアドレスにページはありません。',
    order_not_payable: 'このご注文はもうお支払いできません。ショップに戻ってもう一度ご注文ください。',
    method_not_offered: 'このお支払い方法は利用できません。別の方法を選択してください。',
    product_not_available: 'この商品は購入できません。ショップに戻って別の商品を選択してください。',
    internal_error:
      'もう一度お試しください。再発する場合は、下記のリクエストIDを添えてショップにお問い合わせください。',
    provider_unavailable: '数分後にもう一度お試しください。',
  },
  byReason: {
    order_unknown: 'このご注文は存在しません。',
    product_unknown: 'この商品は存在しません。',
    order_paid: 'このご注文はすでに支払い済みです。',
    order_cancelled: 'このご注文はキャンセルされました。',
    order_expired: 'このご注文は期限切れです。ショップに戻ってもう一度ご注文ください。',
    order_failed: 'このご注文のお支払いに失敗しました。ショップに戻ってもう一度ご注文ください。',
    coin_not_offered: 'このコインは現在このご注文ではご利用いただけません。別の方法を選択してください。',
    coin_unsupported: 'このコインには対応しなくなりました。ショップにお問い合わせください。',
    nothing_to_refund: '返金するものはありません。間違いと思われる場合は、ショップにお問い合わせください。',
    address_saved: '返金先アドレスはすでに保存されています。変更するにはショップにお問い合わせください。',
    private_key: '秘密鍵のようです。決して他人に教えないでください。代わりにアドレスを入力してください。',
    payment_address: 'これはお支払い先のアドレスです。ご自分のウォレットのアドレスを入力してください。',
    payments_open:
      'このご注文では、すでに10件のお支払いが開かれています。そのいずれかをお支払いいただくか、30分後にもう一度お試しください。',
    changed: 'このページの情報が古くなっていました。再読み込みして、もう一度お試しください。',
  },
  notAnAddress: network => `${network}のアドレスではありません。ウォレットからもう一度コピーしてください。`,
}
