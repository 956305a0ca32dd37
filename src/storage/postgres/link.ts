import { type Connection, ConnectionLost } from './connection.ts'

/** After a failed try to connect, its error is the answer to further requests for this time. */
const FAILED_MS = 1000
/** Min duration of a failed try to connect whose error is reused. Shorter tries delay no request. */
const LONG_MS = 1000

/**
 * Returns a function that opens connections, and fails at once if a slow try has just failed. Otherwise,
 * while the server is silent, each of many waiting requests would make a slow try of its own, one after
 * another.
 */
export function openUnlessAway(open: () => Promise<Connection>): () => Promise<Connection> {
  let failed: { at: number; error: unknown } | null = null
  return async () => {
    if (failed && performance.now() - failed.at < FAILED_MS) throw failed.error
    const since = performance.now()
    try {
      const connection = await open()
      failed = null
      return connection
    } catch (error) {
      const at = performance.now()
      if (at - since > LONG_MS) failed = { at, error }
      throw error
    }
  }
}

/** A connection that reconnects after it was lost, but only when new work begins. */
export class Link {
  #connection: Connection | null = null

  constructor(private readonly open: () => Promise<Connection>) {}

  /** Returns the connection for new work. Reconnects if necessary. */
  async get(): Promise<Connection> {
    if (this.#connection?.isLost() || this.#connection?.isStale()) await this.drop()
    this.#connection ??= await this.open()
    return this.#connection
  }

  /** Returns the connection of the running work. Throws ConnectionLost if it was lost. */
  current(): Connection {
    if (!this.#connection) throw new ConnectionLost('The connection to the database was lost')
    return this.#connection
  }

  isLost(): boolean {
    return this.#connection === null || this.#connection.isLost()
  }

  async drop(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.close().catch(() => {})
  }
}
