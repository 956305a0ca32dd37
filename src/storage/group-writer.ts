/** The transaction of the only connection that writes. SQLite answers at once, a server later. */
export interface Transaction {
  begin(): void | Promise<void>
  commit(): void | Promise<void>
  /** does nothing if no transaction is open */
  rollBack(): void | Promise<void>
  savepoint(): void | Promise<void>
  release(): void | Promise<void>
  rollBackToSavepoint(): void | Promise<void>
  /** false once an error has ended it */
  isOpen(): boolean
  /** Whether all work can run again: it did not fail for a reason of its own. Asked before `rollBack`. */
  mayRunAgain?(error: unknown): boolean
  /** whether a statement has failed that was not waited for */
  hasFailed?(): boolean
  /** called once no work will run again */
  ended?(): void
}

/** What happens around the writes of one commit. */
export interface GroupHooks {
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
 * Group commit: all waiting writes run in one transaction, and resolve once the commit is on disk. A write
 * that fails rolls back only itself; the others of its group run again.
 */
export class GroupWriter {
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null
  #inTransaction = 0
  /** how many writes shared the last commit */
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

  /** Waits for the writes that were requested before. */
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
   * Waits for one turn of the event loop, so that requests that arrive together share a commit, and for one
   * more if the last commit had more of them: clients that were answered together do not come back at once.
   */
  async #gather(): Promise<void> {
    await new Promise(setImmediate)
    if (this.#waiting.length < this.#lastSize) await new Promise(setImmediate)
  }

  async #commitAll(batch: Waiting[]): Promise<void> {
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

  /** How many writes have not ended. */
  get load(): number {
    return this.#waiting.length + this.#inTransaction
  }

  async #runAll(batch: Waiting[]): Promise<(() => void)[]> {
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
  async #runTogether(batch: Waiting[]): Promise<(() => void)[] | null> {
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
      // Which of the writes sent the statement is seen when they run apart.
      if (batch.length === 1 || !this.transaction.hasFailed?.()) throw error
      if (this.transaction.mayRunAgain?.(error)) throw error
      await this.transaction.rollBack()
      return null
    }
    return settled
  }

  /** Runs writes again, each in a savepoint, so that those that fail change nothing. */
  async #runApart(batch: Waiting[]): Promise<(() => void)[]> {
    const settled: (() => void)[] = []
    await this.#start()
    for (const waiting of batch) settled.push(await this.#attempt(waiting))
    await this.#finish()
    return settled
  }

  async #attempt({ run, resolve, reject }: Waiting): Promise<() => void> {
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
