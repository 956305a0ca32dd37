import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { numberFormat } from '../../views/formats.ts'

const KB = 1024
const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in the language of the page: "3.4 MB". */
export function sizeText({ formats }: Pick<DashboardLocale, 'formats'>, bytes: number): string {
  const power = Math.max(1, Math.min(units.length, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(KB))))
  const unit = units[power - 1]
  return numberFormat(formats, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / KB ** power)
}
