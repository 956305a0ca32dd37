/** Returns what `decode` returns; null if it throws, as codecs do for malformed text. */
export function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
