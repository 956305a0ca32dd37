/**
 * A least-recently-used cache. A rejected promise is removed.
 *
 * `max` is the number of values. If values differ much in size, or strangers choose them, `sizeOf` gives the
 * size of each, for example its characters or rows, and `max` is the sum.
 */
export class LruCache<V extends NonNullable<unknown> | null> {
  readonly #max: number
  readonly #sizeOf: (value: V, key: string) => number
  readonly #values = new Map<string, { value: V; size: number }>()
  #size = 0

  constructor(max: number, sizeOf: (value: V, key: string) => number = () => 1) {
    this.#max = max
    this.#sizeOf = sizeOf
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  /** Returns the cached value, or makes one. Simultaneous callers share a promise. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key)
    if (known !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, known)
      return known.value
    }
    const value = make()
    const size = this.#sizeOf(value, key)
    this.#values.set(key, { value, size })
    this.#size += size
    if (value instanceof Promise)
      value.catch(() => {
        if (this.#values.get(key)?.value === value) this.forget(key)
      })
    this.#evict()
    return value
  }

  #evict(): void {
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#max) break
      this.forget(oldest)
    }
  }

  forget(key: string): void {
    this.#size -= this.#values.get(key)?.size ?? 0
    this.#values.delete(key)
  }
}
