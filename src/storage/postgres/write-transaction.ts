import type { Transaction } from '../group-writer.ts'
import { type Answer, type Connection, ConnectionLost } from './connection.ts'
import type { Link } from './link.ts'

const NOTHING: Answer = { rows: [], changes: 0 }

/** Whether only a failure of the statement is of interest. No caller counts the rows that it inserted. */
const isBlind = (text: string): boolean => /^insert /i.test(text) && !/ returning /i.test(text)

/**
 * The transaction of a connection that writes. What has no result of interest is sent without waiting for its
 * answer, so most statements of a write cost no round trip. If such a statement fails, so does every later
 * one, and the commit.
 */
export class WriteTransaction implements Transaction {
  #isOpen = false
  #unanswered: Promise<unknown>[] = []
  #failure: unknown = null
  #hasAnswer = false

  constructor(
    private readonly link: Link,
    private readonly beginText: string,
  ) {}

  async begin(): Promise<void> {
    this.#unanswered = []
    this.#failure = null
    this.#hasAnswer = false
    const connection = await this.link.get()
    this.#isOpen = true
    this.#send(connection.script(this.beginText))
  }

  /** Runs a statement of a write. */
  query(text: string, values: readonly unknown[]): Promise<Answer> {
    const answer = this.#watched(this.link.current().query(text, values))
    if (!isBlind(text)) return answer
    this.#keep(answer)
    return Promise.resolve(NOTHING)
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

  /** A server may have closed a connection that nobody used. Then nothing has been done yet. */
  mayRunAgain(error: unknown): boolean {
    return error instanceof ConnectionLost && this.#isOpen && !this.#hasAnswer
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
