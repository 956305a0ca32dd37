import { CATALOGUE_FRESH_MS } from '../domain/catalogue.ts'
import { Refusal } from '../domain/errors.ts'
import { type Provider, ProviderFault } from '../providers/port.ts'
import type { Tables } from '../storage/port.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 3600_000

/** What a provider tells, and where it is kept. */
interface Kept<T> {
  /** for the log */
  name: string
  find(tables: Tables, provider: Provider): Promise<T | null>
  ask(provider: Provider, now: number): Promise<T>
  put(tables: Tables, told: T): Promise<void>
}

/** `force` asks again within the hour. */
export type ReadKept<T> = (world: World, provider: Provider, force?: boolean) => Promise<T>

/**
 * What a provider tells: at most an hour old, older (up to a day) only while it does not answer. Concurrent
 * misses share one request. Refuses with provider_unavailable when there is nothing to serve.
 */
export function keepFresh<T extends { fetchedAt: number }>({ name, find, ask, put }: Kept<T>): ReadKept<T> {
  const flights = new WeakMap<Provider, Promise<T>>()

  async function fetchKept(world: World, provider: Provider): Promise<T> {
    const told = await ask(provider, world.clock())
    await world.storage.write(tables => put(tables, told))
    return told
  }

  function fetchOnce(world: World, provider: Provider): Promise<T> {
    const flying = flights.get(provider)
    if (flying !== undefined) return flying
    const flight = fetchKept(world, provider).finally(() => flights.delete(provider))
    flights.set(provider, flight)
    return flight
  }

  return async (world, provider, force = false) => {
    const kept = await world.storage.read(tables => find(tables, provider))
    const age = kept ? world.clock() - kept.fetchedAt : Number.POSITIVE_INFINITY
    if (kept && !force && age < CATALOGUE_FRESH_MS) return kept
    try {
      return await fetchOnce(world, provider)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      world.log.warn({ provider: provider.id, fault: error.message }, `the ${name} could not be fetched`)
      if (kept && age < DAY_MS) return kept
      throw new Refusal('provider_unavailable')
    }
  }
}
