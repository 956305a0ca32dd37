/** Functions of the process that the memory keeper uses. */
export interface WorkOf {
  /** total working time of its threads, in milliseconds */
  worked(): number
  /** monotonic clock, in milliseconds */
  now(): number
  /** Collects garbage and returns free memory to the system. */
  collect(): void
}

/** Max share of the process's work that collections may cost. */
const COST_SHARE = 0.02
/** Load, as a share of one processor, above which the server is busy, and below which it is quiet. */
const BUSY = 0.2
const QUIET = 0.05
/** Load counts as over after this quiet time: a collection makes requests wait for 20 ms. */
const QUIET_MS = 3000
/** After this quiet time, a collection may cost more than its share. */
const LONG_QUIET_MS = 10_000

/**
 * Decides when a server returns memory. JavaScriptCore lets garbage grow to several times the memory in use
 * before a full collection, and does not collect it when the load ends.
 */
export class MemoryKeeper {
  readonly #process: WorkOf
  #lookedAt: number
  #worked: number
  #quietSince: number
  #hadLoad = false
  /** cost of the last collection in milliseconds, and total work at its end */
  #last = { cost: 0, worked: 0 }

  constructor(process: WorkOf) {
    this.#process = process
    this.#lookedAt = process.now()
    this.#worked = process.worked()
    this.#quietSince = this.#lookedAt
  }

  /** Collects garbage if it is time to. Call it a few times a second. */
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
    // Don't count the collection's own work as load.
    this.#worked = worked
    this.#lookedAt = this.#process.now()
    this.#hadLoad = false
  }
}
