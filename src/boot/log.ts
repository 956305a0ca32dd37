import type { Log } from '../domain/log.ts'
import { stderr } from './stderr.ts'

/** Secrets that must never appear in a log line. */
const secrets: [pattern: RegExp, mask: string][] = [
  [/florin_(live|test)_[0-9A-Za-z]+/g, 'florin_$1_***'],
  [/whsec_[0-9A-Za-z]+/g, 'whsec_***'],
  [/([?&](?:secret|ipn_token|address_in|token|key|apikey)=)[^&"\s\\]+/gi, '$1***'],
  [/(https?:\/\/)[^/@"\s]+@/g, '$1***@'],
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g, '***@***'],
]

/** Matches a line that may contain a secret. Few lines match. */
const mayHaveSecret = /florin_|whsec_|[@?&]/

const scrub = (line: string): string =>
  mayHaveSecret.test(line)
    ? secrets.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line)
    : line

type Level = keyof Log
const levels: readonly string[] = ['debug', 'info', 'warn', 'error']

/**
 * Converts what JSON cannot hold: a bigint, or an object that refers to itself. The line must not be lost.
 */
function jsonOf(line: object): string {
  try {
    return JSON.stringify(line)
  } catch {
    const isPlain = (value: unknown) =>
      value == null || typeof value === 'number' || typeof value === 'boolean'
    const plain = Object.entries(line).map(([key, value]) => [key, isPlain(value) ? value : String(value)])
    return JSON.stringify(Object.fromEntries(plain))
  }
}

let timeAt = Number.NaN
let timeText = ''

/** The current time, cached per millisecond: formatting it takes as long as all fields of a line. */
function timeNow(): string {
  const now = Date.now()
  if (now !== timeAt) timeText = new Date(now).toISOString()
  timeAt = now
  return timeText
}

const quiet = () => {}

/** Writes JSON lines to standard error. Standard output is for the command's answer. */
export function makeLog(level: string, print: (line: string) => void = line => stderr.write(line)): Log {
  const least = level === 'silent' ? levels.length : levels.indexOf(level)
  const write = (name: Level) => (fields: object, event: string) => {
    const line = { level: name, time: timeNow(), ...fields, msg: event }
    print(`${scrub(jsonOf(line))}\n`)
  }
  const methodOf = (name: Level) => (levels.indexOf(name) < least ? quiet : write(name))
  return {
    debug: methodOf('debug'),
    info: methodOf('info'),
    warn: methodOf('warn'),
    error: methodOf('error'),
  }
}
