import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: '收到了其他币种',
    underpaid: '您的付款不足以支付此订单',
    late: '您的付款到账较晚',
    second_payment: '收到了第二笔付款',
    order_closed: '已关闭的订单收到了付款',
    too_late: '您的付款到账太晚',
    overpaid: '您支付的金额超出了应付金额',
  },
  otherCoin: '其他币种',
  received: {
    wrong_asset: (coins, wanted) => `我们收到了 ${coins}，但此次付款需使用 ${wanted}。`,
    underpaid: (coins, value) =>
      value === null ? `我们收到了 ${coins}。` : `我们收到了 ${coins}，价值 ${value}。`,
    late: (coins, value) =>
      value === null
        ? `我们在付款时间结束后收到了 ${coins}。`
        : `我们在付款时间结束后收到了 ${coins}，价值 ${value}。`,
    second_payment: coins => `我们收到了 ${coins}，但此订单已经付款。`,
    order_closed: coins => `我们收到了 ${coins}，但此订单已关闭。`,
    too_late: coins => `我们在付款时间结束很久之后收到了 ${coins}。`,
    overpaid: (coins, due) => `我们收到了 ${coins}，但应付金额仅为 ${due}。`,
  },
  notLost: shop => `您的付款已记录，并已通知 ${shop}。`,
  contact: shop => `联系 ${shop}`,
  contactForRefund: contact => `如需退款或有疑问，请${contact}。`,
  refundAddress: network => `${network} 上的退款地址`,
  optional: '（选填）',
  saveAddress: '保存退款地址',
  wrongAddress: '如果地址有误，请联系商店。',
}
