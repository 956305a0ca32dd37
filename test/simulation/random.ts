/** A random number generator: the same seed gives the same numbers. */
export interface Random {
  /** an integer from 0 to below `below` */
  int(below: number): number
  /** an integer from `low` to `high`, both included */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: probability => next() < probability,
    pick: items => items[int(items.length)]!,
  }
}
