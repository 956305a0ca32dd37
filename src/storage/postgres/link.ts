import { type Connection, ConnectionLost } from './connection.ts'

/** For how long a try to connect that failed is the answer to others, who have waited for it. */
const FAILED_MS = 1000
/** A try that fails sooner holds up nobody. */
const LONG_MS = 1000

/**
 * Opens connections. While the server is silent, many requests wait for few connections: each would be
 * answered only after a try of its own, one after another.
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

/** A connection that reconnects after it was lost, but only before new work. */
export class Link {
  #connection: Connection | null = null

  constructor(private readonly open: () => Promise<Connection>) {}

  /** The connection for new work; reconnects if necessary. */
  async get(): Promise<Connection> {
    if (this.#connection?.isLost() || this.#connection?.isStale()) await this.drop()
    this.#connection ??= await this.open()
    return this.#connection
  }

  /** The connection of the running work. */
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
