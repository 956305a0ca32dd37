import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: '收到了其他幣種',
    underpaid: '您的付款不足以支付此訂單',
    late: '您的付款較晚送達',
    second_payment: '收到了第二筆付款',
    order_closed: '已關閉的訂單收到了付款',
    too_late: '您的付款太晚送達',
    overpaid: '您支付的金額超過應付金額',
  },
  otherCoin: '其他幣種',
  received: {
    wrong_asset: (coins, wanted) => `我們收到了 ${coins}，但這筆付款需使用 ${wanted}。`,
    underpaid: (coins, value) =>
      value === null ? `我們收到了 ${coins}。` : `我們收到了 ${coins}，價值 ${value}。`,
    late: (coins, value) =>
      value === null
        ? `我們在付款時間結束後收到了 ${coins}。`
        : `我們在付款時間結束後收到了 ${coins}，價值 ${value}。`,
    second_payment: coins => `我們收到了 ${coins}，但此訂單已經付款。`,
    order_closed: coins => `我們收到了 ${coins}，但此訂單已關閉。`,
    too_late: coins => `我們在付款時間結束很久之後收到了 ${coins}。`,
    overpaid: (coins, due) => `我們收到了 ${coins}，但應付金額僅為 ${due}。`,
  },
  notLost: shop => `您的付款已記錄，並已通知 ${shop}。`,
  contact: shop => `聯絡 ${shop}`,
  contactForRefund: contact => `如需退款或有疑問，請${contact}。`,
  refundAddress: network => `${network} 上的退款地址`,
  optional: '（選填）',
  saveAddress: '儲存退款地址',
  wrongAddress: '如果地址有誤，請聯絡商店。',
}
