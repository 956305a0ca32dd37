/** The page of a product. */
export const product = {
  fixFields: 'Please fix the highlighted fields.',
  email: 'Email',
  name: 'Name',
  optional: '(optional)',
  price: 'Your price',
  amount: 'Amount',
  currency: 'Currency',
  howToPay: 'How do you want to pay?',
  continue: 'Continue to payment',
  errors: {
    email: 'Enter an email address, such as sam@example.com.',
    fullName: 'Enter a name with at most 128 characters.',
    paymentMethodKey: 'Choose how you want to pay.',
    amount: (example: string) => `Enter an amount above zero in digits, such as ${example}.`,
    amountIn: (currency: string, example: string) =>
      `Enter an amount in ${currency} above zero in digits, such as ${example}.`,
    amountWithoutDecimals: (currency: string, example: string) =>
      `Enter an amount in ${currency} above zero in digits, such as ${example}, without decimals.`,
    currency: 'Choose a currency.',
    tooLittle: 'This payment method isn’t available for this amount. Choose another method or amount.',
  },
}
