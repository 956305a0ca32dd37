/** What a codec decodes; null where it throws because the string is malformed. */
export function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
