/** The codecs throw at a text that is none of theirs; to a reader of addresses that is an answer. */
export function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
