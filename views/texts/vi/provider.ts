import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Thanh toán bằng ${method}`,
  waiting: method => `Đang chờ ${method}`,
  otherTab:
    'Hãy hoàn tất thanh toán trong tab kia. Trang này tự động cập nhật vài phút sau khi bạn thanh ' +
    'toán. Sau khi thanh toán, bạn có thể đóng trang này; đơn hàng vẫn sẽ được đánh dấu là đã ' +
    'thanh toán.',
  openAgain: method => `Mở lại ${method}`,
  unconfirmed: method => `${method} chưa xác nhận khoản thanh toán.`,
  incomplete: 'Thanh toán chưa đủ',
  tooLittle: method =>
    `Số tiền nhận được qua ${method} không đủ cho đơn hàng này. Vui lòng liên hệ cửa hàng trước ` +
    'khi thanh toán lại.',
  nothingMore: 'Không có thêm khoản nào đến.',
}
