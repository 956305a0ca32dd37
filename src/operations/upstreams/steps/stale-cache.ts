import { CATALOGUE_FRESH_MS } from '../../../domain/catalogue.ts'
import { isWithin } from '../../../domain/clock.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Provider, ProviderError } from '../../../providers/port.ts'
import type { KeptTable, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const DAY_MS = 24 * 3600_000

export type CacheContext = Pick<Context, 'storage' | 'clock' | 'log'>

/** Source and storage of a cached value. */
interface CacheOptions<T, Name extends KeptTable> {
  /** the log event of a failed fetch */
  event: string
  table: Name
  find(tables: Pick<Tables, Name>, provider: Provider): Promise<T | null>
  fetch(provider: Provider, now: number): Promise<T>
  put(tables: Tables, fetched: T): Promise<void>
}

/**
 * Reads a cached value. With `force`, fetches it again even if it is less than an hour old, and fails if the
 * provider does not answer.
 */
type ReadCached<T> = (context: CacheContext, provider: Provider, force?: boolean) => Promise<T>

const NOT_STORED = 'provider.catalogue.not_stored'
/** Forced fetches within this time of the last one repeat its outcome. */
const FORCED_PAUSE_MS = 10_000

/** The time of the last forced fetch from each provider, and whether it failed. */
const forcedFetches = new WeakMap<Provider, Map<object, { at: number; failed: boolean }>>()

/** Lets the next forced fetch ask this provider. */
export const forgetForcedFetches = (provider: Provider): boolean => forcedFetches.delete(provider)

/**
 * Returns a function that reads what a provider offers. The value is at most an hour old, or up to a day old
 * while the provider is unavailable. Concurrent misses share one request. Refuses with provider_unavailable
 * if there is nothing to read.
 */
export function readThroughCache<T extends { fetchedAt: number }, Name extends KeptTable>({
  event,
  table,
  find,
  fetch,
  put,
}: CacheOptions<T, Name>): ReadCached<T> {
  const requests = new WeakMap<Provider, Promise<T>>()
  /** The latest fetched value: a row that was read meanwhile may be older. */
  const newest = new WeakMap<Provider, T>()

  async function fetchAndStore({ storage, clock, log }: CacheContext, provider: Provider): Promise<T> {
    const fetched = await fetch(provider, clock())
    newest.set(provider, fetched)
    // A failed write is ignored: the value can be shown while the disk is full.
    await storage
      .write(tables => put(tables, fetched))
      .catch(error => log.warn({ provider: provider.id, table, error: String(error) }, NOT_STORED))
    return fetched
  }

  async function findNewest({ storage }: CacheContext, provider: Provider): Promise<T | null> {
    const stored = await storage.remember([table], `${table} ${provider.id}`, tables =>
      find(tables, provider),
    )
    const own = newest.get(provider)
    return own && own.fetchedAt > (stored?.fetchedAt ?? 0) ? own : stored
  }

  function fetchOnce(context: CacheContext, provider: Provider): Promise<T> {
    const running = requests.get(provider)
    if (running !== undefined) return running
    const request = fetchAndStore(context, provider).finally(() => requests.delete(provider))
    requests.set(provider, request)
    return request
  }

  /** Fetches the value. On failure, logs why the provider is unavailable and returns null. */
  async function tryFetch(context: CacheContext, provider: Provider): Promise<T | null> {
    try {
      return await fetchOnce(context, provider)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      context.log.warn({ provider: provider.id, reason: error.message }, event)
      return null
    }
  }

  /** Fetches by force, or repeats the outcome of a recent forced fetch. */
  async function forceFetch(context: CacheContext, provider: Provider): Promise<T | null> {
    const outcomes = forcedFetches.get(provider) ?? new Map()
    const last = outcomes.get(requests)
    if (last && isWithin(FORCED_PAUSE_MS, last.at, context.clock())) {
      return last.failed ? null : findNewest(context, provider)
    }
    const fetched = await tryFetch(context, provider)
    forcedFetches.set(provider, outcomes.set(requests, { at: context.clock(), failed: fetched === null }))
    return fetched
  }

  return async (context, provider, force = false) => {
    const stored = force ? null : await findNewest(context, provider)
    const now = context.clock()
    if (stored && isWithin(CATALOGUE_FRESH_MS, stored.fetchedAt, now)) return stored
    const usable = stored && isWithin(DAY_MS, stored.fetchedAt, now) ? stored : null
    const fetched = force ? forceFetch(context, provider) : tryFetch(context, provider)
    const found = (await fetched) ?? usable
    if (!found) throw new Refusal('provider_unavailable')
    return found
  }
}
