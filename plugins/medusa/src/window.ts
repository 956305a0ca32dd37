const MINUTE_MS = 60_000
/** Max time to look back, also after a start: Florin repeats events for as long at first. */
const LONGEST_MS = 3 * 24 * 60 * MINUTE_MS
/** Overlap of two looks, because the clocks of both servers may differ. */
const OVERLAP_MS = 10 * MINUTE_MS

/** The period to look at: the time since the last look that left nothing to do. */
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
