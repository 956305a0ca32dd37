import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Correggi i campi evidenziati.',
  email: 'E-mail',
  name: 'Nome',
  optional: '(facoltativo)',
  price: 'Il tuo prezzo',
  amount: 'Importo',
  currency: 'Valuta',
  howToPay: 'Come vuoi pagare?',
  continue: 'Continua con il pagamento',
  errors: {
    email: 'Inserisci un indirizzo e-mail, ad esempio sam@example.com.',
    fullName: 'Inserisci un nome di al massimo 128 caratteri.',
    paymentMethodKey: 'Scegli come vuoi pagare.',
    amount: example => `Inserisci un importo maggiore di zero in cifre, ad esempio ${example}.`,
    amountIn: (currency, example) =>
      `Inserisci un importo in ${currency} maggiore di zero in cifre, ad esempio ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Inserisci un importo in ${currency} maggiore di zero in cifre e senza decimali, ad esempio ` +
      `${example}.`,
    currency: 'Scegli una valuta.',
    tooLittle:
      'Questo metodo di pagamento non è disponibile per questo importo. Scegli un altro metodo o ' +
      'un altro importo.',
  },
}
