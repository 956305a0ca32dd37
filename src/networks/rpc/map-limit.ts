/** Does a piece of work for each item, a few at the same time; the results are in the order of the items. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let next = 0; next < items.length; next += most) {
    results.push(...(await Promise.all(items.slice(next, next + most).map(work))))
  }
  return results
}
