/** The time of a day such as "2026-11-22" in a time zone: from its first moment to that of the next day. */
export function dayOf(text: string, timeZone: string): { from: number; to: number } | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null
  try {
    const day = Temporal.PlainDate.from(text)
    const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(timeZone).epochMilliseconds
    return { from: startOf(day), to: startOf(day.add({ days: 1 })) }
  } catch {
    return null
  }
}
