/** For this long. What an endpoint answered wrongly is asked again while its block is still read. */
const KEPT_MS = 3_600_000
/** As many as a few addresses with very many payments need. */
const ANSWERS_MAX = 10_000

/**
 * What a node answered about transactions in solid blocks, which do not change. Anybody can send an address
 * hundreds of tiny payments, and each scan lists all of some hours: without this, each would ask for each.
 */
export class SolidAnswers<T> {
  readonly #clock: () => number
  readonly #answers = new Map<string, { answer: T; at: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Undefined for one that is not known, or too old. */
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
