import type { Transaction } from '../group-writer.ts'
import { type Answer, type Connection, ConnectionLost } from './connection.ts'
import type { Link } from './link.ts'
import { begin } from './locks.ts'
import type { Runner } from './session.ts'

/** Number of conflicts after which a write runs alone. */
const BESIDE_MAX = 3

/** Codes of a serialization failure and a deadlock, after which nothing is stored. */
const CONFLICTS = ['40001', '40P01']
/**
 * Codes of constraint violations. A row that another transaction has just stored can look like a duplicate.
 */
const CONSTRAINT = /^23/

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/**
 * The transaction of a connection that writes. Insertions are sent without waiting for their answers, so most
 * statements of a write cost no round trip. If one fails, all later statements and the commit fail too.
 */
export class WriteTransaction implements Transaction, Runner {
  #isOpen = false
  #unanswered: Promise<unknown>[] = []
  #failure: unknown = null
  #hasAnswer = false
  /** number of conflicts of the current work with concurrent writes */
  #lost = 0
  #isReconnected = false

  constructor(
    private readonly link: Link,
    private readonly isolation: 'beside' | 'byRow',
  ) {}

  async begin(): Promise<void> {
    this.#unanswered = []
    this.#failure = null
    this.#hasAnswer = false
    const connection = await this.link.get()
    this.#isOpen = true
    this.#send(connection.script(begin[this.#isAlone() ? 'alone' : this.isolation]))
  }

  query(text: string, values: readonly unknown[]): Promise<Answer> {
    return this.#watched(this.link.current().query(text, values))
  }

  /** Sends an insertion without waiting for its answer. */
  async insert(text: string, values: readonly unknown[]): Promise<void> {
    this.#send(this.link.current().query(text, values))
  }

  async commit(): Promise<void> {
    // If no statement has reached the server, the work can run again. After COMMIT was sent, it cannot: it
    // may be stored.
    if (!this.#hasAnswer) await this.#settle()
    if (this.#failure instanceof ConnectionLost) throw this.#failure
    this.#isOpen = false
    const tag = this.#watched(this.link.current().script('COMMIT'))
    this.#keep(tag)
    await this.#settle()
    if (this.#failure) throw this.#failure
    // PostgreSQL answers COMMIT with ROLLBACK if an earlier statement failed.
    if ((await tag) !== 'COMMIT') throw new Error('A write went on after one of its statements failed')
  }

  async rollBack(): Promise<void> {
    this.#countLoss()
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.link.isLost()) return
    await this.#settle()
    await this.#connection()
      .script('ROLLBACK')
      .catch(() => this.link.drop())
  }

  savepoint(): void {
    this.#send(this.#connection().script('SAVEPOINT work'))
  }

  async release(): Promise<void> {
    await this.#settle()
    if (this.#failure) throw this.#failure
    this.#send(this.#connection().script('RELEASE SAVEPOINT work'))
  }

  async rollBackToSavepoint(): Promise<void> {
    await this.#settle()
    this.#failure = null
    await this.#connection().script('ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work')
  }

  hasFailed(): boolean {
    return this.#failure !== null && !(this.#failure instanceof ConnectionLost)
  }

  isOpen(): boolean {
    return this.#isOpen && !this.link.isLost()
  }

  /**
   * Returns true if the work failed due to a concurrent write, or on a connection that the server had closed
   * long ago. After several conflicts, work runs alone, where it cannot fail so.
   */
  mayRunAgain(error: unknown): boolean {
    if (error instanceof ConnectionLost) return this.#isOpen && !this.#hasAnswer && !this.#isReconnected
    const code = codeOf(this.#failure)
    return !this.#isAlone() && (CONFLICTS.includes(code) || CONSTRAINT.test(code))
  }

  ended(): void {
    this.#lost = 0
    this.#isReconnected = false
  }

  /** Counts a conflict. The number decides if the work runs alone next time. */
  #countLoss(): void {
    if (this.#failure instanceof ConnectionLost) this.#isReconnected = true
    const code = codeOf(this.#failure)
    if (CONFLICTS.includes(code)) this.#lost++
    if (CONSTRAINT.test(code)) this.#lost = BESIDE_MAX
  }

  #isAlone(): boolean {
    return this.#lost >= BESIDE_MAX
  }

  #connection(): Connection {
    return this.link.current()
  }

  #send(answer: Promise<unknown>): void {
    this.#keep(this.#watched(answer))
  }

  #keep(answer: Promise<unknown>): void {
    this.#unanswered.push(answer.catch(() => {}))
  }

  /** Waits for the answers to all statements that were sent. */
  async #settle(): Promise<void> {
    const unanswered = this.#unanswered
    this.#unanswered = []
    await Promise.all(unanswered)
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      const given = await answer
      this.#hasAnswer = true
      return given
    } catch (error) {
      // Keep the first error: later statements only report that an earlier one failed.
      this.#failure ??= error
      throw this.#failure
    }
  }
}
