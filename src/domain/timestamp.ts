const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.](\d{1,9}))?(?:[Zz]|[+-](\d{2}):(\d{2}))$/

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Parses an RFC 3339 date-time; null if invalid, such as 30 February or a time without an offset. */
export function parseTimestamp(value: string): number | null {
  const match = pattern.exec(value)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  if (Number(match[8] ?? 0) > 23 || Number(match[9] ?? 0) > 59) return null
  const at = Date.parse(value.toUpperCase())
  return Number.isNaN(at) ? null : at
}

/** A time for people: "2026-11-22 12:34 UTC". */
export const readableTime = (at: number): string =>
  `${formatTimestamp(at).slice(0, 16).replace('T', ' ')} UTC`

const DAY_MS = 86_400_000

const digits = (length: number): string[] =>
  Array.from({ length: 10 ** length }, (_, value) => String(value).padStart(length, '0'))
const two = digits(2)
const three = digits(3)

/** The last time that a Date can hold; negated, the first. */
const LAST = 8.64e15

/** Formatted dates by day number. They are cached, because most times of an order fall on two days. */
const knownDates = new Map<number, string>()
const DATES_MAX = 100

function dateOf(day: number): string {
  const known = knownDates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (knownDates.size >= DATES_MAX) knownDates.clear()
  knownDates.set(day, date)
  return date
}

/** Like `toISOString`, with the date cached: a list formats many times of the same few days. */
export function formatTimestamp(at: number): string {
  if (!Number.isInteger(at) || Math.abs(at) > LAST) return new Date(at).toISOString()
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${dateOf(day)}${two[hours]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[ms % 1000]}Z`
}
