const REMEMBERED_MAX = 1000
/** The longest text whose result is remembered. Longer texts come from strangers, and only once. */
const LENGTH_MAX = 40

/**
 * Makes a function of a text remember its results, for texts that come again and again: a page of offers
 * reads the same few prices and minimums for each coin.
 */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = read(text)
    if (known.size >= REMEMBERED_MAX) known.clear()
    if (text.length <= LENGTH_MAX) known.set(text, value)
    return value
  }
}
