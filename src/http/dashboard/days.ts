import { addDays, isDate, startOfDay } from '../../domain/calendar.ts'

/** The time of a day such as "2026-11-22" in a time zone: from its first moment to that of the next day. */
export const dayOf = (text: string, timeZone: string): { from: number; to: number } | null =>
  isDate(text) ? { from: startOfDay(text, timeZone), to: startOfDay(addDays(text, 1), timeZone) } : null
