const FAST_MS = 1000
const START = 4
const MAX = 32

/**
 * How many deliveries to one endpoint run at once. It starts at 4, grows while the endpoint answers quickly,
 * and falls to 1 on a failure.
 */
export class LaneLimits {
  readonly #limits = new Map<string, number>()

  of(lane: string): number {
    return this.#limits.get(lane) ?? START
  }

  count(lane: string, isDone: boolean, durationMs: number): void {
    if (!isDone) this.#limits.set(lane, 1)
    else if (durationMs <= FAST_MS) this.#limits.set(lane, Math.min(MAX, this.of(lane) + 1))
  }
}
