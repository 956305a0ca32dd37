import { type Connection, ConnectionLost } from './connection.ts'

/** A connection that reconnects after it was lost, but only before new work. */
export class Link {
  #connection: Connection | null = null

  constructor(private readonly open: () => Promise<Connection>) {}

  /** The connection for new work; reconnects if necessary. */
  async get(): Promise<Connection> {
    if (this.#connection?.isLost()) await this.drop()
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
