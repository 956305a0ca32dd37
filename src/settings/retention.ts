import type { Retention } from '../domain/retention.ts'
import { duration, list, type Read } from './parsers.ts'

const DAY_MS = 24 * 3600_000

const defaults: Retention = {
  idempotency: 30 * DAY_MS,
  tries: 90 * DAY_MS,
  abandoned: 30 * DAY_MS,
  tests: 90 * DAY_MS,
}

const kinds = Object.keys(defaults) as (keyof Retention)[]

const bounds = 'from 1d to 36500d'
const time = duration(DAY_MS, 36_500 * DAY_MS, bounds)

function entryOf(item: string): [keyof Retention, number | null] {
  const [name, value = ''] = item.split('=')
  const kind = kinds.find(known => known === name)
  try {
    if (kind) return [kind, value === 'never' ? null : time(value)]
  } catch {
    // The error below names the item.
  }
  const durations = `a duration such as 48h or 30d, ${bounds}, or never`
  throw new Error(`lists "${item}", which is not ${kinds.join('=, ')}= and ${durations}`)
}

/** Parses FLORIN_RETENTION: KIND=DURATION, comma-separated. A kind that is not named keeps its default. */
export const retention: Read<Retention> = value => {
  const entries = list(value).map(entryOf)
  const repeated = entries.find(([kind], at) => entries.findIndex(([other]) => other === kind) !== at)
  if (repeated) throw new Error(`lists "${repeated[0]}" twice`)
  return { ...defaults, ...Object.fromEntries(entries) }
}
