import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Bitte korrigieren Sie die markierten Felder.',
  email: 'E-Mail',
  name: 'Name',
  optional: '(optional)',
  price: 'Ihr Preis',
  amount: 'Betrag',
  currency: 'Währung',
  howToPay: 'Wie möchten Sie bezahlen?',
  continue: 'Weiter zur Zahlung',
  errors: {
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel sam@example.com.',
    fullName: 'Geben Sie einen Namen mit höchstens 128 Zeichen ein.',
    paymentMethodKey: 'Wählen Sie aus, wie Sie bezahlen möchten.',
    amount: example => `Geben Sie einen Betrag über null in Ziffern ein, zum Beispiel ${example}.`,
    amountIn: (currency, example) =>
      `Geben Sie einen Betrag in ${currency} über null in Ziffern ein, zum Beispiel ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Geben Sie einen Betrag in ${currency} über null in Ziffern und ohne Nachkommastellen ein, ` +
      `zum Beispiel ${example}.`,
    currency: 'Wählen Sie eine Währung aus.',
    tooLittle:
      'Diese Zahlungsart ist für diesen Betrag nicht verfügbar. Wählen Sie eine andere Zahlungsart ' +
      'oder einen anderen Betrag.',
  },
}
