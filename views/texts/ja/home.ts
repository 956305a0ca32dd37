import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: '決済サービス：Florin',
  what: 'このサーバーはオンラインショップのお支払いを受け付けます。',
  buyers: 'お支払いですか？ショップから届いたリンクを開いてください。',
  developers: 'このサーバーまたはショップの管理者の方は、APIリファレンスで注文の作成方法をご覧ください。',
  sandbox:
    'これはテスト環境です。試すには、注文を作成してお支払いページを開いてください。' +
    'テスト用のカードとコインで支払えます。',
  reference: 'APIリファレンス',
}
