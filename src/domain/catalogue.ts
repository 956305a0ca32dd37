import type { Amount } from './money.ts'

/** What buyers know that they pay with. */
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

/** What a buyer can pay an order with at a provider: a card, a bank, an e-wallet. */
export interface MethodTerms {
  key: string
  name: string
  /** what a buyer pays with there, the most usual first; missing where that is not known */
  means?: readonly PaymentMeans[]
  minimum: { amount: Amount; currency: string } | null
  /** the only currencies of orders that it takes; null for any */
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
  /** the provider does not forward less than this: whole coins, as a decimal string */
  minimum: string
}

export interface CoinCatalogue {
  provider: string
  coins: ProviderCoin[]
  fetchedAt: number
}

export const CATALOGUE_FRESH_MS = 3600_000
