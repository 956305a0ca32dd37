const START = 4
const MAX = 32
/** An answer within this time is quick. */
const QUICK_MS = 1000
/** An endpoint that takes three times as long as at its best has more to do than it can. */
const SLOWER = 3
/** Shorter answers vary too much to be compared. */
const COMPARED_MS = 250
/** How much of a slower answer becomes the best one: what an endpoint was able to do is forgotten slowly. */
const FORGOTTEN = 0.02

interface Lane {
  limit: number
  /** how long the quickest answers take */
  bestMs: number
  /** when the limit was last lowered */
  loweredAt: number
}

interface Answer {
  isAccepted: boolean
  durationMs: number
}

/**
 * How many deliveries to one endpoint run at once. It starts at 4 and grows while the endpoint answers
 * quickly. It is halved, but not below 4, when the endpoint becomes slower, and falls to 1 on a failure.
 */
export class LaneLimits {
  readonly #lanes = new Map<string, Lane>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  of(lane: string): number {
    return this.#lanes.get(lane)?.limit ?? START
  }

  /** Counts the answer to a delivery that began at `startedAt`. */
  count(name: string, { isAccepted, durationMs }: Answer, startedAt: number): void {
    const lane = this.#lanes.get(name) ?? { limit: START, bestMs: durationMs, loweredAt: startedAt - 1 }
    this.#lanes.set(name, lane)
    if (!isAccepted) {
      lane.limit = 1
      lane.loweredAt = this.now()
      return
    }
    // A delivery that began before the limit was lowered says nothing about the new one.
    if (startedAt <= lane.loweredAt) return
    lane.bestMs = Math.min(durationMs, lane.bestMs + (durationMs - lane.bestMs) * FORGOTTEN)
    const isSlow = durationMs > QUICK_MS || durationMs > Math.max(COMPARED_MS, SLOWER * lane.bestMs)
    if (!isSlow) lane.limit = Math.min(MAX, lane.limit + 1)
    else {
      lane.limit = Math.max(Math.min(START, lane.limit), Math.floor(lane.limit / 2))
      lane.loweredAt = this.now()
    }
  }
}
