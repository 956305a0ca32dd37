import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Không tìm thấy trang',
    notPossible: 'Không thể thực hiện',
    notAvailable: 'Không có sẵn',
    tooMany: 'Quá nhiều yêu cầu',
    providerAway: 'Nhà cung cấp thanh toán không phản hồi',
    other: 'Đã xảy ra lỗi',
  },
  titled: title => `Lỗi: ${title}`,
  notSold: shop => `${shop} không còn bán sản phẩm này.`,
  shopClosed:
    'Cửa hàng này hiện không nhận thanh toán. Nếu bạn đã thanh toán, hãy liên hệ cửa hàng kèm số đơn hàng.',
  checkLink: 'Hãy kiểm tra liên kết hoặc yêu cầu cửa hàng gửi liên kết mới.',
  backToPayment: 'Quay lại thanh toán',
  requestId: 'Mã yêu cầu',
  waitMinute: 'Vui lòng đợi một phút rồi thử lại.',
  wait: seconds =>
    plural('vi', seconds, {
      other: `Quá nhiều yêu cầu. Vui lòng thử lại sau ${seconds} giây.`,
    }),
  shopCannot: 'Cửa hàng hiện không thể nhận đơn hàng này. Hãy thử lại sau hoặc liên hệ cửa hàng.',
  byCode: {
    validation_error:
      'Liên kết hoặc biểu mẫu này không hợp lệ. Hãy quay lại hoặc yêu cầu cửa hàng gửi liên kết mới.',
    not_found: 'Không có trang nào ở địa chỉ này.',
    order_not_payable: 'Không thể thanh toán đơn hàng này nữa. Hãy quay lại cửa hàng và đặt hàng lại.',
    method_not_offered: 'Phương thức thanh toán này không dùng được. Hãy chọn phương thức khác.',
    product_not_available: 'Sản phẩm này không có sẵn. Hãy quay lại cửa hàng và chọn sản phẩm khác.',
    internal_error: 'Vui lòng thử lại. Nếu lỗi lặp lại, hãy liên hệ cửa hàng kèm mã yêu cầu bên dưới.',
    provider_unavailable: 'Vui lòng thử lại sau vài phút.',
  },
  byReason: {
    order_unknown: 'Không có đơn hàng này.',
    product_unknown: 'Không có sản phẩm này.',
    order_paid: 'Đơn hàng này đã được thanh toán.',
    order_cancelled: 'Đơn hàng này đã bị hủy.',
    order_expired: 'Đơn hàng này đã hết hạn. Hãy quay lại cửa hàng và đặt hàng lại.',
    order_failed: 'Thanh toán của đơn hàng này thất bại. Hãy quay lại cửa hàng và đặt hàng lại.',
    coin_not_offered: 'Đồng tiền này hiện không dùng được cho đơn hàng này. Hãy chọn phương thức khác.',
    coin_unsupported: 'Đồng tiền này không còn được hỗ trợ. Hãy liên hệ cửa hàng.',
    nothing_to_refund: 'Không có gì để hoàn tiền. Hãy liên hệ cửa hàng nếu bạn cho rằng đây là nhầm lẫn.',
    address_saved: 'Địa chỉ hoàn tiền đã được lưu. Hãy liên hệ cửa hàng để thay đổi.',
    private_key: 'Đây có vẻ là khóa riêng tư. Đừng bao giờ chia sẻ nó. Hãy nhập một địa chỉ.',
    payment_address: 'Đây là địa chỉ mà bạn gửi tiền thanh toán đến. Hãy nhập địa chỉ trong ví của bạn.',
    payments_open:
      'Bạn đã mở mười khoản thanh toán cho đơn hàng này. Hãy thanh toán một khoản hoặc thử lại sau 30 phút.',
    changed: 'Trang này đã cũ. Hãy tải lại trang rồi thử lại.',
  },
  notAnAddress: network => `Đây không phải là địa chỉ trên ${network}. Hãy sao chép lại từ ví của bạn.`,
}
