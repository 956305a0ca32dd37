import type { Awaitable } from '../../domain/awaitable.ts'

const PROBLEM_MS = 30_000

/** Remembers the outcomes of checks: a success for good, and a problem for half a minute. */
export class HealthCache {
  readonly #clock: () => number
  readonly #results = new Map<string, { problem: string | null; expiresAt: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Returns the problem that the check found, now or before; null if it found none. */
  problem(key: string, check: () => Promise<string | null>): Awaitable<string | null> {
    const known = this.#results.get(key)
    return known && this.#clock() < known.expiresAt ? known.problem : this.#check(key, check)
  }

  async #check(key: string, check: () => Promise<string | null>): Promise<string | null> {
    const problem = await check()
    const expiresAt = problem === null ? Number.POSITIVE_INFINITY : this.#clock() + PROBLEM_MS
    this.#results.set(key, { problem, expiresAt })
    return problem
  }
}
