import type { Log } from '../domain/log.ts'
import { USABLE_MS } from './compute-rate.ts'
import type { RateTable } from './rate-table.ts'
import { RestNeeded } from './request.ts'

const FRESH_MS = 60_000
/** Where a source does not tell how long it is to be left alone: twice as long each time. */
const REST_MS = 60_000
const REST_DOUBLINGS_MAX = 4
/** However long it says. */
const REST_MAX_MS = 3600_000

interface Seen {
  table: RateTable
  at: number
}

interface RateCache {
  /** The present table; null when none of the last five minutes is to be had. Never throws. */
  latest(): Promise<Seen | null>
  /** Asks the source anew, unless it is to be left alone. Never throws. */
  refresh(): Promise<void>
}

/** Keeps the last table of one source. Callers at the same time share one question. */
export function cacheRates(
  name: string,
  read: () => Promise<RateTable>,
  now: () => number,
  log: Log,
): RateCache {
  let seen: Seen | null = null
  let asking: Promise<void> | null = null
  let lastFault: string | null = null
  let rest = { from: 0, ms: 0 }
  let refusals = 0

  // A clock that was set back makes nothing fresh.
  const isWithin = (at: number, ms: number): boolean => now() >= at && now() - at < ms

  function tell(fault: string | null): void {
    if (fault === lastFault) return
    lastFault = fault
    if (fault === null) log.info({ source: name }, 'A source of exchange rates is well again.')
    else log.warn({ source: name, fault }, 'A source of exchange rates is at fault.')
  }

  function leaveAlone({ restMs }: RestNeeded): void {
    const unasked = REST_MS * 2 ** Math.min(refusals, REST_DOUBLINGS_MAX)
    if (restMs === null) refusals += 1
    rest = { from: now(), ms: Math.min(restMs ?? unasked, REST_MAX_MS) }
  }

  async function ask(): Promise<void> {
    const at = now()
    try {
      const table = await read()
      seen = { table, at }
      refusals = 0
      tell(table.faults.join('; ') || null)
    } catch (error) {
      if (error instanceof RestNeeded) leaveAlone(error)
      tell(error instanceof Error ? error.message : String(error))
    }
  }

  async function refresh(): Promise<void> {
    if (isWithin(rest.from, rest.ms)) return
    asking ??= ask().finally(() => {
      asking = null
    })
    await asking
  }

  async function latest(): Promise<Seen | null> {
    if (seen === null || !isWithin(seen.at, FRESH_MS)) await refresh()
    return seen !== null && isWithin(seen.at, USABLE_MS + 1) ? seen : null
  }

  return { latest, refresh }
}
