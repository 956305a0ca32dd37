import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: '收据',
  titleOf: shop => `${shop} 的收据`,
  show: '查看收据',
  paidOn: '付款时间',
  order: '订单',
  item: '商品',
  thisOrder: reference => `订单 ${reference}`,
  amount: '金额',
  total: '合计',
  refunded: date => `已于 ${date} 退款`,
  afterRefunds: '退款后合计',
  payment: '付款',
  paidWith: '付款方式',
  received: '已收到',
  rate: '汇率',
  transaction: '交易',
  byMerchant: shop => `${shop} 已将此订单标记为已付款。`,
  print: '打印或保存为 PDF',
  backToOrder: '返回订单',
  sandbox: '这是测试环境中的测试付款，未支付任何真实资金。',
}
