/** The time for which answers are kept. A wrong answer is asked for again while its block is still read. */
const KEPT_MS = 3_600_000
/** Max answers that are kept, enough for a few addresses with very many payments. */
const ANSWERS_MAX = 10_000

/**
 * Keeps a node's answers about transactions in solid blocks, which do not change. Every scan lists the
 * payments of some hours again, and anybody can send hundreds of tiny payments to an address.
 */
export class SolidAnswers<T> {
  readonly #clock: () => number
  readonly #answers = new Map<string, { answer: T; at: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Returns a kept answer; undefined if there is none, or it is too old. */
  find(txId: string): T | undefined {
    const known = this.#answers.get(txId)
    const age = known ? this.#clock() - known.at : 0
    return known && age >= 0 && age < KEPT_MS ? known.answer : undefined
  }

  keep(txId: string, answer: T): void {
    this.#answers.delete(txId)
    this.#answers.set(txId, { answer, at: this.#clock() })
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= ANSWERS_MAX) break
      this.#answers.delete(oldest)
    }
  }
}
