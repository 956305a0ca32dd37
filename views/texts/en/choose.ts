import { plural } from '../plural.ts'

/** The choice of payment methods, on the page of an order and of a product. */
export const choose = {
  title: 'Choose how to pay',
  byProvider: 'Card, bank transfer or digital wallet',
  crypto: 'Crypto',
  card: 'Card',
  bank: 'Bank transfer',
  through: (provider: string) => `through ${provider}`,
  moreWays: 'More payment methods',
  moreCoins: 'More coins',
  filter: 'Search payment methods',
  noMatch: 'No payment methods found.',
  usual: (fee: string, time: string) => `Network fee usually about ${fee}, takes about ${time}`,
  networks: (count: number) => plural('en', count, { one: `${count} network`, other: `${count} networks` }),
  payWith: (method: string) => `Pay with ${method}`,
  continueTo: (method: string) => `Continue to ${method}`,
  keepPageOpen: (method: string) =>
    `${method} opens in a new tab. Come back to this page to see when your payment has arrived.`,
  handledBy: (company: string) =>
    `${company} handles the payment and pays the shop in crypto. It may ask for ID and add its ` + 'own fee.',
  handledByNamed:
    'The company that you choose handles the payment and pays the shop in crypto. It may ask for ID and ' +
    'add its own fee.',
  back: 'Back to the payment you started',
  noMethod: 'No payment method available',
  nothing: 'No payment method is available right now',
  providerAway: 'The payment provider isn’t responding. Please try again in a few minutes.',
  noneForAmount: 'None of the shop’s payment methods is available for this amount.',
  openUntil: (time: string) => `You can pay this order until ${time}.`,
  cardsAway: 'Card, bank and digital wallet payments aren’t available right now.',
  tryInMinutes: 'Please try again in a few minutes.',
  networksAway: (networks: string) => `We can’t reach ${networks} right now.`,
  otherOrLater: 'Choose another way to pay, or try again in a few minutes.',
  unavailable: (method: string) => `${method} isn’t available`,
  chooseOther: 'You were not charged. Choose another method.',
  declined: (method: string) => `${method} declined the payment`,
  tryAgainOrOther:
    'The payment didn’t go through. If your bank shows a hold, it disappears by itself. Try again, or ' +
    'choose another method.',
}
