import { RateLimited } from '../rpc/http.ts'

/**
 * Ends the requests of one scan when the endpoint rejects them as too many. What was read until then counts:
 * one address with very many payments must not hide those of the others.
 */
export class Limit {
  #hit: RateLimited | null = null

  /** Null where the endpoint rejected this request, or one before. */
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

  /** Throws what the endpoint answered, if it rejected a request. */
  throwIfHit(): void {
    if (this.#hit) throw this.#hit
  }
}
