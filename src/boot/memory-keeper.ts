/** What the memory keeper asks of the process. */
export interface WorkOf {
  /** how long its threads have worked so far, in milliseconds */
  worked(): number
  /** milliseconds of a clock that never goes back */
  now(): number
  /** Collects garbage, and gives free memory back to the system. */
  collect(): void
}

/** Collections cost at most this share of the work that the process does. */
const COST_SHARE = 0.02
/** The shares of one processor above which a server has a load, and below which it is quiet. */
const BUSY = 0.2
const QUIET = 0.05
/** So long is a server quiet before its load counts as over: requests would wait 20 ms for a collection. */
const QUIET_MS = 3000
/** After a quiet time as long as this, a collection may cost more than its share: nobody waits. */
const LONG_QUIET_MS = 10_000

/**
 * Decides when a server gives back memory. JavaScriptCore lets garbage grow to several times of what is in
 * use before it looks at all of it, and does not look at it again when the load that made it ends.
 */
export class MemoryKeeper {
  readonly #process: WorkOf
  #lookedAt: number
  #worked: number
  #quietSince: number
  #hadLoad = false
  /** what the last collection cost, in milliseconds, and all work until its end */
  #last = { cost: 0, worked: 0 }

  constructor(process: WorkOf) {
    this.#process = process
    this.#lookedAt = process.now()
    this.#worked = process.worked()
    this.#quietSince = this.#lookedAt
  }

  /** To be called a few times a second. */
  look(): void {
    this.#notice()
    const quietMs = this.#lookedAt - this.#quietSince
    if (!this.#hadLoad || quietMs < QUIET_MS) return
    const { cost, worked } = this.#last
    const isAffordable = (this.#worked - worked) * COST_SHARE >= cost
    if (isAffordable || quietMs >= LONG_QUIET_MS) this.#collect()
  }

  #notice(): void {
    const now = this.#process.now()
    const worked = this.#process.worked()
    const share = (worked - this.#worked) / Math.max(1, now - this.#lookedAt)
    this.#lookedAt = now
    this.#worked = worked
    if (share > BUSY) this.#hadLoad = true
    if (share > QUIET) this.#quietSince = now
  }

  #collect(): void {
    this.#process.collect()
    const worked = this.#process.worked()
    this.#last = { cost: worked - this.#worked, worked }
    // The work of a collection does not count as a load.
    this.#worked = worked
    this.#lookedAt = this.#process.now()
    this.#hadLoad = false
  }
}
