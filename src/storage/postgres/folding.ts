const FOLD_MS = 5000
/**
 * Max appended additions that are added to the sums at once. Few additions may stay appended, because each
 * read of statistics has to add them up.
 */
export const FOLDED_MAX = 2000

/** Adds appended statistics to their sums, some seconds after the first of them was stored. */
export class Folding {
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | null = null
  #isClosed = false

  /** `fold` adds at most FOLDED_MAX additions to the statistics, and returns their number. */
  constructor(private readonly fold: () => Promise<number>) {}

  /** Must be called after each commit that may have appended statistics. */
  start(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#running = this.#run()
    }, FOLD_MS)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isClosed && (await this.fold()) === FOLDED_MAX) {}
    } catch {
      // If storing failed, the next commit starts it again.
    } finally {
      this.#timer = undefined
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
