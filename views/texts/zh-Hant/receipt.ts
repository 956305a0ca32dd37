import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: '收據',
  titleOf: shop => `${shop} 的收據`,
  show: '查看收據',
  paidOn: '付款時間',
  order: '訂單',
  item: '商品',
  thisOrder: reference => `訂單 ${reference}`,
  amount: '金額',
  total: '合計',
  refunded: date => `已於 ${date} 退款`,
  afterRefunds: '退款後合計',
  payment: '付款',
  paidWith: '付款方式',
  received: '已收到',
  rate: '匯率',
  transaction: '交易',
  byMerchant: shop => `${shop} 已將此訂單標示為已付款。`,
  print: '列印或儲存為 PDF',
  backToOrder: '返回訂單',
  sandbox: '這是測試環境中的測試付款，未支付任何真實款項。',
}
