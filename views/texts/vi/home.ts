import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Thanh toán qua Florin',
  what: 'Máy chủ này nhận thanh toán cho các cửa hàng trực tuyến.',
  buyers: 'Bạn đến đây để thanh toán? Hãy mở liên kết mà cửa hàng đã gửi.',
  developers: 'Bạn quản lý máy chủ này hoặc một cửa hàng? Tài liệu API hướng dẫn cách tạo đơn hàng.',
  sandbox:
    'Đây là môi trường thử nghiệm: để dùng thử, hãy tạo đơn hàng và mở trang thanh toán của đơn. ' +
    'Bạn có thể trả bằng thẻ và tiền thử nghiệm.',
  reference: 'Tài liệu API',
}
