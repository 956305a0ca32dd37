import type { Database, Statement } from 'bun:sqlite'

/**
 * One connection that reads. Each piece of work is one transaction, so that all its queries see the same
 * state. They run one after another: queries run on this thread in any case, and a transaction that serves
 * several at once would either be stale for the later ones or never end under load.
 */
export class Reader {
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #waiting: (() => void)[] = []
  #busy = false

  constructor(private readonly database: Database) {
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
  }

  read<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#busy) return this.#take(run)
    return new Promise<void>(resolve => this.#waiting.push(resolve)).then(() => this.#take(run))
  }

  async #take<T>(run: () => Promise<T>): Promise<T> {
    this.#busy = true
    try {
      this.#begin.run()
      return await run()
    } finally {
      this.#end()
    }
  }

  /** Whoever ends hands the connection over to the next, so that nobody comes between. */
  #end(): void {
    try {
      // A failing disk ends the transaction by itself.
      if (this.database.inTransaction) this.#commit.run()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy = false
    }
  }

  /** Waits for the work that was handed in before, then closes the connection. */
  async close(): Promise<void> {
    await this.read(async () => {})
    this.#begin.finalize()
    this.#commit.finalize()
    this.database.close()
  }
}
