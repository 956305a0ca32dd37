import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Исправьте выделенные поля.',
  email: 'Электронная почта',
  name: 'Имя',
  optional: '(необязательно)',
  price: 'Ваша цена',
  amount: 'Сумма',
  currency: 'Валюта',
  howToPay: 'Как вы хотите оплатить?',
  continue: 'Перейти к оплате',
  errors: {
    email: 'Введите адрес электронной почты, например sam@example.com.',
    fullName: 'Введите имя длиной до 128 символов.',
    paymentMethodKey: 'Выберите, как вы хотите оплатить.',
    amount: example => `Введите цифрами сумму больше нуля, например ${example}.`,
    amountIn: (currency, example) => `Введите цифрами сумму в ${currency} больше нуля, например ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Введите цифрами сумму в ${currency} больше нуля и без дробной части, например ${example}.`,
    currency: 'Выберите валюту.',
    tooLittle: 'Этот способ оплаты недоступен для этой суммы. Выберите другой способ или другую сумму.',
  },
}
