/**
 * The transaction of a connection that writes. With SQLite, methods return at once; with PostgreSQL, later.
 */
export interface Transaction {
  begin(): void | Promise<void>
  commit(): void | Promise<void>
  /** Does nothing if no transaction is open. */
  rollBack(): void | Promise<void>
  savepoint(): void | Promise<void>
  release(): void | Promise<void>
  rollBackToSavepoint(): void | Promise<void>
  /** false once an error has ended the transaction */
  isOpen(): boolean
  /**
   * True if the error was not caused by the work itself, so that all work can run again. Called before
   * `rollBack`.
   */
  mayRunAgain?(error: unknown): boolean
  /** true if a statement failed whose answer was not awaited */
  hasFailed?(): boolean
  /** Called when the work of the transaction is done and will not run again. */
  ended?(): void
}

/** Callbacks around the writes of one commit. */
export interface GroupHooks {
  begin(): void
  /** called after each write; `isKept` is false if its changes were rolled back */
  end(isKept: boolean): void
  /** makes the last changes of the transaction */
  beforeCommit(): Promise<void>
  /** `ms` is the duration of the commit, until it was on disk */
  afterCommit(ms: number): void
  close(): void
}

const noHooks: GroupHooks = { begin() {}, end() {}, async beforeCommit() {}, afterCommit() {}, close() {} }

interface PendingWrite {
  run(): Promise<unknown>
  resolve(value: never): void
  reject(reason: unknown): void
}

/**
 * Group commit: all waiting writes run in one transaction, and resolve once the commit is on disk. A write
 * that fails rolls back only its own changes; the others of its group run again.
 */
export class GroupWriter {
  #waiting: PendingWrite[] = []
  #running: Promise<void> | null = null
  #inTransaction = 0
  /** number of writes in the last commit */
  #lastSize = 1

  constructor(
    private readonly transaction: Transaction,
    private readonly hooks: GroupHooks = noHooks,
  ) {}

  write<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: never) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Waits for all writes that were requested before, then closes the writer. */
  async close(): Promise<void> {
    await this.idle()
    this.hooks.close()
  }

  async #drain(): Promise<void> {
    await this.#gather()
    while (this.#waiting.length > 0) await this.#commitAll(this.#waiting.splice(0))
    this.#running = null
  }

  /**
   * Waits one turn of the event loop, so that requests that arrive together share a commit. Waits another
   * turn if the last commit had more writes: clients that were answered together do not all return at once.
   */
  async #gather(): Promise<void> {
    await new Promise(setImmediate)
    if (this.#waiting.length < this.#lastSize) await new Promise(setImmediate)
  }

  async #commitAll(batch: PendingWrite[]): Promise<void> {
    this.#inTransaction = batch.length
    this.#lastSize = batch.length
    try {
      const settled = await this.#runAll(batch)
      for (const settle of settled) settle()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#inTransaction = 0
      this.transaction.ended?.()
    }
  }

  /** Number of unfinished writes. */
  get load(): number {
    return this.#waiting.length + this.#inTransaction
  }

  async #runAll(batch: PendingWrite[]): Promise<(() => void)[]> {
    for (;;) {
      try {
        return (await this.#runTogether(batch)) ?? (await this.#runApart(batch))
      } catch (error) {
        const mayRunAgain = this.transaction.mayRunAgain?.(error) === true
        await this.transaction.rollBack()
        if (!mayRunAgain) throw error
      }
    }
  }

  async #start(): Promise<void> {
    await this.transaction.begin()
    this.hooks.begin()
  }

  async #finish(): Promise<void> {
    await this.hooks.beforeCommit()
    const startedAt = performance.now()
    await this.transaction.commit()
    this.hooks.afterCommit(performance.now() - startedAt)
  }

  /** Runs writes without savepoints, which are slow. Returns null if one of several writes fails. */
  async #runTogether(batch: PendingWrite[]): Promise<(() => void)[] | null> {
    const settled: (() => void)[] = []
    await this.#start()
    for (const { run, resolve } of batch) {
      try {
        const value = await run()
        settled.push(() => resolve(value as never))
        this.hooks.end(true)
      } catch (error) {
        if (batch.length === 1 || this.transaction.mayRunAgain?.(error)) throw error
        await this.transaction.rollBack()
        return null
      }
    }
    try {
      await this.#finish()
    } catch (error) {
      // If the writes run apart, the one that sent the failed statement can be found.
      if (batch.length === 1 || !this.transaction.hasFailed?.()) throw error
      if (this.transaction.mayRunAgain?.(error)) throw error
      await this.transaction.rollBack()
      return null
    }
    return settled
  }

  /** Runs writes again, each in a savepoint, so that failing writes change nothing. */
  async #runApart(batch: PendingWrite[]): Promise<(() => void)[]> {
    const settled: (() => void)[] = []
    await this.#start()
    for (const waiting of batch) settled.push(await this.#attempt(waiting))
    await this.#finish()
    return settled
  }

  async #attempt({ run, resolve, reject }: PendingWrite): Promise<() => void> {
    const { transaction, hooks } = this
    await transaction.savepoint()
    try {
      const value = await run()
      await transaction.release()
      hooks.end(true)
      return () => resolve(value as never)
    } catch (error) {
      // Some errors, such as a full disk, end the whole transaction.
      if (!transaction.isOpen() || transaction.mayRunAgain?.(error)) throw error
      await transaction.rollBackToSavepoint()
      hooks.end(false)
      return () => reject(error)
    }
  }
}
