import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Виправте виділені поля.',
  email: 'Електронна пошта',
  name: 'Ім’я',
  optional: '(необов’язково)',
  price: 'Ваша ціна',
  amount: 'Сума',
  currency: 'Валюта',
  howToPay: 'Як ви хочете оплатити?',
  continue: 'Перейти до оплати',
  errors: {
    email: 'Введіть адресу електронної пошти, наприклад sam@example.com.',
    fullName: 'Введіть ім’я довжиною до 128 символів.',
    paymentMethodKey: 'Виберіть, як ви хочете оплатити.',
    amount: example => `Введіть цифрами суму, більшу за нуль, наприклад ${example}.`,
    amountIn: (currency, example) =>
      `Введіть цифрами суму в ${currency}, більшу за нуль, наприклад ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Введіть цифрами суму в ${currency}, більшу за нуль і без дробової частини, наприклад ${example}.`,
    currency: 'Виберіть валюту.',
    tooLittle: 'Цей спосіб оплати недоступний для цієї суми. Виберіть інший спосіб або іншу суму.',
  },
}
