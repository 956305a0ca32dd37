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
}
