import type { Database } from 'bun:sqlite'

interface Waiting {
  run(): Promise<unknown>
  resolve(value: never): void
  reject(reason: unknown): void
}

/**
 * The single writer with group commit: all writes that wait are run, each in a savepoint of its own, inside
 * one transaction, and each is answered only after the commit has reached the disk. One failing write undoes
 * only itself.
 */
export class Writer {
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null

  constructor(private readonly database: Database) {}

  write<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: never) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that requests that arrived together share a commit.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0))
    this.#running = null
  }

  async #commit(batch: Waiting[]): Promise<void> {
    const answers: (() => void)[] = []
    try {
      this.database.run('BEGIN IMMEDIATE')
      for (const waiting of batch) answers.push(await this.#attempt(waiting))
      this.database.run('COMMIT')
    } catch (error) {
      if (this.database.inTransaction) this.database.run('ROLLBACK')
      for (const waiting of batch) waiting.reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  async #attempt({ run, resolve, reject }: Waiting): Promise<() => void> {
    this.database.run('SAVEPOINT work')
    try {
      const value = await run()
      this.database.run('RELEASE work')
      return () => resolve(value as never)
    } catch (error) {
      // An error such as a full disk has ended the whole transaction already.
      if (!this.database.inTransaction) throw error
      this.database.run('ROLLBACK TO work')
      this.database.run('RELEASE work')
      return () => reject(error)
    }
  }
}
