const LINES_MAX = 4

/** Lengths of a bar above and below zero; never negative. */
interface Extent {
  up: number
  down: number
}

/** The distance between two lines of an axis of this length: 1, 2 or 5 times a power of ten. */
function stepOf(length: number): number {
  const least = Math.max(length / LINES_MAX, 1)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map(times => times * power).find(step => step >= least) ?? 10 * power
}

/** Values at the lines of the axis, from top to bottom. One of them is zero. */
export function axisOf(bars: readonly Extent[]): number[] {
  const up = bars.reduce((most, bar) => Math.max(most, bar.up), 0)
  const down = bars.reduce((most, bar) => Math.max(most, bar.down), 0)
  const step = stepOf(up + down)
  const above = Math.max(Math.ceil(up / step), down > 0 ? 0 : 1)
  const below = Math.ceil(down / step)
  return Array.from({ length: above + below + 1 }, (_, index) => (above - index) * step)
}
