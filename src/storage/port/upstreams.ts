import type { Catalogue, CoinCatalogue } from '../../domain/catalogue.ts'
import type { ChosenEndpoint } from '../../domain/endpoint.ts'
import type { Outage } from '../../domain/outage.ts'
import type { ProviderAccount } from '../../domain/provider-account.ts'

/** The endpoints that an operator chose in the dashboard. */
export interface ChosenEndpoints {
  /** All of them, by chain, in their order. */
  list(): Promise<ChosenEndpoint[]>
  /** Inserts an endpoint, or replaces the one with its ID. */
  put(endpoint: ChosenEndpoint): Promise<void>
  /** Returns false if there is none. */
  remove(id: string): Promise<boolean>
}

/** The exchange rate sources that an operator chose in the dashboard. */
export interface ChosenRateSources {
  /** Their names, oldest first. */
  list(): Promise<string[]>
  /** Returns false if it was chosen before. */
  add(name: string, at: number): Promise<boolean>
  /** Returns false if there is none. */
  remove(name: string): Promise<boolean>
}

export interface Outages {
  list(): Promise<Outage[]>
  /** Inserts or replaces the outage of a service. */
  put(outage: Outage): Promise<void>
  remove(id: string): Promise<void>
}

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
