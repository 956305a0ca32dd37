import type { DatabaseUse } from '../engine.ts'
import type { Connection } from './connection.ts'
import { countServing, lockSandbox, lockServing } from './locks.ts'
import { connectAgain } from './opening.ts'
import type { Target } from './socket.ts'

const CHANNEL = 'florin_jobs'
const RETRY_MS = 1000
/** Interval at which a server counts the other servers. */
const COUNT_MS = 5000
/** Interval at which other processes look for due jobs even without a message. */
const SOON_MS = 1000

/**
 * Counts this process as a server, and exchanges the due times of jobs with other processes. Jobs whose
 * messages are lost while the server cannot be reached are found by polling.
 */
export class Presence {
  #isClosed = false
  #servers = 1
  #counting: ReturnType<typeof setInterval> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #wakesAt = Number.POSITIVE_INFINITY
  #waking: Promise<void> | null = null

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

  /** Number of servers that use the database, including this one. */
  get servers(): number {
    return this.#servers
  }

  async listen(): Promise<void> {
    if (this.use.as !== 'server') return
    await this.connection.script(`LISTEN ${CHANNEL}`)
    await lockServing(this.connection)
    await this.#count()
    this.#counting ??= setInterval(() => void this.#count().catch(() => {}), COUNT_MS).unref()
  }

  async #count(): Promise<void> {
    if (this.connection.isLost()) return
    this.#servers = Math.max(1, await countServing(this.connection))
  }

  /**
   * Wakes other processes for a job that is due soon. The message is not part of a transaction, because
   * commits that notify wait for each other. Jobs due at about the same time share a message.
   */
  wakeOthers(dueAt: number): void {
    if (dueAt > Date.now() + SOON_MS) return
    this.#wakesAt = Math.min(this.#wakesAt, dueAt)
    this.#sendWakes()
  }

  #sendWakes(): void {
    this.#waking ??= this.#wake().finally(() => {
      this.#waking = null
    })
  }

  async #wake(): Promise<void> {
    while (this.#wakesAt !== Number.POSITIVE_INFINITY && !this.connection.isLost()) {
      const at = String(this.#wakesAt)
      this.#wakesAt = Number.POSITIVE_INFINITY
      // If the message is lost, polling finds the job.
      await this.connection.rows('SELECT pg_notify($1, $2)', [CHANNEL, at]).catch(() => {})
    }
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
    const connection = await connectAgain(this.target, true)
    if (this.#isClosed) return connection.close()
    if (this.use.as === 'server' && this.use.mode === 'sandbox') await lockSandbox(connection)
    this.connection = connection
    connection.onLost(() => this.#again())
    connection.onNotify(text => this.#receive(text))
    await this.listen()
    this.#sendWakes()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    clearInterval(this.#counting)
    await this.#waking
    await this.connection.close()
  }
}
