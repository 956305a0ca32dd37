import type { Amount } from './money.ts'

/** Means of payment that buyers recognize. */
export type PaymentMeans =
  | 'card'
  | 'applepay'
  | 'googlepay'
  | 'bank'
  | 'paypal'
  | 'revolut'
  | 'upi'
  | 'pix'
  | 'interac'
  | 'ideal'
  | 'klarna'
  | 'cashapp'
  | 'account'

/** A provider's payment method: a card, a bank, an e-wallet. */
export interface MethodTerms {
  key: string
  name: string
  /** accepted means of payment, most usual first; missing if unknown */
  means?: readonly PaymentMeans[]
  /** the least amount; null for any */
  minimum: { amount: Amount; currency: string } | null
  /** the least amounts of orders in some currencies, by currency: `minimum` is for all others */
  minimums?: Readonly<Record<string, Amount>>
  /** currencies of orders that the method accepts; null for any */
  currencies: string[] | null
}

/** A method of a provider's catalogue, and how its payments reach the merchant. */
export interface ProviderMethod extends MethodTerms {
  capability: 'charge' | 'forwarding'
}

export interface Catalogue {
  provider: string
  methods: ProviderMethod[]
  fetchedAt: number
}

/** A coin that a provider opens addresses for. */
export interface ProviderCoin {
  assetId: string
  /** least amount that the provider forwards, in whole coins, as a decimal string */
  minimum: string
}

export interface CoinCatalogue {
  provider: string
  coins: ProviderCoin[]
  fetchedAt: number
}

export const CATALOGUE_FRESH_MS = 3600_000
