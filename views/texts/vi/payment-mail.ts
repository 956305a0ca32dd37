import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Đã nhận một phần khoản thanh toán của bạn',
  left: (left, total) =>
    `Còn phải trả ${left} trong tổng số ${total}. Bạn có thể trả phần còn lại bằng bất kỳ cách nào ` +
    'mà cửa hàng hỗ trợ.',
  payRest: 'Trả phần còn lại',
  vanished: 'Khoản thanh toán của bạn không còn trên mạng lưới',
  refund: 'Khoản hoàn tiền của bạn',
  recorded: (shop, amount) => `${shop} đã ghi nhận khoản hoàn tiền ${amount} cho đơn hàng của bạn.`,
  refundedTotal: 'Tổng số đã hoàn',
  sentApart: shop => `${shop} gửi tiền cho bạn riêng. Nếu tiền không đến, hãy liên hệ cửa hàng.`,
  sentBack: 'Nhà cung cấp thanh toán mà bạn đã dùng sẽ gửi lại tiền.',
  decides: 'Cửa hàng quyết định việc hoàn tiền.',
  leaveAddress: 'Nếu muốn nhận lại tiền, bạn có thể để lại địa chỉ hoàn tiền trên trang đơn hàng.',
  worth: 'Giá trị',
  why: shop => `Bạn nhận được email này vì địa chỉ này đã được cung cấp cho một đơn hàng tại ${shop}.`,
}
