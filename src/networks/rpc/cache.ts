const PROBLEM_MS = 30_000

/** Remembers the outcomes of checks: a success for good, and a problem for half a minute. */
export class HealthCache {
  readonly #clock: () => number
  readonly #results = new Map<string, { problem: string | null; expiresAt: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** What is wrong with something; null when it is healthy. */
  async problem(key: string, check: () => Promise<string | null>): Promise<string | null> {
    const known = this.#results.get(key)
    if (known && this.#clock() < known.expiresAt) return known.problem
    const problem = await check()
    const expiresAt = problem === null ? Number.POSITIVE_INFINITY : this.#clock() + PROBLEM_MS
    this.#results.set(key, { problem, expiresAt })
    return problem
  }
}
