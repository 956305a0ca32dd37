/** Keeps what was found out of late. What is being found out is awaited by all who ask for it meanwhile. */
export class PromiseCache<V> {
  readonly #max: number
  readonly #kept = new Map<string, Promise<V>>()

  constructor(max: number) {
    this.#max = max
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  recall(key: string, find: () => Promise<V>): Promise<V> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const found = find()
    this.#kept.set(key, found)
    found.catch(() => this.#kept.delete(key))
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break
      this.#kept.delete(oldest)
    }
    return found
  }
}
