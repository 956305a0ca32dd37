const MINUTE_MS = 60_000
/** How far back to look after a start, and at most: as long as Florin repeats events at first. */
const LONGEST_MS = 3 * 24 * 60 * MINUTE_MS
/** The clocks of both servers may differ. */
const OVERLAP_MS = 10 * MINUTE_MS

/** The time since the last look that left nothing to do. */
export class Window {
  #doneUntil = 0

  open(now = Date.now()) {
    return {
      since: new Date(Math.max(this.#doneUntil - OVERLAP_MS, now - LONGEST_MS)),
      close: () => {
        this.#doneUntil = now
      },
    }
  }
}
