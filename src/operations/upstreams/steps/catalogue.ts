import type { Catalogue, CoinCatalogue } from '../../../domain/catalogue.ts'
import { readThroughCache } from './stale-cache.ts'

/** A provider's card, bank and wallet methods. */
export const fetchCatalogue = readThroughCache<Catalogue>({
  name: 'catalogue',
  find: (tables, { id }) => tables.catalogues.find(id),
  ask: async (provider, now) => ({
    provider: provider.id,
    methods: await provider.methods(),
    fetchedAt: now,
  }),
  put: (tables, catalogue) => tables.catalogues.put(catalogue),
})

/** The coins that a provider gives addresses for. */
export const fetchCoins = readThroughCache<CoinCatalogue>({
  name: 'catalogue of coins',
  find: (tables, { id }) => tables.coinCatalogues.find(id),
  ask: async (provider, now) => ({ provider: provider.id, coins: await provider.coins(), fetchedAt: now }),
  put: (tables, catalogue) => tables.coinCatalogues.put(catalogue),
})
