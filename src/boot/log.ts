import type { Log } from '../domain/log.ts'
import { stderr } from './stderr.ts'

/** Patterns of secrets that must never appear in a log line. */
const secrets: [pattern: RegExp, mask: string][] = [
  [/florin_(live|test)_[0-9A-Za-z]+/g, 'florin_$1_***'],
  [/whsec_[0-9A-Za-z]+/g, 'whsec_***'],
  [/([?&](?:secret|ipn_token|address_in|token|key|apikey)=)[^&"\s\\]+/gi, '$1***'],
  [/(https?:\/\/)[^/@"\s]+@/g, '$1***@'],
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g, '***@***'],
]

/** What every secret contains. Most lines do not. */
const mayHaveSecret = /florin_|whsec_|[@?&]/

const scrub = (line: string): string =>
  mayHaveSecret.test(line)
    ? secrets.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line)
    : line

const levels = ['debug', 'info', 'warn', 'error'] as const

/** The fields as texts, if JSON cannot hold them. */
const asTexts = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...fields, msg })
  } catch {
    return JSON.stringify({ level, time, ...asTexts(fields), msg })
  }
}

/** Writes JSON lines to standard error; standard output is for the command's answer. */
export function makeLog(level: string, print: (line: string) => void = line => stderr.write(line)): Log {
  const least = levels.indexOf(level as (typeof levels)[number])
  const methods = levels.map((name, rank): [keyof Log, Log[keyof Log]] => {
    const isLogged = least !== -1 && rank >= least
    return [name, isLogged ? (fields, event) => print(scrub(`${lineOf(name, fields, event)}\n`)) : () => {}]
  })
  return Object.fromEntries(methods) as unknown as Log
}
