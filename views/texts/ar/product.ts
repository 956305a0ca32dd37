import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'يُرجى تصحيح الحقول المميّزة.',
  email: 'البريد الإلكتروني',
  name: 'الاسم',
  optional: '(اختياري)',
  price: 'السعر الذي تحدده',
  amount: 'المبلغ',
  currency: 'العملة',
  howToPay: 'كيف تريد أن تدفع؟',
  continue: 'المتابعة إلى الدفع',
  errors: {
    email: 'أدخل عنوان بريد إلكتروني، مثل sam@example.com.',
    fullName: 'أدخل اسمًا لا يزيد على 128 حرفًا.',
    paymentMethodKey: 'اختر طريقة الدفع.',
    amount: example => `أدخل مبلغًا أكبر من صفر بالأرقام، مثل ${example}.`,
    amountIn: (currency, example) => `أدخل مبلغًا بعملة ${currency} أكبر من صفر بالأرقام، مثل ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `أدخل مبلغًا بعملة ${currency} أكبر من صفر بالأرقام ومن دون كسور، مثل ${example}.`,
    currency: 'اختر عملة.',
    tooLittle: 'طريقة الدفع هذه غير متاحة لهذا المبلغ. اختر طريقة أخرى أو مبلغًا آخر.',
  },
}
