import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Vui lòng sửa các ô được đánh dấu.',
  email: 'Email',
  name: 'Tên',
  optional: '(không bắt buộc)',
  price: 'Giá của bạn',
  amount: 'Số tiền',
  currency: 'Loại tiền',
  howToPay: 'Bạn muốn thanh toán thế nào?',
  continue: 'Tiếp tục thanh toán',
  errors: {
    email: 'Nhập địa chỉ email, ví dụ sam@example.com.',
    fullName: 'Nhập tên dài tối đa 128 ký tự.',
    paymentMethodKey: 'Chọn cách bạn muốn thanh toán.',
    amount: example => `Nhập số tiền lớn hơn 0 bằng chữ số, ví dụ ${example}.`,
    amountIn: (currency, example) => `Nhập số tiền bằng ${currency} lớn hơn 0 bằng chữ số, ví dụ ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Nhập số tiền bằng ${currency} lớn hơn 0 bằng chữ số, không có phần thập phân, ví dụ ${example}.`,
    currency: 'Chọn loại tiền.',
    tooLittle:
      'Phương thức thanh toán này không dùng được cho số tiền này. Hãy chọn phương thức hoặc số tiền khác.',
  },
}
