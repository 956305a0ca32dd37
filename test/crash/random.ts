/** Chance that can be repeated: the same seed gives the same choices. */
export interface Chance {
  /** a whole number from 0 to below the bound */
  below(bound: number): number
  pick<T>(rows: readonly T[]): T
  /** true in so many of a hundred cases */
  percent(share: number): boolean
  bytes(count: number): Buffer
  /** Another source, so that what runs at the same time does not share one. */
  fork(): Chance
}

const UINT32 = 2 ** 32

/** Mulberry32. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (bound: number): number => Math.floor((next() / UINT32) * bound)
  return {
    below,
    pick: rows => rows[below(rows.length)]!,
    percent: share => below(100) < share,
    bytes: count => Buffer.from(Array.from({ length: count }, () => below(256))),
    fork: () => seeded(next()),
  }
}

/** The seed of this run, told so that a failure can be repeated with it. */
export function seedOf(file: string): number {
  const seed = Number(process.env.FLORIN_SEED ?? Math.floor(Math.random() * UINT32))
  process.stderr.write(`${file} runs with FLORIN_SEED=${seed}\n`)
  return seed
}
