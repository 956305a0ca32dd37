import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The duration of each file, in milliseconds, in the format that Bun reads and writes. */
interface Timings {
  version: 1
  files: Record<string, number>
}

/** This file is committed; `npm test -- --measure` rewrites it. */
const MEASURED = 'test/timings.json'
const UNKNOWN_MS = 3_000

const read = (file: string): Timings => JSON.parse(readFileSync(file, 'utf8'))

const write = (file: string, { version, files }: Timings): void => {
  const slowestFirst = Object.entries(files).sort(([, a], [, b]) => b - a)
  writeFileSync(file, `${JSON.stringify({ version, files: Object.fromEntries(slowestFirst) }, null, 2)}\n`)
}

const testFiles = (): string[] => [...new Bun.Glob('test/**/*.test.ts').scanSync()]

/** The folder of tests that a file belongs to, such as `test/http` for everything below it. */
const kindOf = (file: string): string => file.split('/').slice(0, 2).join('/')

/** Estimates the duration of an unmeasured file as the average of its neighbours. */
function estimator({ files }: Timings): (file: string) => number {
  const known = Object.entries(files)
  return file => {
    const near = known.filter(([name]) => kindOf(name) === kindOf(file))
    const total = near.reduce((sum, [, ms]) => sum + ms, 0)
    return near.length > 0 ? Math.round(total / near.length) : UNKNOWN_MS
  }
}

/**
 * Writes timings of all test files into a folder, and returns the path. Bun starts the slowest first, but
 * hardly keeps an order if some are missing.
 */
export function completeTimings(folder: string): string {
  const measured = read(MEASURED)
  const estimate = estimator(measured)
  const files = Object.fromEntries(testFiles().map(file => [file, measured.files[file] ?? estimate(file)]))
  const complete = join(folder, 'timings.json')
  write(complete, { version: 1, files })
  return complete
}

/** Merges Bun's timings of a run into the committed file. */
export function keepTimings(file: string, isMeasured: (file: string) => boolean): void {
  const { files } = read(file)
  const kept = testFiles().filter(isMeasured)
  write(MEASURED, { version: 1, files: Object.fromEntries(kept.map(name => [name, files[name]!])) })
}
