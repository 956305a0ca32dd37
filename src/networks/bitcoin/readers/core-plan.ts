import type { Start } from './reader.ts'

/** Watches that are so near to the tip are served before all others, and their blocks are kept. */
export const NEAR_BLOCKS = 24
/** How many blocks a look takes in at most to catch up. */
const CATCH_UP_BLOCKS = 200

interface Plan {
  /** heights to be read in this look, whatever it takes */
  now: number[]
  /** heights to be read after them, while there is time */
  later: number[]
}

const between = (above: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - above) }, (_, index) => above + 1 + index)

/**
 * Which blocks a look reads. Those of the watches near the tip come first, so that a payment of today does
 * not wait for the blocks of a week; then the one that is furthest behind goes on.
 */
export function planOf(starts: readonly Start[], tip: number): Plan {
  const near = starts.filter(({ from }) => tip - from <= NEAR_BLOCKS)
  const far = starts.filter(({ from }) => tip - from > NEAR_BLOCKS)
  const fromNear = Math.min(tip, ...near.map(({ from }) => from))
  const now = new Set(between(fromNear, tip))
  if (far.length === 0) return { now: [...now], later: [] }
  const lowest = Math.min(...far.map(({ from }) => from))
  const told = Math.max(lowest, ...far.filter(({ from }) => from === lowest).map(start => start.reportedTo))
  const end = Math.min(tip, Math.max(told, lowest + CATCH_UP_BLOCKS))
  for (const height of between(lowest, Math.min(told, tip))) now.add(height)
  const later = between(lowest, end).filter(height => !now.has(height))
  return { now: [...now].sort((a, b) => a - b), later }
}

/** Up to where every block above was read. */
export function coveredTo(from: number, heights: ReadonlySet<number>): number {
  let covered = from
  while (heights.has(covered + 1)) covered += 1
  return covered
}
