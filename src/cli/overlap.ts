import { OVERLAP_MAX_MS } from '../domain/api-key.ts'
import { invalid } from '../domain/errors.ts'
import { duration } from '../settings/parsers.ts'

/** Parses how long a former secret stays valid beside the new one, in milliseconds. */
export function parseOverlap(value: string): number {
  try {
    return value === '0' ? 0 : duration(0, OVERLAP_MAX_MS, 'at most 30d')(value)
  } catch {
    throw invalid('overlap', 'must be 0 or a duration of at most 30 days, such as 90m, 24h or 7d')
  }
}
