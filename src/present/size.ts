import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { numberFormat } from '../../views/formats.ts'

const KB = 1024
const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size in the language of the page: "3.4 MB". */
export function sizeText({ formats }: Pick<DashboardLocale, 'formats'>, bytes: number): string {
  const power = Math.max(1, Math.min(units.length, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(KB))))
  const unit = units[power - 1]
  return numberFormat(formats, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / KB ** power)
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/**
 * Formats a duration in the language of the page: "36 hours". Uses the largest unit of which there are at
 * least two.
 */
export function durationText({ formats }: Pick<DashboardLocale, 'formats'>, seconds: number): string {
  const [unit, length] = spans.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return numberFormat(formats, options).format(Math.max(0, Math.floor(seconds / length)))
}
