import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: '領収書',
  titleOf: shop => `${shop}の領収書`,
  show: '領収書を見る',
  paidOn: 'お支払い日時',
  order: 'ご注文',
  item: '商品',
  thisOrder: reference => `ご注文 ${reference}`,
  amount: '金額',
  total: '合計',
  refunded: date => `${date}に返金`,
  afterRefunds: '返金後の合計',
  payment: 'お支払い',
  paidWith: 'お支払い方法',
  received: '受取額',
  rate: 'レート',
  transaction: '取引',
  byMerchant: shop => `${shop}がこのご注文を支払い済みとして記録しました。`,
  print: '印刷またはPDFとして保存',
  backToOrder: 'ご注文に戻る',
  sandbox: 'テスト環境でのテスト用のお支払いです。実際のお金は支払われていません。',
}
