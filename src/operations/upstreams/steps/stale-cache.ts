import { CATALOGUE_FRESH_MS } from '../../../domain/catalogue.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Provider, ProviderError } from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

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
type ReadCached<T> = (context: Context, provider: Provider, force?: boolean) => Promise<T>

/**
 * What a provider tells: at most an hour old, older (up to a day) only while it does not answer. Concurrent
 * misses share one request. Refuses with provider_unavailable when there is nothing to serve.
 */
export function readThroughCache<T extends { fetchedAt: number }>({
  name,
  find,
  ask,
  put,
}: Kept<T>): ReadCached<T> {
  const flights = new WeakMap<Provider, Promise<T>>()

  async function fetchKept(context: Context, provider: Provider): Promise<T> {
    const told = await ask(provider, context.clock())
    await context.storage.write(tables => put(tables, told))
    return told
  }

  function fetchOnce(context: Context, provider: Provider): Promise<T> {
    const flying = flights.get(provider)
    if (flying) return flying
    const flight = fetchKept(context, provider).finally(() => flights.delete(provider))
    flights.set(provider, flight)
    return flight
  }

  return async (context, provider, force = false) => {
    const kept = await context.storage.read(tables => find(tables, provider))
    const age = kept ? context.clock() - kept.fetchedAt : Number.POSITIVE_INFINITY
    if (kept && !force && age < CATALOGUE_FRESH_MS) return kept
    try {
      return await fetchOnce(context, provider)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      context.log.warn({ provider: provider.id, fault: error.message }, `the ${name} could not be fetched`)
      if (kept && age < DAY_MS) return kept
      throw new Refusal('provider_unavailable')
    }
  }
}
