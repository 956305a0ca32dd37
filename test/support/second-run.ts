import { readFileSync, rmSync } from 'node:fs'

/** Failures in more files than this are no accident. */
const MOST_FILES = 3
/**
 * These tests try something else each time, so what they find once is a fault, even if it cannot be repeated.
 */
const RANDOM = /^test\/(crash|simulation|replica)\/|races|mutations|same-answers/

/** The files with failed tests, from the JUnit report of a run. Removes the report. */
export function failedFiles(report: string): string[] {
  try {
    const suites = readFileSync(report, 'utf8').matchAll(
      /^ {2}<testsuite name="([^"]+)".* failures="(\d+)"/gm,
    )
    return [...suites].filter(([, , failures]) => Number(failures) > 0).map(([, file]) => file!)
  } catch {
    return []
  } finally {
    rmSync(report, { force: true })
  }
}

/**
 * True if a second run of these files can show that they failed by accident, for example on a slow machine.
 */
export const isWorthASecondRun = (files: string[]): boolean =>
  files.length > 0 && files.length <= MOST_FILES && !files.some(file => RANDOM.test(file))
