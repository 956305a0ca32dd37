import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Lütfen işaretli alanları düzeltin.',
  email: 'E-posta',
  name: 'Ad',
  optional: '(isteğe bağlı)',
  price: 'Fiyatınız',
  amount: 'Tutar',
  currency: 'Para birimi',
  howToPay: 'Nasıl ödemek istiyorsunuz?',
  continue: 'Ödemeye devam et',
  errors: {
    email: 'Bir e-posta adresi girin, örneğin sam@example.com.',
    fullName: 'En çok 128 karakterlik bir ad girin.',
    paymentMethodKey: 'Nasıl ödemek istediğinizi seçin.',
    amount: example => `Sıfırdan büyük bir tutarı rakamla girin, örneğin ${example}.`,
    amountIn: (currency, example) =>
      `${currency} cinsinden sıfırdan büyük bir tutarı rakamla girin, örneğin ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `${currency} cinsinden sıfırdan büyük bir tutarı rakamla ve ondalıksız girin, örneğin ${example}.`,
    currency: 'Bir para birimi seçin.',
    tooLittle: 'Bu ödeme yöntemi bu tutar için kullanılamıyor. Başka bir yöntem veya tutar seçin.',
  },
}
