import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { CalendarDate } from '../../domain/calendar.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { Movement } from '../../operations/reports/movement.ts'

/** The movements of a shop, and for whom they are written. */
export interface Books {
  locale: DashboardLocale
  timeZone: string
  firstDay: CalendarDate
  lastDay: CalendarDate
  /** of files that have one currency */
  currency: string
  /** of a CSV file, if the person chose one */
  separator: ',' | ';' | null
  now: number
  movements: AsyncIterable<Movement>
  /** of the same days */
  invoices: AsyncIterable<Invoice>
}
