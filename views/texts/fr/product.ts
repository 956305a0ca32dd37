import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Veuillez corriger les champs en surbrillance.',
  email: 'E-mail',
  name: 'Nom',
  optional: '(facultatif)',
  price: 'Votre prix',
  amount: 'Montant',
  currency: 'Devise',
  howToPay: 'Comment souhaitez-vous payer ?',
  continue: 'Continuer vers le paiement',
  errors: {
    email: 'Saisissez une adresse e-mail, par exemple sam@example.com.',
    fullName: 'Saisissez un nom de 128 caractères au maximum.',
    paymentMethodKey: 'Choisissez comment vous souhaitez payer.',
    amount: example => `Saisissez un montant supérieur à zéro en chiffres, par exemple ${example}.`,
    amountIn: (currency, example) =>
      `Saisissez un montant en ${currency} supérieur à zéro en chiffres, par exemple ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Saisissez un montant en ${currency} supérieur à zéro en chiffres, sans décimales, par ` +
      `exemple ${example}.`,
    currency: 'Choisissez une devise.',
    tooLittle:
      'Ce moyen de paiement n’est pas disponible pour ce montant. Choisissez un autre moyen de ' +
      'paiement ou un autre montant.',
  },
}
