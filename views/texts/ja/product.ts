import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: '強調表示された項目を修正してください。',
  email: 'メールアドレス',
  name: 'お名前',
  optional: '（任意）',
  price: 'お支払い額',
  amount: '金額',
  currency: '通貨',
  howToPay: 'お支払い方法をお選びください',
  continue: 'お支払いに進む',
  errors: {
    email: 'メールアドレスを入力してください（例：sam@example.com）。',
    fullName: 'お名前は128文字以内で入力してください。',
    paymentMethodKey: 'お支払い方法を選択してください。',
    amount: example => `0より大きい金額を数字で入力してください（例：${example}）。`,
    amountIn: (currency, example) =>
      `0より大きい${currency}の金額を数字で入力してください（例：${example}）。`,
    amountWithoutDecimals: (currency, example) =>
      `0より大きい${currency}の金額を小数なしの数字で入力してください（例：${example}）。`,
    currency: '通貨を選択してください。',
    tooLittle: 'このお支払い方法はこの金額ではご利用いただけません。別の方法または金額を選択してください。',
  },
}
