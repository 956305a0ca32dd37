import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Đã nhận ${received} trong tổng số ${total} · còn ${left}`,
  receivedAll: (received, total) => `Đã nhận ${received} trong tổng số ${total}`,
  awaiting: (amount, shop) => `Số tiền ${amount} đang chờ ${shop} chấp nhận. Tạm thời đừng gửi thêm gì.`,
  awaitingUnknown: shop => `Một khoản thanh toán đang chờ ${shop} chấp nhận. Tạm thời đừng gửi thêm gì.`,
  tooSmall: left =>
    `Số tiền còn lại ${left} quá nhỏ để gửi. Cửa hàng đã được thông báo; bạn không cần gửi thêm gì.`,
  others: 'Các khoản thanh toán khác bạn đã bắt đầu',
  continueWith: name => `Tiếp tục với ${name}`,
  part: received => `Đã nhận ${received}`,
  vanished: amount =>
    `Mạng không còn hiển thị khoản thanh toán ${amount} của bạn. Hãy kiểm tra khoản này trong ví trước ` +
    'khi gửi lại.',
  blind: (network, time) =>
    `Hiện chúng tôi không kết nối được với mạng ${network}. Lần kiểm tra gần nhất: ${time}.`,
  blindAdvice:
    'Nếu bạn đã thanh toán, khoản thanh toán của bạn không bị mất. Đừng thanh toán lại: chúng tôi sẽ tìm ' +
    'thấy khoản đó ngay khi kết nối được với mạng.',
}
