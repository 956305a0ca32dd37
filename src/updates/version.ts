/** The versions of releases, such as 1.4.0 or 1.5.0-rc.1. */
const pattern = /^(\d{1,9})[.](\d{1,9})[.](\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?$/

export const isVersion = (text: string): boolean => pattern.test(text)

/** Returns true for a version such as 1.5.0-rc.1, which is published for tests before version 1.5.0. */
export const isPreview = (version: string): boolean => version.includes('-')

const comparePart = (one: string, other: string): number => {
  const [a, b] = [one, other].map(part => (/^\d+$/.test(part) ? Number(part) : null))
  if (a !== null && a !== undefined && b !== null && b !== undefined) return a - b
  // Numeric identifiers precede all others.
  if (a !== null) return -1
  if (b !== null) return 1
  return one < other ? -1 : Number(one > other)
}

/** Returns a positive number if `one` is newer than `other`, by the rules of Semantic Versioning. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map(version => pattern.exec(version)?.slice(1) ?? [])
  for (const at of [0, 1, 2]) {
    const difference = Number(a?.[at]) - Number(b?.[at])
    if (difference !== 0) return difference
  }
  const [before, after] = [a?.[3], b?.[3]]
  if (before === undefined || after === undefined) {
    return Number(before === undefined) - Number(after === undefined)
  }
  const [left, right] = [before.split('.'), after.split('.')]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = comparePart(left[at] ?? '', right[at] ?? '')
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
