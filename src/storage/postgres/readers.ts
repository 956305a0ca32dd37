import { type Connection, ConnectionLost } from './connection.ts'
import { requireInTime } from './faults.ts'
import type { Link } from './link.ts'

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

interface Slot<T> {
  link: Link
  use: T
}

/** The connections for reads. Each read is a transaction, so that all its queries see the same state. */
export class Readers<T> {
  readonly #idle: Slot<T>[]
  readonly #waiting: ((slot: Slot<T>) => void)[] = []
  readonly #count: number

  /** `makeUse` is called once per connection. Its result is passed to each read on that connection. */
  constructor(links: Link[], makeUse: (link: Link) => T) {
    this.#idle = links.map(link => ({ link, use: makeUse(link) }))
    this.#count = links.length
  }

  /**
   * Runs a read. If the connection was lost, perhaps because the database had closed it while it was idle,
   * runs the read once more on a new connection.
   */
  async read<R>(run: (use: T) => Promise<R>): Promise<R> {
    try {
      return await this.#readOnce(run)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      return this.#readOnce(run)
    }
  }

  async #readOnce<R>(run: (use: T) => Promise<R>): Promise<R> {
    const since = performance.now()
    const slot = await this.#take()
    try {
      requireInTime(since)
      const connection = await slot.link.get()
      // Not awaited: statements on one connection run in order.
      void connection.script(BEGIN_READ).catch(() => {})
      try {
        return await run(slot.use)
      } finally {
        this.#end(connection, slot.link)
      }
    } finally {
      this.#give(slot)
    }
  }

  #end(connection: Connection, link: Link): void {
    void connection.script('COMMIT').catch(() => link.drop())
  }

  async #take(): Promise<Slot<T>> {
    return this.#idle.pop() ?? new Promise(resolve => this.#waiting.push(resolve))
  }

  #give(slot: Slot<T>): void {
    const next = this.#waiting.shift()
    if (next) next(slot)
    else this.#idle.push(slot)
  }

  /** Waits for all reads that were requested before, then closes the connections. */
  async close(): Promise<void> {
    const slots: Slot<T>[] = []
    while (slots.length < this.#count) slots.push(await this.#take())
    await Promise.all(slots.map(({ link }) => link.drop()))
  }
}
