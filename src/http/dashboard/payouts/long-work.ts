import { waitBriefly } from '../../wait-briefly.ts'

/**
 * Work of which a person waits for a part. It goes on after the answer, and only once for each key, although
 * somebody asks again meanwhile.
 */
export class LongWork<T> {
  readonly #running = new Map<string, Promise<T>>()

  constructor(readonly waitMs: number) {}

  /** What the work returned or threw; null if it takes longer. What it throws later goes to `onLateError`. */
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
        // Who asked again needs no second report.
        if (!known) onLateError(error)
      },
    )
    await waitBriefly(waited, this.waitMs, stopping)
    isLate = true
    return result
  }
}
