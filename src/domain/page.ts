/** A position in a list, newest first: the page has the rows after this time and ID. */
export interface PageStart {
  /** in milliseconds since 1970 UTC */
  at: number
  id: string
}

export interface Page<T> {
  items: T[]
  next: PageStart | null
}

/** Makes a page of rows. Expects one row more than `size` if there is a next page. */
export function pageOf<T>(rows: T[], size: number, startOf: (row: T) => PageStart): Page<T> {
  const items = rows.slice(0, size)
  const last = items.at(-1)
  if (rows.length <= size || last === undefined) return { items, next: null }
  return { items, next: startOf(last) }
}

/** Start of a page in a list that is read in both directions. */
export interface PageTurn extends PageStart {
  /** `older` for the rows before this one in time, `newer` for the rows after it */
  direction: 'older' | 'newer'
}

/** A page of a list that is read in both directions, newest first. */
export interface TwoWayPage<T> {
  items: T[]
  /** starts of the neighbouring pages; null if there is none */
  newer: PageStart | null
  older: PageStart | null
}

/**
 * Makes a page of rows, sorted newest first. Expects one row more than `size` in the direction of `turn` if
 * there is a further page.
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
