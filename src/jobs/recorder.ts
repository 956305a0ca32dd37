import type { ClaimedJob } from '../domain/job.ts'
import type { Context, Tables } from '../operations/context.ts'
import { type Result, table } from './table.ts'

type Storage = Pick<Context['storage'], 'write' | 'clockAhead'>

interface EndedJobs {
  jobs: ClaimedJob[]
  results: ReadonlyMap<string, Result>
  resolve(): void
  reject(reason: unknown): void
}

const keyOf = ({ kind, subject }: ClaimedJob): string => `${kind} ${subject}`

/** Max writes at once: while one write is stored, the next one can already wait for its turn. */
const WRITES_MAX = 2

/**
 * Stores what jobs did and when they are due again. Jobs that end at about the same time share a write, which
 * stores each outcome together with the end of its job.
 */
export class Recorder {
  #waiting: EndedJobs[] = []
  #writes = 0
  /** jobs whose outcome is not stored yet */
  readonly #unstored = new Map<string, Promise<unknown>>()

  constructor(private readonly storage: Storage) {}

  /** Resolves once the outcome is stored. */
  record(jobs: ClaimedJob[], results: ReadonlyMap<string, Result>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ jobs, results, resolve, reject })
    if (this.#writes < WRITES_MAX) void this.#drain()
    for (const job of jobs) this.#keep(keyOf(job), promise)
    return promise
  }

  #keep(key: string, storing: Promise<void>): void {
    const ended = storing
      .catch(() => {})
      .finally(() => {
        if (this.#unstored.get(key) === ended) this.#unstored.delete(key)
      })
    this.#unstored.set(key, ended)
  }

  /** Resolves once the earlier outcomes of these jobs are stored, or have failed to be stored. */
  async stored(jobs: readonly ClaimedJob[]): Promise<void> {
    await Promise.all(jobs.map(job => this.#unstored.get(keyOf(job))))
  }

  async #drain(): Promise<void> {
    this.#writes++
    try {
      // Waits for jobs that end in the same turn of the event loop.
      await new Promise(setImmediate)
      // Each write takes only the jobs that ended before the write began: on PostgreSQL, a write does not see
      // claims that were made after it began.
      while (this.#waiting.length > 0) await this.#writeAll(this.#waiting.splice(0))
    } finally {
      this.#writes--
    }
  }

  async #writeAll(batch: EndedJobs[]): Promise<void> {
    try {
      await this.storage.write(async tables => {
        for (const ended of batch) await this.#store(tables, ended)
      })
      for (const ended of batch) announce(ended)
    } catch (error) {
      await this.#writeEach(batch, error)
    }
  }

  /**
   * Stores each outcome in its own write, so that one outcome that cannot be stored does not hold back
   * others.
   */
  async #writeEach(batch: EndedJobs[], error: unknown): Promise<void> {
    if (batch.length === 1) batch[0]?.reject(error)
    else
      for (const ended of batch)
        await this.storage
          .write(tables => this.#store(tables, ended))
          .then(() => announce(ended), ended.reject)
  }

  /** Stores what jobs did. Due times by this machine's clock are converted to the database's clock. */
  async #store(tables: Tables, { jobs, results }: EndedJobs): Promise<void> {
    const ahead = this.storage.clockAhead()
    for (const job of jobs) {
      const result = results.get(job.subject) ?? null
      const next = result instanceof Object ? await result.record(tables) : result
      const { repeatedPriority } = table[job.kind]
      await tables.jobs.finish(job, next && next + ahead, repeatedPriority?.(job.priority ?? 0))
    }
  }
}

function announce({ results, resolve }: EndedJobs): void {
  for (const result of results.values()) if (result instanceof Object) result.onStored()
  resolve()
}
