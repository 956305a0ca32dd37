/**
 * Remembers the values of the most recently used keys. A promise that is rejected is forgotten.
 *
 * Where values differ much in size, or strangers choose them, `sizeOf` says how much of `max` one takes: its
 * characters or its rows, for example. Without it, `max` is their number.
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

  /** The remembered value, or a new one. Simultaneous callers share a promise. */
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
    if (value instanceof Promise) value.catch(() => this.#forget(key, value))
    this.#evict()
    return value
  }

  #evict(): void {
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#max) break
      this.#delete(oldest)
    }
  }

  #forget(key: string, value: V): void {
    if (this.#values.get(key)?.value === value) this.#delete(key)
  }

  #delete(key: string): void {
    this.#size -= this.#values.get(key)?.size ?? 0
    this.#values.delete(key)
  }
}
