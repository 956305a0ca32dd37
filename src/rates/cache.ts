import type { Log } from '../domain/log.ts'
import { USABLE_MS } from './compute-rate.ts'
import type { RateTable } from './rate-table.ts'
import { BackoffError } from './request.ts'

const FRESH_MS = 60_000
/** The first pause after a source asked for one without its length; it doubles each time. */
const BACKOFF_MS = 60_000
const BACKOFF_DOUBLINGS_MAX = 4
/** The longest pause, whatever the source asks for. */
const BACKOFF_MAX_MS = 3600_000

export interface FetchedTable {
  table: RateTable
  /** milliseconds since 1970 UTC */
  fetchedAt: number
}

export interface RateCache {
  /** The present table if it need not be fetched again. */
  fresh(): FetchedTable | null
  /** The present table; null if none was fetched in the last five minutes. Never throws. */
  latest(): Promise<FetchedTable | null>
  /** Fetches the table again, unless the source asked for a pause. Never throws. */
  refresh(): Promise<void>
}

/** Caches the last table of one source. Concurrent callers share one request. */
export function cacheRates(
  name: string,
  read: () => Promise<RateTable>,
  now: () => number,
  log: Log,
): RateCache {
  let cached: FetchedTable | null = null
  let pending: Promise<void> | null = null
  let lastReason: string | null = null
  let backoff = { from: 0, ms: 0 }
  let refusals = 0

  // A clock that was set back makes nothing fresh.
  const isWithin = (at: number, ms: number): boolean => now() >= at && now() - at < ms

  function logChange(reason: string | null): void {
    if (reason === lastReason) return
    lastReason = reason
    if (reason === null) log.info({ source: name }, 'rates.source.recovered')
    else log.warn({ source: name, reason }, 'rates.source.failed')
  }

  function backOff({ retryAfterMs }: BackoffError): void {
    const defaultMs = BACKOFF_MS * 2 ** Math.min(refusals, BACKOFF_DOUBLINGS_MAX)
    if (retryAfterMs === null) refusals += 1
    backoff = { from: now(), ms: Math.min(retryAfterMs ?? defaultMs, BACKOFF_MAX_MS) }
  }

  async function fetchTable(): Promise<void> {
    const fetchedAt = now()
    try {
      const table = await read()
      cached = { table, fetchedAt }
      refusals = 0
      logChange(table.problems.join('; ') || null)
    } catch (error) {
      if (error instanceof BackoffError) backOff(error)
      logChange(error instanceof Error ? error.message : String(error))
    }
  }

  async function refresh(): Promise<void> {
    if (isWithin(backoff.from, backoff.ms)) return
    pending ??= fetchTable().finally(() => {
      pending = null
    })
    await pending
  }

  const fresh = (): FetchedTable | null =>
    cached !== null && isWithin(cached.fetchedAt, FRESH_MS) ? cached : null

  async function latest(): Promise<FetchedTable | null> {
    if (fresh() === null) await refresh()
    return cached !== null && isWithin(cached.fetchedAt, USABLE_MS + 1) ? cached : null
  }

  return { fresh, latest, refresh }
}
