import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Chọn cách thanh toán',
  byProvider: 'Thẻ, chuyển khoản ngân hàng hoặc ví điện tử',
  crypto: 'Tiền mã hóa',
  card: 'Thẻ',
  bank: 'Chuyển khoản ngân hàng',
  through: provider => `qua ${provider}`,
  moreWays: 'Cách thanh toán khác',
  moreCoins: 'Đồng tiền khác',
  filter: 'Tìm cách thanh toán',
  noMatch: 'Không có cách thanh toán nào phù hợp.',
  usual: (fee, time) => `Phí mạng thường khoảng ${fee}, thời gian khoảng ${time}`,
  networks: count =>
    plural('vi', count, {
      other: `${count} mạng`,
    }),
  payWith: method => `Thanh toán bằng ${method}`,
  continueTo: method => `Tiếp tục đến ${method}`,
  keepPageOpen: method =>
    `${method} mở trong tab mới. Hãy quay lại trang này để xem khi nào khoản thanh toán của bạn đến.`,
  handledBy: company =>
    `${company} xử lý khoản thanh toán và trả cho cửa hàng bằng tiền mã hóa. Có thể cần giấy tờ ` +
    'tùy thân và có thêm phí riêng.',
  handledByNamed:
    'Công ty được nêu tên xử lý khoản thanh toán và trả cho cửa hàng bằng tiền mã hóa. Có thể ' +
    'cần giấy tờ tùy thân và có thêm phí riêng.',
  back: 'Quay lại khoản thanh toán bạn đã bắt đầu',
  noMethod: 'Không có phương thức',
  nothing: 'Hiện không có phương thức thanh toán nào',
  providerAway: 'Nhà cung cấp thanh toán không phản hồi. Vui lòng thử lại sau vài phút.',
  noneForAmount: 'Không có phương thức thanh toán nào của cửa hàng dùng được cho số tiền này.',
  openUntil: time => `Đơn hàng này còn mở đến ${time}.`,
  cardsAway: 'Hiện không thể thanh toán bằng thẻ, ngân hàng hoặc ví điện tử.',
  tryInMinutes: 'Vui lòng thử lại sau vài phút.',
  networksAway: networks => `Hiện chúng tôi không kết nối được với ${networks}.`,
  otherOrLater: 'Hãy chọn cách thanh toán khác hoặc thử lại sau vài phút.',
  unavailable: method => `${method} hiện không dùng được`,
  chooseOther: 'Bạn chưa bị trừ tiền. Hãy chọn phương thức khác.',
  declined: method => `${method} đã từ chối thanh toán`,
  tryAgainOrOther:
    'Thanh toán không thành công. Nếu ngân hàng của bạn hiển thị khoản tạm giữ, khoản đó sẽ tự được giải ' +
    'tỏa. Hãy thử lại hoặc chọn phương thức khác.',
}
