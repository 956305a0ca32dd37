const START = 4
const MAX = 32
/** Only answers within this time may raise the limit; slower ones lower it. */
const QUICK_MS = 1000
/** An endpoint counts as overloaded if it answers this many times slower than its best time. */
const SLOWER = 3
/** Answers within this time never count as slow, because short times vary too much to be compared. */
const COMPARED_MS = 250
/**
 * The share by which each slower answer raises the best time, so that the former speed of an endpoint is
 * slowly forgotten.
 */
const FORGOTTEN = 0.02

interface Lane {
  limit: number
  /** the duration of the quickest answers */
  bestMs: number
  /** when the limit was last lowered */
  loweredAt: number
}

interface Answer {
  isAccepted: boolean
  durationMs: number
}

/**
 * The number of concurrent deliveries to an endpoint. It starts at 4 and grows while the endpoint answers
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
    // A delivery that began under the former limit shows nothing about the new limit.
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
