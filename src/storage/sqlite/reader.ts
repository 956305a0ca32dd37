import type { Database, Statement } from 'bun:sqlite'

/**
 * The connection for reads. Each read is a transaction, so that all its queries see the same state. Reads run
 * one after another: SQLite blocks this thread anyway, and a transaction shared by several reads would be
 * stale for the later ones.
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
    if (!this.#busy) return this.#run(run)
    return new Promise<void>(resolve => this.#waiting.push(resolve)).then(() => this.#run(run))
  }

  async #run<T>(run: () => Promise<T>): Promise<T> {
    this.#busy = true
    try {
      this.#begin.run()
      return await run()
    } finally {
      this.#end()
    }
  }

  /**
   * Ends a read. Passes the connection directly to the next waiting read, so that a new one cannot overtake
   * it.
   */
  #end(): void {
    try {
      // There may be no transaction any more after an I/O error.
      if (this.database.inTransaction) this.#commit.run()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy = false
    }
  }

  /** Waits for all reads that were requested before, then closes the connection. */
  async close(): Promise<void> {
    await this.read(async () => {})
    this.#begin.finalize()
    this.#commit.finalize()
    this.database.close()
  }
}
