import type { Catalogue, CoinCatalogue, ProviderMethod } from '../../../domain/catalogue.ts'
import type { Provider } from '../../../providers/port.ts'
import { readThroughCache } from './stale-cache.ts'

export type { CacheContext as CatalogueContext } from './stale-cache.ts'

/** The methods of a provider, each with the capability that takes its payments. Throws ProviderError. */
export async function fetchMethods({ charge, forwarding }: Provider): Promise<ProviderMethod[]> {
  const [charged = [], forwarded = []] = await Promise.all([charge?.methods(), forwarding?.methods()])
  return [
    ...charged.map(method => ({ ...method, capability: 'charge' as const })),
    ...forwarded.map(method => ({ ...method, capability: 'forwarding' as const })),
  ]
}

/** Reads a provider's cards, banks and e-wallets, from the cache or from the provider. */
export const fetchCatalogue = readThroughCache<Catalogue, 'catalogues'>({
  table: 'catalogues',
  event: 'provider.catalogue.unavailable',
  find: (tables, { id }) => tables.catalogues.find(id),
  fetch: async (provider, now) => ({
    provider: provider.id,
    methods: await fetchMethods(provider),
    fetchedAt: now,
  }),
  put: (tables, catalogue) => tables.catalogues.put(catalogue),
})

/** Reads the coins for which a provider opens addresses, from the cache or from the provider. */
export const fetchCoins = readThroughCache<CoinCatalogue, 'coinCatalogues'>({
  table: 'coinCatalogues',
  event: 'provider.coins.unavailable',
  find: (tables, { id }) => tables.coinCatalogues.find(id),
  fetch: async (provider, now) => ({
    provider: provider.id,
    coins: (await provider.forwarding?.coins()) ?? [],
    fetchedAt: now,
  }),
  put: (tables, catalogue) => tables.coinCatalogues.put(catalogue),
})
