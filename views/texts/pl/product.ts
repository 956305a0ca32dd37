import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Popraw zaznaczone pola.',
  email: 'E-mail',
  name: 'Imię i nazwisko',
  optional: '(opcjonalnie)',
  price: 'Twoja cena',
  amount: 'Kwota',
  currency: 'Waluta',
  howToPay: 'Jak chcesz zapłacić?',
  continue: 'Przejdź do płatności',
  errors: {
    email: 'Wpisz adres e-mail, na przykład sam@example.com.',
    fullName: 'Wpisz imię i nazwisko, najwyżej 128 znaków.',
    paymentMethodKey: 'Wybierz sposób płatności.',
    amount: example => `Wpisz cyframi kwotę większą od zera, na przykład ${example}.`,
    amountIn: (currency, example) =>
      `Wpisz cyframi kwotę w ${currency} większą od zera, na przykład ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Wpisz cyframi kwotę w ${currency} większą od zera, bez miejsc po przecinku, na przykład ${example}.`,
    currency: 'Wybierz walutę.',
    tooLittle: 'Ta metoda płatności nie jest dostępna dla tej kwoty. Wybierz inną metodę lub kwotę.',
  },
}
