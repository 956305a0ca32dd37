import type { Catalogue, CoinCatalogue } from '../../domain/catalogue.ts'
import type { ChosenEndpoint } from '../../domain/endpoint.ts'
import type { StoredMailServer } from '../../domain/mail-server.ts'
import type { ProviderAccount } from '../../domain/merchant.ts'
import type { Outage } from '../../domain/outage.ts'

/** Endpoints that operators chose in the dashboard. */
export interface ChosenEndpoints {
  /** Lists the endpoints by chain, and in the chosen order for each chain. */
  list(): Promise<ChosenEndpoint[]>
  /** Inserts or replaces an endpoint. */
  put(endpoint: ChosenEndpoint): Promise<void>
  /** Returns false if there is no such endpoint. */
  remove(id: string): Promise<boolean>
}

export interface ChosenRateSources {
  /** Lists the names of the chosen sources, oldest first. */
  list(): Promise<string[]>
  /** Adds a source. Returns false if it was already chosen. */
  add(name: string, at: number): Promise<boolean>
  /** Removes a source. Returns false if it was not chosen. */
  remove(name: string): Promise<boolean>
}

/** The mail server that an operator entered in the dashboard. */
export interface ChosenMailServers {
  find(): Promise<StoredMailServer | null>
  /** Inserts the mail server, or replaces the former one. */
  put(server: StoredMailServer): Promise<void>
  /** Removes the mail server. Returns false if there is none. */
  remove(): Promise<boolean>
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
  /** Lists the accounts of all merchants. */
  list(): Promise<ProviderAccount[]>
  /** Lists the accounts of a merchant, by the provider's ID. */
  listOf(merchantId: string): Promise<ProviderAccount[]>
  find(merchantId: string, provider: string): Promise<ProviderAccount | null>
  /** Inserts or replaces a merchant's account with a provider. */
  put(account: ProviderAccount): Promise<void>
  /** Returns false if the merchant has no account with the provider. */
  remove(merchantId: string, provider: string): Promise<boolean>
}

/** Lightning invoices that were shown to buyers, of all merchants. */
export interface LightningInvoices {
  /** Stores that a payment hash belongs to an attempt. Returns false if the hash is already stored. */
  take(paymentHash: string, attemptId: string): Promise<boolean>
}
