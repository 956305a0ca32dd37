import type { Catalogue, CoinCatalogue } from '../../domain/catalogue.ts'
import type { ProviderAccount } from '../../domain/provider-account.ts'

export interface Catalogues {
  find(provider: string): Promise<Catalogue | null>
  /** Inserts or replaces the catalogue of a provider. */
  put(catalogue: Catalogue): Promise<void>
}

export interface CoinCatalogues {
  find(provider: string): Promise<CoinCatalogue | null>
  /** Inserts or replaces the catalogue of a provider. */
  put(catalogue: CoinCatalogue): Promise<void>
}

export interface ProviderAccounts {
  find(merchantId: string, provider: string): Promise<ProviderAccount | null>
  /** Inserts or replaces the account that a merchant has with a provider. */
  put(account: ProviderAccount): Promise<void>
}
