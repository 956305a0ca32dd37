import type { Database, Statement } from 'bun:sqlite'

/** What happens around the writes of one commit. */
interface GroupHooks {
  begin(): void
  /** after each write: its changes stay, or are rolled back */
  end(isKept: boolean): void
  /** the last writes of the transaction */
  beforeCommit(): Promise<void>
  /** `ms` is how long the commit took, until it was on disk */
  afterCommit(ms: number): void
  close(): void
}

const noHooks: GroupHooks = { begin() {}, end() {}, async beforeCommit() {}, afterCommit() {}, close() {} }

interface Waiting {
  run(): Promise<unknown>
  resolve(value: never): void
  reject(reason: unknown): void
}

/**
 * The only connection that writes, with group commit: all waiting writes run in one transaction, each in its
 * own savepoint, and resolve once the commit is on disk. A write that fails rolls back only itself.
 */
export class Writer {
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null

  readonly #begin: Statement
  readonly #commit: Statement
  readonly #savepoint: Statement
  readonly #release: Statement

  constructor(
    private readonly database: Database,
    private readonly hooks: GroupHooks = noHooks,
  ) {
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#savepoint = database.prepare('SAVEPOINT work')
    this.#release = database.prepare('RELEASE work')
  }

  write<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: never) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Waits for the writes that were requested before. */
  async close(): Promise<void> {
    await this.idle()
    this.hooks.close()
  }

  async #drain(): Promise<void> {
    // Waits for one turn of the event loop, so that requests that arrive together share a commit.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) await this.#commitAll(this.#waiting.splice(0))
    this.#running = null
  }

  async #commitAll(batch: Waiting[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      this.#begin.run()
      this.hooks.begin()
      for (const waiting of batch) settled.push(await this.#attempt(waiting))
      await this.hooks.beforeCommit()
      const startedAt = performance.now()
      this.#commit.run()
      this.hooks.afterCommit(performance.now() - startedAt)
    } catch (error) {
      if (this.database.inTransaction) this.database.run('ROLLBACK')
      for (const waiting of batch) waiting.reject(error)
      return
    }
    for (const settle of settled) settle()
  }

  async #attempt({ run, resolve, reject }: Waiting): Promise<() => void> {
    this.#savepoint.run()
    try {
      const value = await run()
      this.#release.run()
      this.hooks.end(true)
      return () => resolve(value as never)
    } catch (error) {
      // Some errors, such as a full disk, roll back the whole transaction.
      if (!this.database.inTransaction) throw error
      this.database.run('ROLLBACK TO work')
      this.database.run('RELEASE work')
      this.hooks.end(false)
      return () => reject(error)
    }
  }
}
