import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} でのご注文`,
  opened: 'このご注文のお支払いを開始しました。下のリンクからお支払いに戻れます。',
  paid: shop => `${shop} がお支払いを受け取りました。ありがとうございます。`,
  ignore: 'ご注文に心当たりがない場合は、このメールを無視してください。',
}
