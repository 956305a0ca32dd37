import { RateLimited } from '../rpc/http.ts'

/**
 * Stops the requests of a scan once the endpoint rejects them as too many. The scan keeps what it has read,
 * so that an address with very many payments does not hide the payments of other addresses.
 */
export class Limit {
  #hit: RateLimited | null = null

  /**
   * Does a piece of work and returns its result; null if the endpoint rejected this request or an earlier
   * one.
   */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#hit) return null
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error
      this.#hit = error
      return null
    }
  }

  get isHit(): boolean {
    return this.#hit !== null
  }

  /** Throws RateLimited if the endpoint rejected a request. */
  throwIfHit(): void {
    if (this.#hit) throw this.#hit
  }
}
