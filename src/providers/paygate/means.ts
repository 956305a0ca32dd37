import type { PaymentMeans } from '../../domain/catalogue.ts'

const CARD: readonly PaymentMeans[] = ['card']
const PHONES: readonly PaymentMeans[] = ['card', 'applepay', 'googlepay']

/** The means of payment of each provider in the gateway's catalogue, which does not list them. */
const meansOfProviders: Record<string, readonly PaymentMeans[]> = {
  alchemypay: PHONES,
  banxa: [...PHONES, 'bank'],
  binance: ['account', 'card'],
  bitnovo: CARD,
  blockchaincom: ['card', 'bank'],
  cashapp: ['cashapp'],
  changenow: CARD,
  coinbase: ['card', 'applepay', 'bank'],
  cryptix: CARD,
  cryptocom: CARD,
  finchpay: CARD,
  guardarian: [...PHONES, 'bank'],
  ideal: ['ideal'],
  interac: ['interac'],
  itez: CARD,
  kado: ['bank', 'card'],
  klarna: ['klarna'],
  kryptonim: PHONES,
  mercuryo: PHONES,
  moonpay: [...PHONES, 'bank'],
  particle: CARD,
  paybis: PHONES,
  paypal: ['paypal'],
  rampnetwork: [...PHONES, 'bank'],
  revolut: ['revolut'],
  robinhood: ['account'],
  sardine: ['card', 'bank'],
  simpleswap: CARD,
  simplex: ['card', 'applepay'],
  stripe: ['card', 'applepay', 'bank'],
  swipelux: PHONES,
  switchere: CARD,
  topper: PHONES,
  transak: [...PHONES, 'bank'],
  transfi: ['bank', 'card'],
  unlimit: [...PHONES, 'pix'],
  upi: ['upi'],
  utorg: PHONES,
  wert: PHONES,
  werteur: PHONES,
}

const known = new Map(Object.entries(meansOfProviders))

/** The means of payment of a method. Providers that are not listed take cards, as nearly all do. */
export const meansOf = (methodKey: string): readonly PaymentMeans[] => known.get(methodKey) ?? CARD
