import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The duration of each file, in milliseconds, in the format that Bun reads and writes. */
interface Timings {
  version: 1
  files: Record<string, number>
}

/** Committed; `npm test -- --measure` rewrites it. Files that take less are not in it: they can start at any time. */
const MEASURED = 'test/timings.json'
const LISTED_MS = 500
/** The fast tests leave out files that take longer. */
const FAST_MAX_MS = 1000
/** A file that takes this share of a run, and this many times as long as expected, may start too late. */
const LONG_SHARE = 0.1
const UNEXPECTED_TIMES = 4

const read = (file: string): Timings => JSON.parse(readFileSync(file, 'utf8'))

const write = (file: string, { version, files }: Timings): void => {
  const slowestFirst = Object.entries(files).sort(([, a], [, b]) => b - a)
  writeFileSync(file, `${JSON.stringify({ version, files: Object.fromEntries(slowestFirst) }, null, 2)}\n`)
}

const testFiles = (): string[] => [...new Bun.Glob('test/**/*.test.ts').scanSync()]

/**
 * Writes timings of all test files into a folder, and returns the path. Bun starts the slowest first, but
 * hardly keeps an order if some are missing.
 */
export function completeTimings(folder: string): string {
  const { files: measured } = read(MEASURED)
  const files = Object.fromEntries(testFiles().map(file => [file, measured[file] ?? LISTED_MS]))
  const complete = join(folder, 'timings.json')
  write(complete, { version: 1, files })
  return complete
}

/** The files that the fast tests leave out. */
export const slowFiles = (): string[] =>
  Object.entries(read(MEASURED).files).flatMap(([file, ms]) => (ms > FAST_MAX_MS ? [file] : []))

/** Rewrites the committed file from the durations of a run. */
export function keepTimings(durations: Record<string, number>): void {
  const slow = testFiles().filter(file => (durations[file] ?? 0) >= LISTED_MS)
  write(MEASURED, { version: 1, files: Object.fromEntries(slow.map(name => [name, durations[name]!])) })
}

/** The long files that start too late, because the committed timings expect them to be short. */
export function unexpected(durations: Record<string, number>, runMs: number): string[] {
  const { files } = read(MEASURED)
  return Object.entries(durations)
    .filter(([file, ms]) => ms > LONG_SHARE * runMs && ms > UNEXPECTED_TIMES * (files[file] ?? LISTED_MS))
    .map(([file, ms]) => `${file} (${Math.round(ms / 1000)} s)`)
}
