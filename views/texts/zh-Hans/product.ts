import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: '请更正标出的内容。',
  email: '电子邮箱',
  name: '姓名',
  optional: '（选填）',
  price: '您的价格',
  amount: '金额',
  currency: '货币',
  howToPay: '您想如何付款？',
  continue: '继续付款',
  errors: {
    email: '请输入电子邮箱地址，例如 sam@example.com。',
    fullName: '请输入姓名，最多 128 个字符。',
    paymentMethodKey: '请选择付款方式。',
    amount: example => `请用数字输入大于零的金额，例如 ${example}。`,
    amountIn: (currency, example) => `请用数字输入大于零的 ${currency} 金额，例如 ${example}。`,
    amountWithoutDecimals: (currency, example) =>
      `请用数字输入大于零的 ${currency} 金额，不含小数，例如 ${example}。`,
    currency: '请选择货币。',
    tooLittle: '此付款方式不适用于此金额。请选择其他方式或金额。',
  },
}
