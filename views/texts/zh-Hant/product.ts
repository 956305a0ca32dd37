import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: '請更正標示的欄位。',
  email: '電子郵件',
  name: '姓名',
  optional: '（選填）',
  price: '您的價格',
  amount: '金額',
  currency: '貨幣',
  howToPay: '您想如何付款？',
  continue: '繼續付款',
  errors: {
    email: '請輸入電子郵件地址，例如 sam@example.com。',
    fullName: '請輸入姓名，最多 128 個字元。',
    paymentMethodKey: '請選擇付款方式。',
    amount: example => `請以數字輸入大於零的金額，例如 ${example}。`,
    amountIn: (currency, example) => `請以數字輸入大於零的 ${currency} 金額，例如 ${example}。`,
    amountWithoutDecimals: (currency, example) =>
      `請以數字輸入大於零的 ${currency} 金額，不含小數，例如 ${example}。`,
    currency: '請選擇貨幣。',
    tooLittle: '此付款方式不適用於此金額。請選擇其他方式或金額。',
  },
}
