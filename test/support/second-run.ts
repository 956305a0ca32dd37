import { readFileSync, rmSync } from 'node:fs'

/** Failures in more files than this are not accidents. */
const MOST_FILES = 3
/** These tests try something else each time, so a failure counts even if it cannot be repeated. */
const RANDOM = /^test\/(crash|simulation|replica)\/|races|mutations|same-answers/

const SUITE = /^ {2}<testsuite name="([^"]+)".* failures="(\d+)".* time="([\d.]+)"/gm
const CASE = /^ *<testcase name="([^"]+)".* time="([\d.]+)" file="([^"]+)"/gm

interface Report {
  /** files with failed tests */
  failed: string[]
  /** tests that took more than half of the allowed time, so that a slower machine may fail them */
  slow: string[]
  /** the duration of each file, in milliseconds */
  durations: Record<string, number>
}

/** Reads the JUnit report of a run, and removes it. */
export function readReport(report: string, timeoutMs: number): Report {
  try {
    const text = readFileSync(report, 'utf8')
    const suites = [...text.matchAll(SUITE)]
    const failed = suites.filter(([, , failures]) => Number(failures) > 0)
    const slow = [...text.matchAll(CASE)].filter(([, , seconds]) => Number(seconds) * 2000 > timeoutMs)
    return {
      failed: failed.map(([, file]) => file!),
      slow: slow.map(([, name, seconds, file]) => `${file}, ${name}: ${Math.round(Number(seconds))} s`),
      durations: Object.fromEntries(
        suites.map(([, file, , seconds]) => [file!, Math.round(Number(seconds) * 1000)]),
      ),
    }
  } catch {
    return { failed: [], slow: [], durations: {} }
  } finally {
    rmSync(report, { force: true })
  }
}

/** True if a second run of these files can show that they failed by accident, such as on a slow machine. */
export const isWorthASecondRun = (files: string[]): boolean =>
  files.length > 0 && files.length <= MOST_FILES && !files.some(file => RANDOM.test(file))
