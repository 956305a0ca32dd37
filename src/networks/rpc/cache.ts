const PROBLEM_MS = 30_000

/** Remembers the outcomes of checks: a success for good, and a problem for half a minute. */
export class HealthCache {
  readonly #clock: () => number
  readonly #results = new Map<string, { problem: string | null; expiresAt: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Returns the problem that a check finds; null if it finds no problem. The result is remembered under the
   * key.
   */
  async problem(key: string, check: () => Promise<string | null>): Promise<string | null> {
    const known = this.#results.get(key)
    if (known && this.#clock() < known.expiresAt) return known.problem
    const problem = await check()
    const expiresAt = problem === null ? Number.POSITIVE_INFINITY : this.#clock() + PROBLEM_MS
    this.#results.set(key, { problem, expiresAt })
    return problem
  }
}
