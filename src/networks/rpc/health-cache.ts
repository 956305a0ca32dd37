const FAULT_MS = 30_000

/** Keeps for good that something is as it should be; that it is not, for a short time only. */
export class HealthCache {
  readonly #clock: () => number
  readonly #known = new Map<string, { fault: string | null; until: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  async fault(resumed: string, examine: () => Promise<string | null>): Promise<string | null> {
    const known = this.#known.get(resumed)
    if (known && this.#clock() < known.until) return known.fault
    const fault = await examine()
    const until = fault === null ? Number.POSITIVE_INFINITY : this.#clock() + FAULT_MS
    this.#known.set(resumed, { fault, until })
    return fault
  }
}
