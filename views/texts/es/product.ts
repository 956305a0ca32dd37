import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Corrija los campos resaltados.',
  email: 'Correo electrónico',
  name: 'Nombre',
  optional: '(opcional)',
  price: 'Su precio',
  amount: 'Importe',
  currency: 'Moneda',
  howToPay: '¿Cómo quiere pagar?',
  continue: 'Continuar al pago',
  errors: {
    email: 'Introduzca una dirección de correo electrónico, como sam@example.com.',
    fullName: 'Introduzca un nombre de 128 caracteres como máximo.',
    paymentMethodKey: 'Elija cómo quiere pagar.',
    amount: example => `Introduzca un importe mayor que cero en cifras, como ${example}.`,
    amountIn: (currency, example) =>
      `Introduzca un importe en ${currency} mayor que cero en cifras, como ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Introduzca un importe en ${currency} mayor que cero en cifras y sin decimales, como ${example}.`,
    currency: 'Elija una moneda.',
    tooLittle: 'Este método de pago no está disponible para este importe. Elija otro método u otro importe.',
  },
}
