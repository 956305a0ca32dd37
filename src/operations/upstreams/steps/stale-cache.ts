import { CATALOGUE_FRESH_MS } from '../../../domain/catalogue.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Provider, ProviderError } from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const DAY_MS = 24 * 3600_000

export type CacheContext = Pick<Context, 'storage' | 'clock' | 'log'>

/** What is fetched from a provider, and where it is stored. */
interface CacheOptions<T> {
  /** the log's name for a fetch that failed */
  event: string
  find(tables: Tables, provider: Provider): Promise<T | null>
  fetch(provider: Provider, now: number): Promise<T>
  put(tables: Tables, fetched: T): Promise<void>
}

/** `force` fetches again within the hour. */
type ReadCached<T> = (context: CacheContext, provider: Provider, force?: boolean) => Promise<T>

/**
 * Reads what a provider offers: at most an hour old, or up to a day old while the provider is unavailable.
 * Concurrent misses share one request. Refuses with provider_unavailable if there is nothing to read.
 */
export function readThroughCache<T extends { fetchedAt: number }>({
  event,
  find,
  fetch,
  put,
}: CacheOptions<T>): ReadCached<T> {
  const requests = new WeakMap<Provider, Promise<T>>()

  async function fetchAndStore({ storage, clock }: CacheContext, provider: Provider): Promise<T> {
    const fetched = await fetch(provider, clock())
    await storage.write(tables => put(tables, fetched))
    return fetched
  }

  function fetchOnce(context: CacheContext, provider: Provider): Promise<T> {
    const running = requests.get(provider)
    if (running !== undefined) return running
    const request = fetchAndStore(context, provider).finally(() => requests.delete(provider))
    requests.set(provider, request)
    return request
  }

  return async (context, provider, force = false) => {
    const stored = await context.storage.read(tables => find(tables, provider))
    const age = stored ? context.clock() - stored.fetchedAt : Number.POSITIVE_INFINITY
    if (stored && !force && age < CATALOGUE_FRESH_MS) return stored
    try {
      return await fetchOnce(context, provider)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      context.log.warn({ provider: provider.id, reason: error.message }, event)
      if (stored && age < DAY_MS) return stored
      throw new Refusal('provider_unavailable')
    }
  }
}
