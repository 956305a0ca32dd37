import type { Start } from './reader.ts'

/** Watches that are at most this many blocks behind the tip come first, and their blocks are cached. */
export const NEAR_BLOCKS = 24
/** A scan reads at most this many older blocks. */
export const CATCH_UP_BLOCKS = 200

/** The heights of the blocks that a scan reads. */
interface Plan {
  /** the heights of the blocks that must be read */
  now: number[]
  /** the heights of older blocks, which are read after `now` while there is time */
  later: number[]
}

const between = (above: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - above) }, (_, index) => above + 1 + index)

/**
 * Plans the blocks that a scan reads. Blocks of watches near the tip come first, so that a payment of today
 * does not wait until a week of blocks is read. Then the watch that is furthest behind continues.
 */
export function planOf(starts: readonly Start[], tip: number): Plan {
  const near = starts.filter(({ from }) => tip - from <= NEAR_BLOCKS)
  const far = starts.filter(({ from }) => tip - from > NEAR_BLOCKS)
  const fromNear = Math.min(tip, ...near.map(({ from }) => from))
  const now = new Set(between(fromNear, tip))
  if (far.length === 0) return { now: [...now], later: [] }
  const lowest = Math.min(...far.map(({ from }) => from))
  const reportedTo = Math.max(
    lowest,
    ...far.filter(({ from }) => from === lowest).map(start => start.reportedTo),
  )
  const end = Math.min(tip, lowest + CATCH_UP_BLOCKS)
  for (const height of between(lowest, Math.min(reportedTo, tip, lowest + CATCH_UP_BLOCKS))) now.add(height)
  const later = between(lowest, end).filter(height => !now.has(height))
  return { now: [...now].sort((a, b) => a - b), later }
}

/** Returns the height up to which every block above `from` was read. */
export function coveredTo(from: number, heights: ReadonlySet<number>): number {
  let covered = from
  while (heights.has(covered + 1)) covered += 1
  return covered
}
