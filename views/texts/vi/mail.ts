import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Đơn hàng của bạn tại ${shop}`,
  opened: 'Bạn đã bắt đầu thanh toán đơn hàng này. Hãy dùng liên kết bên dưới để quay lại.',
  paid: shop => `${shop} đã nhận được khoản thanh toán của bạn. Cảm ơn bạn.`,
  ignore: 'Nếu bạn không đặt đơn hàng này, hãy bỏ qua email này.',
}
