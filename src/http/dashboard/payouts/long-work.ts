import { waitBriefly } from '../../wait-briefly.ts'

/**
 * Work that may take longer than a person waits. It continues after the answer, and runs only once for each
 * key, even if a person asks again meanwhile.
 */
export class LongWork<T> {
  readonly #running = new Map<string, Promise<T>>()

  constructor(readonly waitMs: number) {}

  /**
   * Returns the result of the work, or throws its error; null if the work takes longer. A later error goes to
   * `onLateError`.
   */
  async run(
    key: string,
    work: () => Promise<T>,
    stopping: AbortSignal,
    onLateError: (error: unknown) => void,
  ): Promise<T | null> {
    const known = this.#running.get(key)
    const running = known ?? work().finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    let [isLate, result]: [boolean, T | null] = [false, null]
    const waited = running.then(
      done => {
        result = done
      },
      error => {
        if (!isLate) throw error
        // Only the call that started the work reports a late error.
        if (!known) onLateError(error)
      },
    )
    await waitBriefly(waited, this.waitMs, stopping)
    isLate = true
    return result
  }
}
