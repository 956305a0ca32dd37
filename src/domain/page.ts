/** A position in a list, newest first: the page holds the rows after this instant and id. */
export interface PageStart {
  /** milliseconds since 1970 UTC */
  at: number
  id: string
}

export interface Page<T> {
  items: T[]
  /** where the next page starts; null on the last */
  next: PageStart | null
}

/** Cuts a page from rows of which one more than its size was asked for. */
export function pageOf<T>(rows: T[], size: number, startOf: (row: T) => PageStart): Page<T> {
  const items = rows.slice(0, size)
  const last = items.at(-1)
  if (rows.length <= size || last === undefined) return { items, next: null }
  return { items, next: startOf(last) }
}
