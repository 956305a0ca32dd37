import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Đơn hàng của bạn tại ${shop}`,
  opened: 'Bạn đã mở một khoản thanh toán cho đơn hàng này. Liên kết bên dưới đưa bạn trở lại.',
  paid: shop => `${shop} đã nhận được khoản thanh toán của bạn. Cảm ơn bạn.`,
  ignore: 'Nếu bạn không đặt hàng, hãy bỏ qua email này.',
}
