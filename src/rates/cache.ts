import type { Log } from '../domain/log.ts'
import { USABLE_MS } from './compute-rate.ts'
import type { FetchedTable, RateTable } from './rate-table.ts'
import { BackoffError } from './request.ts'
import { ASKING_MS, askOthers, type SharedTable } from './shared.ts'

const FRESH_MS = 60_000
/**
 * The first pause if a source asks for a pause without saying how long. Each further pause is twice as long.
 */
const BACKOFF_MS = 60_000
const BACKOFF_DOUBLINGS_MAX = 4
/** The longest pause, even if the source asks for a longer one. */
const BACKOFF_MAX_MS = 3600_000

export interface RateCache {
  /** The cached table if it is fresh enough not to be fetched again. */
  fresh(): FetchedTable | null
  /** The latest table; null if none was fetched in the last five minutes. Never throws. */
  latest(): Promise<FetchedTable | null>
  /** Fetches the table again, unless the source asked for a pause. Never throws. */
  refresh(): Promise<void>
}

/** If another server's table is younger than this, it is not fetched again ahead of time. */
const YOUNG_MS = FRESH_MS / 2

interface CacheOptions {
  /** the name of the source */
  name: string
  read: () => Promise<RateTable>
  /** milliseconds since 1970 UTC */
  now: () => number
  log: Log
  /** null if this server is alone */
  shared?: SharedTable | null
}

/** Caches the latest table of one source. Concurrent callers share one request, even across servers. */
export class CachedRates implements RateCache {
  #cached: FetchedTable | null = null
  #pending: Promise<void> | null = null
  #lastReason: string | null = null
  #backoff = { from: 0, ms: 0 }
  #refusals = 0

  constructor(private readonly options: CacheOptions) {}

  fresh(): FetchedTable | null {
    return this.#cachedWithin(FRESH_MS)
  }

  async latest(): Promise<FetchedTable | null> {
    if (this.fresh() === null) await this.#update(FRESH_MS)
    return this.#usable()
  }

  refresh(): Promise<void> {
    return this.#update(YOUNG_MS)
  }

  #usable(): FetchedTable | null {
    return this.#cachedWithin(USABLE_MS + 1)
  }

  #cachedWithin(ms: number): FetchedTable | null {
    return this.#cached !== null && this.#isWithin(this.#cached.fetchedAt, ms) ? this.#cached : null
  }

  /**
   * True if a time is less than `ms` ago. False for a future time: nothing is fresh after the clock was set
   * back.
   */
  #isWithin(at: number, ms: number): boolean {
    const now = this.options.now()
    return now >= at && now - at < ms
  }

  async #update(youngMs: number): Promise<void> {
    if (this.#isWithin(this.#backoff.from, this.#backoff.ms)) return
    this.#pending ??= this.#fetchOnce(youngMs).finally(() => {
      this.#pending = null
    })
    await this.#pending
  }

  /** Uses a table that another server fetched, or asks the source. */
  async #fetchOnce(youngMs: number): Promise<void> {
    const { shared, now } = this.options
    if (shared) {
      const use = (fetched: FetchedTable): boolean => {
        if (this.#cached === null || fetched.fetchedAt > this.#cached.fetchedAt) this.#cached = fetched
        return this.#isWithin(fetched.fetchedAt, youngMs)
      }
      const isDone = askOthers(shared, { now, use, canWait: () => this.#usable() === null })
      if (await isDone.catch(this.#unshared)) return
    }
    await this.#fetch()
  }

  async #fetch(): Promise<void> {
    const { read, now, shared } = this.options
    const fetchedAt = now()
    try {
      const table = await read()
      this.#cached = { table, fetchedAt }
      this.#refusals = 0
      this.#logChange(table.problems.join('; ') || null)
      await shared?.keep(this.#cached).catch(this.#unshared)
    } catch (error) {
      this.#logChange(error instanceof Error ? error.message : String(error))
      if (error instanceof BackoffError) this.#backOff(error)
      // If the source wants a pause, it is made longer than other servers would wait for an answer.
      const pauseMs = error instanceof BackoffError ? Math.max(this.#backoff.ms, 2 * ASKING_MS) : 0
      await shared?.pause(now() + pauseMs).catch(this.#unshared)
    }
  }

  /** Logs that the database failed. Each server then asks the source on its own. */
  #unshared = (error: unknown): false => {
    this.options.log.warn({ source: this.options.name, error: String(error) }, 'rates.not_shared')
    return false
  }

  #logChange(reason: string | null): void {
    if (reason === this.#lastReason) return
    this.#lastReason = reason
    const { log, name: source } = this.options
    if (reason === null) log.info({ source }, 'rates.source.recovered')
    else log.warn({ source, reason }, 'rates.source.failed')
  }

  #backOff({ retryAfterMs }: BackoffError): void {
    const defaultMs = BACKOFF_MS * 2 ** Math.min(this.#refusals, BACKOFF_DOUBLINGS_MAX)
    if (retryAfterMs === null) this.#refusals += 1
    this.#backoff = { from: this.options.now(), ms: Math.min(retryAfterMs ?? defaultMs, BACKOFF_MAX_MS) }
  }
}
