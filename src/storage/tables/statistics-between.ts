import { DAY_MS } from '../../domain/statistics.ts'

interface Row {
  startsAt: number
}

/** A row that counts, or one that is taken away from the sums of a day. */
interface Signed<R> {
  row: R
  sign: 1 | -1
}

/** Lists the rows of quarter hours, or of days, that start in a range. */
type List<R> = (minutes: 15 | 1440, from: number, to: number) => Promise<R[]>

const dayOf = (at: number): number => at - (at % DAY_MS)

const signed = <R>(rows: R[], sign: 1 | -1): Signed<R>[] => rows.map(row => ({ row, sign }))

const negated = <R>(rows: Signed<R>[]): Signed<R>[] =>
  rows.map(({ row, sign }) => ({ row, sign: sign === 1 ? -1 : 1 }))

/**
 * The rows whose sums are the sums from each boundary until the next one. Reads the days, and at each
 * boundary inside a day the quarter hours of the shorter part of it: for a year by day in any time zone, that
 * is at most half the rows.
 */
export async function rowsBetween<R extends Row>(
  list: List<R>,
  boundaries: readonly number[],
): Promise<Signed<R>[][]> {
  const [first, last] = [boundaries[0], boundaries.at(-1)]
  if (first === undefined || last === undefined) return []
  const days = Map.groupBy(await list(1440, dayOf(first), dayOf(last) + DAY_MS), ({ startsAt }) => startsAt)

  /** The rows from the start of the UTC day. */
  async function until(at: number): Promise<Signed<R>[]> {
    const start = dayOf(at)
    const day = days.get(start) ?? []
    if (at === start || day.length === 0) return []
    if (at - start <= DAY_MS / 2) return signed(await list(15, start, at), 1)
    return [...signed(day, 1), ...signed(await list(15, at, start + DAY_MS), -1)]
  }

  const periods: Signed<R>[][] = []
  let before = await until(first)
  for (const [index, end] of boundaries.slice(1).entries()) {
    const rows = negated(before)
    for (let at = dayOf(boundaries[index]!); at < dayOf(end); at += DAY_MS) {
      rows.push(...signed(days.get(at) ?? [], 1))
    }
    before = await until(end)
    periods.push([...rows, ...before])
  }
  return periods
}
