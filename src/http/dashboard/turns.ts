import { Refusal } from '../../domain/errors.ts'

/** A form that is sent again while the first one arrives waits for it. */
const WAITING_MAX = 2
const RETRY_SECONDS = 5

/** Lets the work of each person happen one after another. */
export class Turns {
  readonly #lines = new Map<string, Promise<unknown>[]>()

  /** Throws rate_limited when too much of the same person waits. */
  async take<T>(person: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(person) ?? []
    if (line.length > WAITING_MAX)
      throw new Refusal('rate_limited', undefined, { retryAfterSeconds: RETRY_SECONDS })
    const turn = Promise.allSettled(line.slice(-1)).then(work)
    line.push(turn)
    this.#lines.set(person, line)
    try {
      return await turn
    } finally {
      line.splice(line.indexOf(turn), 1)
      if (line.length === 0) this.#lines.delete(person)
    }
  }
}
