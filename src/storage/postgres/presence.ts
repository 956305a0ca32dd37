import type { DatabaseUse } from '../engine.ts'
import { type Connection, connect, type Target } from './connection.ts'
import { lockSandbox, lockShared } from './locks.ts'

export const CHANNEL = 'florin_jobs'
const RETRY_MS = 1000

/**
 * Says to other processes that this one uses the database, and receives when their jobs are due. What is
 * missed while the server cannot be reached is found by looking.
 */
export class Presence {
  #isClosed = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(
    private connection: Connection,
    private readonly target: Target,
    private readonly use: DatabaseUse,
    private readonly onScheduled: (dueAt: number) => void,
  ) {
    connection.onLost(() => this.#again())
    connection.onNotify(text => this.#receive(text))
  }

  get current(): Connection {
    return this.connection
  }

  async listen(): Promise<void> {
    if (this.use.as === 'server') await this.connection.script(`LISTEN ${CHANNEL}`)
  }

  #receive(text: string): void {
    const dueAt = Number(text)
    if (Number.isSafeInteger(dueAt)) this.onScheduled(dueAt)
  }

  #again(): void {
    if (this.#isClosed) return
    this.#retry = setTimeout(() => {
      this.#connect().catch(() => this.#again())
    }, RETRY_MS)
  }

  async #connect(): Promise<void> {
    const connection = await connect(this.target)
    if (this.#isClosed) return connection.close()
    await lockShared(connection)
    if (this.use.as === 'server' && this.use.mode === 'sandbox') await lockSandbox(connection)
    this.connection = connection
    connection.onLost(() => this.#again())
    connection.onNotify(text => this.#receive(text))
    await this.listen()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.connection.close()
  }
}
