import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { CalendarDate } from '../../domain/calendar.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { Movement } from '../../operations/reports/movement.ts'

/** The movements of a shop, and the settings with which they are written. */
export interface Books {
  locale: DashboardLocale
  timeZone: string
  firstDay: CalendarDate
  lastDay: CalendarDate
  /** currency of files that have only one */
  currency: string
  /** separator of a CSV file; null if the person chose none */
  separator: ',' | ';' | null
  now: number
  movements: AsyncIterable<Movement>
  /** invoices that were issued on the same days */
  invoices: AsyncIterable<Invoice>
}
