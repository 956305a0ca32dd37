import type { ClaimedJob } from '../domain/job.ts'
import type { Context, Tables } from '../operations/context.ts'
import { type Result, table } from './table.ts'

type Storage = Pick<Context['storage'], 'write'>

interface Ended {
  jobs: ClaimedJob[]
  results: ReadonlyMap<string, Result>
  resolve(): void
  reject(reason: unknown): void
}

/**
 * Stores what jobs did and when they are due again. Jobs that end at about the same time share a write, in
 * which each outcome is stored together with the end of its job.
 */
export class Recorder {
  #waiting: Ended[] = []

  constructor(private readonly storage: Storage) {}

  /** Resolves once the outcome is stored. */
  record(jobs: ClaimedJob[], results: ReadonlyMap<string, Result>): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (this.#waiting.push({ jobs, results, resolve, reject }) === 1) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    let batch: Ended[] | null = null
    const take = (): Ended[] => {
      // The write may run again, and then stores the same.
      batch ??= this.#waiting.splice(0)
      return batch
    }
    try {
      await this.storage.write(async tables => {
        for (const ended of take()) await store(tables, ended)
      })
      for (const ended of take()) announce(ended)
    } catch (error) {
      await this.#writeEach(take(), error)
    }
  }

  /** One outcome that cannot be stored does not keep back the others. */
  async #writeEach(batch: Ended[], error: unknown): Promise<void> {
    if (batch.length === 1) batch[0]?.reject(error)
    else
      for (const ended of batch)
        await this.storage.write(tables => store(tables, ended)).then(() => announce(ended), ended.reject)
  }
}

async function store(tables: Tables, { jobs, results }: Ended): Promise<void> {
  for (const job of jobs) {
    const result = results.get(job.subject) ?? null
    const next = result instanceof Object ? await result.record(tables) : result
    const { repeatedPriority } = table[job.kind]
    await tables.jobs.finish(job, next, repeatedPriority?.(job.priority ?? 0))
  }
}

function announce({ results, resolve }: Ended): void {
  for (const result of results.values()) if (result instanceof Object) result.onStored()
  resolve()
}
