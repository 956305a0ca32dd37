import type { Transaction } from '../group-writer.ts'
import { type Answer, type Connection, ConnectionLost } from './connection.ts'
import type { Link } from './link.ts'
import { begin } from './locks.ts'
import type { Runner } from './session.ts'

/** How often a write runs beside others before it runs alone. */
const BESIDE_MAX = 3

/** Another transaction has changed what this one has read, or both wait for each other. Nothing is stored. */
const CONFLICTS = ['40001', '40P01']
/** A row that another transaction has just stored can look like one that must not be there. */
const CONSTRAINT = /^23/

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/**
 * The transaction of a connection that writes. What has no result of interest is sent without waiting for its
 * answer, so most statements of a write cost no round trip. If such a statement fails, so does every later
 * one, and the commit.
 */
export class WriteTransaction implements Transaction, Runner {
  #isOpen = false
  #unanswered: Promise<unknown>[] = []
  #failure: unknown = null
  #hasAnswer = false
  /** how often the same work has run beside others, and lost */
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

  /** Runs a statement of a write. */
  query(text: string, values: readonly unknown[]): Promise<Answer> {
    return this.#watched(this.link.current().query(text, values))
  }

  /** Sends an insertion, and does not wait for its answer. */
  async insert(text: string, values: readonly unknown[]): Promise<void> {
    this.#send(this.link.current().query(text, values))
  }

  async commit(): Promise<void> {
    // If nothing has reached the server, the work can run again. A commit that is sent may be stored.
    if (!this.#hasAnswer) await this.#settle()
    if (this.#failure instanceof ConnectionLost) throw this.#failure
    this.#isOpen = false
    const tag = this.#watched(this.link.current().script('COMMIT'))
    this.#keep(tag)
    await this.#settle()
    if (this.#failure) throw this.#failure
    // So it answers if a statement failed and the work went on.
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
   * Whether the work lost against another, or found a connection that the server had closed long ago. Work
   * that lost several times runs alone, where it cannot lose.
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

  /** Remembers why the work runs again. */
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

  /** Waits for all answers. */
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
      // Later statements only say that one before them failed.
      this.#failure ??= error
      throw this.#failure
    }
  }
}
