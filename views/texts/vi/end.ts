import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Đã thanh toán',
  paidCoins: (amount, shop) => `Bạn đã trả ${amount} cho ${shop}.`,
  paidWith: (shop, method) => `Bạn đã thanh toán cho ${shop} bằng ${method}.`,
  paidShop: shop => `Bạn đã thanh toán cho ${shop}.`,
  thanks: 'Cảm ơn bạn!',
  refundedTitle: 'Đã hoàn tiền',
  refunded: (amount, shop) => `${shop} đã hoàn lại ${amount}.`,
  expired: 'Đơn hàng này đã hết hạn',
  contactFirst: shop => `Hãy liên hệ ${shop} trước khi thanh toán lại.`,
  notInTime: 'Đơn hàng không được thanh toán kịp thời.',
  maybePaid: 'Nếu bạn đã thanh toán, đừng đặt hàng lại: khoản thanh toán của bạn vẫn sẽ được phát hiện.',
  orderAgain: 'Nếu chưa, hãy quay lại cửa hàng và đặt hàng lại.',
  cancelled: 'Đơn hàng này đã bị hủy',
  notCharged: 'Bạn chưa bị trừ tiền.',
  failed: 'Thanh toán thất bại',
  declined: 'Nhà cung cấp thanh toán đã từ chối thanh toán. Hãy quay lại cửa hàng và đặt hàng lại.',
  blocked: 'Không thể thanh toán',
  notAccepted: shop => `${shop} không thể nhận khoản thanh toán này.`,
  haveQuestions: shop => `Hãy liên hệ ${shop} nếu bạn có câu hỏi.`,
}
