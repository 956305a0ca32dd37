import type { Network, Watch, WatchResult } from '../../../networks/port.ts'

/** The upstream counts as unavailable after this many failures without a success. */
const FAILURES_MAX = 7
const SCANS_MAX = 40
/** After this time, an upstream gets no further scans. */
const TIME_MS = 20_000

interface ScanOutcome {
  results: WatchResult[]
  /** the errors of the first scan, and of scans of single watches */
  failures: unknown[]
}

/**
 * Scans watches together. If that fails, scans halves of them, until each failing watch is isolated. Throws
 * the first error if nothing could be scanned.
 */
export async function scanApart(
  network: Network,
  watches: Watch[],
  clock: () => number,
): Promise<ScanOutcome> {
  const endsAt = clock() + TIME_MS
  const waiting = [watches]
  const results: WatchResult[] = []
  const failures: unknown[] = []
  let failed = 0
  let scans = 0
  for (let group = waiting.shift(); group && scans < SCANS_MAX; group = waiting.shift()) {
    scans += 1
    const outcome = await network.scan(group).catch((error: unknown) => ({ error }))
    if (!('error' in outcome)) {
      results.push(...outcome)
      continue
    }
    failed += 1
    if (scans === 1 || group.length === 1) failures.push(outcome.error)
    if (failed === scans && failed === FAILURES_MAX) break
    if (clock() < endsAt) waiting.push(...halvesOf(group))
  }
  if (failed === scans) throw failures[0]
  return { results, failures }
}

function halvesOf(group: Watch[]): Watch[][] {
  const half = Math.ceil(group.length / 2)
  return group.length > 1 ? [group.slice(0, half), group.slice(half)] : []
}
