/** Repeatable random choices: the same seed gives the same choices. */
export interface Chance {
  /** an integer from 0 to bound - 1 */
  below(bound: number): number
  pick<T>(rows: readonly T[]): T
  /** true in this percentage of cases */
  percent(share: number): boolean
  bytes(count: number): Buffer
  /** Another generator, for concurrent code: if it shared this one, the choices would depend on timing. */
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

/** The seed of this run, which is printed so that a failure can be repeated. */
export function seedOf(file: string): number {
  const seed = Number(process.env.FLORIN_SEED ?? Math.floor(Math.random() * UINT32))
  process.stderr.write(`${file} runs with FLORIN_SEED=${seed}\n`)
  return seed
}
