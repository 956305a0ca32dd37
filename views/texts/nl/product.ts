import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Corrigeer de gemarkeerde velden.',
  email: 'E-mail',
  name: 'Naam',
  optional: '(optioneel)',
  price: 'Jouw prijs',
  amount: 'Bedrag',
  currency: 'Valuta',
  howToPay: 'Hoe wil je betalen?',
  continue: 'Verder naar betalen',
  errors: {
    email: 'Vul een e-mailadres in, zoals sam@example.com.',
    fullName: 'Vul een naam van maximaal 128 tekens in.',
    paymentMethodKey: 'Kies hoe je wilt betalen.',
    amount: example => `Vul een bedrag boven nul in cijfers in, zoals ${example}.`,
    amountIn: (currency, example) =>
      `Vul een bedrag in ${currency} boven nul in cijfers in, zoals ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Vul een bedrag in ${currency} boven nul in cijfers en zonder decimalen in, zoals ${example}.`,
    currency: 'Kies een valuta.',
    tooLittle:
      'Deze betaalmethode is niet beschikbaar voor dit bedrag. Kies een andere methode of een ander bedrag.',
  },
}
