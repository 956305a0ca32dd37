import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'נא לתקן את השדות המסומנים.',
  email: 'דוא״ל',
  name: 'שם',
  optional: '(לא חובה)',
  price: 'המחיר שלך',
  amount: 'סכום',
  currency: 'מטבע',
  howToPay: 'איך לשלם?',
  continue: 'המשך לתשלום',
  errors: {
    email: 'נא להזין כתובת דוא״ל, למשל sam@example.com.',
    fullName: 'נא להזין שם באורך של עד 128 תווים.',
    paymentMethodKey: 'נא לבחור איך לשלם.',
    amount: example => `נא להזין סכום גדול מאפס בספרות, למשל ${example}.`,
    amountIn: (currency, example) => `נא להזין סכום ב-${currency} גדול מאפס בספרות, למשל ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `נא להזין סכום ב-${currency} גדול מאפס בספרות וללא שברים, למשל ${example}.`,
    currency: 'נא לבחור מטבע.',
    tooLittle: 'אמצעי התשלום הזה אינו זמין לסכום הזה. נא לבחור אמצעי אחר או סכום אחר.',
  },
}
