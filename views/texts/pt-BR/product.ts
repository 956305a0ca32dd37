import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Corrija os campos destacados.',
  email: 'E-mail',
  name: 'Nome',
  optional: '(opcional)',
  price: 'Seu preço',
  amount: 'Valor',
  currency: 'Moeda',
  howToPay: 'Como você quer pagar?',
  continue: 'Continuar para o pagamento',
  errors: {
    email: 'Digite um endereço de e-mail, como sam@example.com.',
    fullName: 'Digite um nome com no máximo 128 caracteres.',
    paymentMethodKey: 'Escolha como você quer pagar.',
    amount: example => `Digite um valor acima de zero em algarismos, como ${example}.`,
    amountIn: (currency, example) =>
      `Digite um valor em ${currency} acima de zero em algarismos, como ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Digite um valor em ${currency} acima de zero em algarismos e sem decimais, como ${example}.`,
    currency: 'Escolha uma moeda.',
    tooLittle:
      'Esta forma de pagamento não está disponível para este valor. Escolha outra forma de ' +
      'pagamento ou outro valor.',
  },
}
