import type { Amount } from './money.ts'

/** A card, bank or wallet method of a provider's catalogue. */
export interface ProviderMethod {
  key: string
  name: string
  minimum: { amount: Amount; currency: string } | null
  /** the only currencies that it takes; null for any */
  currencies: string[] | null
}

export interface Catalogue {
  provider: string
  methods: ProviderMethod[]
  fetchedAt: number
}

/** A coin that a provider gives addresses for. */
export interface ProviderCoin {
  assetId: string
  /** what the provider does not forward below, in whole coins: a decimal text */
  minimum: string
}

export interface CoinCatalogue {
  provider: string
  coins: ProviderCoin[]
  fetchedAt: number
}

export const CATALOGUE_FRESH_MS = 3600_000
