/** Functions of the process that the memory keeper uses. */
export interface WorkOf {
  /** total working time of its threads, in milliseconds */
  worked(): number
  /** monotonic clock, in milliseconds */
  now(): number
  /** Collects garbage and returns free memory to the system. */
  collect(): void
  /** Collects garbage and frees compiled code. Functions that run often are compiled again. */
  shrink(): void
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
/** Work after which compiled code may be freed. To compile it again costs the next load 3 % of that. */
const COMPILED_MS = 15_000

/**
 * Decides when a server returns memory. JavaScriptCore lets garbage grow to several times the memory in use
 * before a full collection, and does not collect it when the load ends.
 */
export class MemoryKeeper {
  readonly #process: WorkOf
  #last: { at: number; worked: number }
  #quietSince: number
  #hadLoad = false
  /** cost of the last collection in milliseconds, and total work at its end */
  #collected = { cost: 0, worked: 0 }
  #shrunk = 0

  constructor(process: WorkOf) {
    this.#process = process
    this.#last = { at: process.now(), worked: process.worked() }
    this.#quietSince = this.#last.at
  }

  /** Frees memory if it is time to. Call it a few times a second. */
  look(): void {
    const [at, worked] = [this.#process.now(), this.#process.worked()]
    const share = (worked - this.#last.worked) / Math.max(1, at - this.#last.at)
    this.#last = { at, worked }
    if (share > BUSY) this.#hadLoad = true
    if (share > QUIET) this.#quietSince = at
    const quietMs = at - this.#quietSince
    if (!this.#hadLoad || quietMs < QUIET_MS) return
    const isAffordable = (worked - this.#collected.worked) * COST_SHARE >= this.#collected.cost
    if (worked - this.#shrunk >= COMPILED_MS) this.#free('shrink')
    else if (isAffordable || quietMs >= LONG_QUIET_MS) this.#free('collect')
  }

  #free(how: 'collect' | 'shrink'): void {
    this.#process[how]()
    const worked = this.#process.worked()
    this.#collected = { cost: worked - this.#last.worked, worked }
    if (how === 'shrink') this.#shrunk = worked
    // Don't count the collection's own work as load.
    this.#last = { at: this.#process.now(), worked }
    this.#hadLoad = false
  }
}
