import type { Catalogue, CoinCatalogue } from '../../domain/catalogue.ts'
import type { ProviderAccount } from '../../domain/provider-account.ts'

export interface Catalogues {
  find(provider: string): Promise<Catalogue | null>
  put(catalogue: Catalogue): Promise<void>
}

export interface CoinCatalogues {
  find(provider: string): Promise<CoinCatalogue | null>
  put(catalogue: CoinCatalogue): Promise<void>
}

export interface ProviderAccounts {
  find(merchantId: string, provider: string): Promise<ProviderAccount | null>
  /** Stores the account, in place of the one that the merchant had with the provider. */
  put(account: ProviderAccount): Promise<void>
}
