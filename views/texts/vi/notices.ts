import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Đã nhận một đồng tiền khác',
    underpaid: 'Khoản thanh toán của bạn không đủ cho đơn hàng này',
    late: 'Khoản thanh toán của bạn đến muộn',
    second_payment: 'Đã nhận khoản thanh toán thứ hai',
    order_closed: 'Đã nhận thanh toán cho một đơn hàng đã đóng',
    too_late: 'Khoản thanh toán của bạn đến quá muộn',
    overpaid: 'Bạn đã trả nhiều hơn số phải trả',
  },
  otherCoin: 'một đồng tiền khác',
  received: {
    wrong_asset: (coins, wanted) =>
      `Chúng tôi đã nhận ${coins}, nhưng khoản thanh toán này yêu cầu ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Chúng tôi đã nhận ${coins}.` : `Chúng tôi đã nhận ${coins}, trị giá ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Chúng tôi đã nhận ${coins} sau khi hết thời gian thanh toán.`
        : `Chúng tôi đã nhận ${coins}, trị ` + `giá ${value}, sau khi hết thời gian thanh toán.`,
    second_payment: coins => `Chúng tôi đã nhận ${coins}, nhưng đơn hàng này đã được thanh toán.`,
    order_closed: coins => `Chúng tôi đã nhận ${coins}, nhưng đơn hàng này đã đóng.`,
    too_late: coins => `Chúng tôi đã nhận ${coins} rất lâu sau khi hết thời gian thanh toán.`,
    overpaid: (coins, due) => `Chúng tôi đã nhận ${coins}, nhưng chỉ cần trả ${due}.`,
  },
  notLost: shop => `Khoản thanh toán của bạn đã được ghi nhận và ${shop} đã được thông báo.`,
  contact: shop => `Liên hệ ${shop}`,
  contactForRefund: contact => `${contact} để được hoàn tiền hoặc nếu bạn có câu hỏi.`,
  refundAddress: network => `Địa chỉ hoàn tiền trên ${network}`,
  optional: '(không bắt buộc)',
  saveAddress: 'Lưu địa chỉ hoàn tiền',
  wrongAddress: 'Nếu sai, hãy liên hệ cửa hàng.',
}
