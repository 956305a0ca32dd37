/** A position in a list, newest first: the page has the rows after this time and id. */
export interface PageStart {
  /** milliseconds since 1970 UTC */
  at: number
  id: string
}

export interface Page<T> {
  items: T[]
  /** where the next page starts; null on the last page */
  next: PageStart | null
}

/** Makes a page of rows that were queried with a limit of one more than the page size. */
export function pageOf<T>(rows: T[], size: number, startOf: (row: T) => PageStart): Page<T> {
  const items = rows.slice(0, size)
  const last = items.at(-1)
  if (rows.length <= size || last === undefined) return { items, next: null }
  return { items, next: startOf(last) }
}

/** Where a page begins, for lists that are read in both directions. */
export interface PageTurn extends PageStart {
  /** whether the page has the rows before this one in time, or those after it */
  direction: 'older' | 'newer'
}

/** A page of a list that is read in both directions, newest first. */
export interface TwoWayPage<T> {
  items: T[]
  /** where the neighbouring pages start; null if there is no such page */
  newer: PageStart | null
  older: PageStart | null
}

/**
 * Makes a page of rows that were queried with a limit of one more than the page size, in the direction of
 * `turn`. The rows are sorted newest first.
 */
export function twoWayPageOf<T>(
  rows: T[],
  size: number,
  turn: PageTurn | null,
  startOf: (row: T) => PageStart,
): TwoWayPage<T> {
  const isBack = turn?.direction === 'newer'
  const items = isBack ? rows.slice(-size) : rows.slice(0, size)
  const [first, last] = [items[0], items.at(-1)]
  const isMore = rows.length > size
  return {
    items,
    newer: first && (isBack ? isMore : turn !== null) ? startOf(first) : null,
    older: last && (isBack || isMore) ? startOf(last) : null,
  }
}
