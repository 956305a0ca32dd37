/**
 * Works on each item, on at most `limit` at a time. Returns the results in the order of the items. After a
 * failure, no further item is begun.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1])
  }
  try {
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  } finally {
    waiting.length = 0
  }
  return results
}
