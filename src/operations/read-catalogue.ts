import { CATALOGUE_FRESH_MS, type Catalogue } from '../domain/catalogue.ts'
import { Refusal } from '../domain/errors.ts'
import { type Provider, ProviderFault } from '../providers/port.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 3600_000

const flights = new WeakMap<Provider, Promise<Catalogue>>()

/**
 * A provider's methods: at most an hour old, older (up to a day) only while it does not answer. Concurrent
 * misses share one request. Refuses with provider_unavailable when there is nothing to serve.
 */
export async function readCatalogue(world: World, provider: Provider, force = false): Promise<Catalogue> {
  const kept = await world.storage.read(tables => tables.catalogues.find(provider.id))
  const age = kept ? world.clock() - kept.fetchedAt : Number.POSITIVE_INFINITY
  if (kept && !force && age < CATALOGUE_FRESH_MS) return kept
  try {
    return await fetchOnce(world, provider)
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    world.log.warn({ provider: provider.id, fault: error.message }, 'the catalogue could not be fetched')
    if (kept && age < DAY_MS) return kept
    throw new Refusal('provider_unavailable')
  }
}

function fetchOnce(world: World, provider: Provider): Promise<Catalogue> {
  const flying = flights.get(provider)
  if (flying) return flying
  const flight = fetchCatalogue(world, provider).finally(() => flights.delete(provider))
  flights.set(provider, flight)
  return flight
}

async function fetchCatalogue(world: World, provider: Provider): Promise<Catalogue> {
  const methods = await provider.methods()
  const catalogue = { provider: provider.id, methods, fetchedAt: world.clock() }
  await world.storage.write(tables => tables.catalogues.put(catalogue))
  return catalogue
}
