import { isWithin } from '../../../domain/clock.ts'
import type { Context } from '../../context.ts'

const REPEAT_MS = 3600_000
/** Max lines that are remembered. Their reasons name only currencies and minimums, so few lines differ. */
const KNOWN_MAX = 1000

export type LogContext = Pick<Context, 'log' | 'clock'>

/** The time when each line was last logged, by its text. */
const logged = new WeakMap<Context['log'], Map<string, number>>()

/** Logs what is true of every page of a kind, at most once an hour: otherwise each visit would repeat it. */
export function logNew({ log, clock }: LogContext, fields: Record<string, string>, event: string): void {
  const known = logged.get(log) ?? new Map<string, number>()
  logged.set(log, known)
  const text = `${event} ${Object.values(fields).join(' ')}`
  const at = known.get(text)
  const now = clock()
  if (at !== undefined && isWithin(REPEAT_MS, at, now)) return
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, now)
  log.info(fields, event)
}
