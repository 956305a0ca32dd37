/** What was made of the last few keys, oldest forgotten first: for what is pure, and dear to make again. */
export class LruCache<T> {
  readonly #limit: number
  readonly #known = new Map<string, T>()

  constructor(limit: number) {
    this.#limit = limit
  }

  recall(key: string, make: () => T): T {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = make()
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size >= this.#limit) this.#known.delete(oldest)
    this.#known.set(key, made)
    return made
  }
}
