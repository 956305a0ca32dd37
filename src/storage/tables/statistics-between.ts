import { asserted } from '../../domain/errors.ts'
import { addSums, DAY_MS, type PaymentSums, startOf } from '../../domain/statistics.ts'

/** Lists rows of quarter hours or days that start in a range. */
type List<R> = (minutes: 15 | 1440, start: number, end: number) => Promise<R[]>

/** The grouping of rows: the name of a row's group, and the empty sums of a group. */
interface Kind<S> {
  nameOf(row: S): string
  none(row: S): S
}

const dayOf = (at: number): number => startOf(at, DAY_MS)

/**
 * Returns the sums between each boundary and the next one, by the name of their group. Reads days. For a
 * boundary inside a day, also reads the quarter hours of the day's shorter part. For a year by day in any
 * time zone, that is at most half the rows.
 */
export async function sumsBetween<S extends PaymentSums, R extends S & { startsAt: number }>(
  list: List<R>,
  { nameOf, none }: Kind<S>,
  boundaries: readonly number[],
): Promise<Map<string, S>[]> {
  const [first, last] = [boundaries[0], boundaries.at(-1)]
  if (first === undefined || last === undefined) return []

  function add(sums: Map<string, S>, rows: Iterable<S>, sign: 1 | -1): void {
    for (const row of rows) {
      const name = nameOf(row)
      const before = sums.get(name) ?? none(row)
      sums.set(name, addSums(before, row, sign))
    }
  }
  const days = Map.groupBy(await list(1440, dayOf(first), dayOf(last) + DAY_MS), ({ startsAt }) => startsAt)

  /** Returns the sums from the start of the UTC day until `at`. */
  async function until(at: number): Promise<Map<string, S>> {
    const sums = new Map<string, S>()
    const start = dayOf(at)
    const day = days.get(start)
    if (at === start || !day) return sums
    if (at - start <= DAY_MS / 2) add(sums, await list(15, start, at), 1)
    else {
      add(sums, day, 1)
      add(sums, await list(15, at, start + DAY_MS), -1)
    }
    return sums
  }

  const periods: Map<string, S>[] = []
  let before = await until(first)
  for (const [index, end] of boundaries.slice(1).entries()) {
    const sums = new Map<string, S>()
    for (
      let at = dayOf(asserted(boundaries[index], 'each range has its beginning'));
      at < dayOf(end);
      at += DAY_MS
    )
      add(sums, days.get(at) ?? [], 1)
    const after = await until(end)
    add(sums, after.values(), 1)
    add(sums, before.values(), -1)
    before = after
    periods.push(sums)
  }
  return periods
}
