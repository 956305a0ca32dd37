import type { Log } from '../domain/log.ts'
import type { RateTable } from './rate-file.ts'

const FRESH_MS = 60_000
/** After this an old table is no table. */
const USABLE_MS = 5 * 60_000

export interface Seen {
  table: RateTable
  at: number
}

export interface RateCache {
  name: string
  /** The present table; null when none of the last five minutes is to be had. Never throws. */
  latest(): Promise<Seen | null>
  /** Asks the source anew, whatever is known. Never throws. */
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

  function tell(fault: string | null): void {
    if (fault === lastFault) return
    lastFault = fault
    if (fault === null) log.info({ source: name }, 'A source of exchange rates is well again.')
    else log.warn({ source: name, fault }, 'A source of exchange rates is at fault.')
  }

  async function ask(): Promise<void> {
    const at = now()
    try {
      const table = await read()
      seen = { table, at }
      tell(table.faults.join('; ') || null)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  async function latest(): Promise<Seen | null> {
    if (seen === null || now() - seen.at >= FRESH_MS) await refresh()
    return seen !== null && now() - seen.at <= USABLE_MS ? seen : null
  }

  return { name, latest, refresh }
}
