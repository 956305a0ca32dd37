/** Remembers the values of the most recently used keys. A promise that is rejected is forgotten. */
export class LruCache<V extends NonNullable<unknown> | null> {
  readonly #max: number
  readonly #values = new Map<string, V>()

  constructor(max: number) {
    this.#max = max
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  /** The remembered value, or a new one. Simultaneous callers share a promise. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key)
    if (known !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, known)
      return known
    }
    const value = make()
    this.#values.set(key, value)
    if (value instanceof Promise) value.catch(() => this.#forget(key, value))
    this.#evict()
    return value
  }

  #evict(): void {
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#max) break
      this.#values.delete(oldest)
    }
  }

  #forget(key: string, value: V): void {
    if (this.#values.get(key) === value) this.#values.delete(key)
  }
}
