import { type CalendarDate, countDays, dateAt, isDate, timeZoneNamed } from '../../../domain/calendar.ts'
import { invalid, Refusal } from '../../../domain/errors.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** The longest range of a report: ten years. */
const DAYS_MAX = 3660

export interface RangeRequest {
  merchantId: string
  /** first day, in the time zone */
  from: CalendarDate
  /** last day; today by default */
  to?: CalendarDate | undefined
  /** the merchant's time zone by default */
  timeZone?: string | undefined
}

interface Range {
  firstDay: CalendarDate
  lastDay: CalendarDate
  timeZone: string
}

/** Checks the range of a report. */
export async function rangeOf(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  { merchantId, from, to: given, timeZone }: RangeRequest,
): Promise<Range> {
  const merchant = await tables.merchants.find(merchantId)
  if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
  const zone = timeZoneNamed(timeZone ?? merchant.timeZone)
  if (zone === null) {
    throw invalid('time-zone', 'must be the name of a time zone, such as Europe/Berlin or UTC')
  }
  const to = given ?? dateAt(clock(), zone)
  for (const [name, date] of Object.entries({ from, to })) {
    if (!isDate(date)) throw invalid(name, 'must be a date such as 2026-03-31')
  }
  if (to < from) throw invalid('to', 'must not be before the first day')
  if (countDays(from, to) > DAYS_MAX) {
    throw invalid('to', `must be at most ${DAYS_MAX} days after the first day`)
  }
  return { firstDay: from, lastDay: to, timeZone: zone }
}
