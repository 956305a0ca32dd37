import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Biên lai',
  titleOf: shop => `Biên lai từ ${shop}`,
  show: 'Xem biên lai',
  paidOn: 'Thanh toán lúc',
  order: 'Đơn hàng',
  item: 'Mặt hàng',
  thisOrder: reference => `Đơn hàng ${reference}`,
  amount: 'Số tiền',
  total: 'Tổng cộng',
  refunded: date => `Đã hoàn tiền vào ${date}`,
  afterRefunds: 'Tổng cộng sau khi hoàn tiền',
  payment: 'Thanh toán',
  paidWith: 'Phương thức',
  received: 'Đã nhận',
  rate: 'Tỷ giá',
  transaction: 'Giao dịch',
  byMerchant: shop => `${shop} đã đánh dấu đơn hàng này là đã thanh toán.`,
  print: 'In hoặc lưu dưới dạng PDF',
  backToOrder: 'Quay lại đơn hàng',
  sandbox: 'Thanh toán thử trong môi trường thử nghiệm. Không có tiền thật nào được trả.',
}
