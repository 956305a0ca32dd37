/** When a digest is sent, and what time it is about. */
export interface DigestTimes {
  from: number
  /** the last time at which a digest was due: the end of what it is about */
  to: number
  /** when the next one is due */
  next: number
}

/**
 * A digest is sent once on every day of a time zone, also on days on which its hour does not exist or comes
 * twice. It is about the time since it was due the day before.
 */
export function digestTimes(hour: number, timeZone: string, now: number): DigestTimes {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const dueOn = (days: number): number =>
    today.add({ days }).toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds
  const at = dueOn(0)
  return at <= now
    ? { from: dueOn(-1), to: at, next: dueOn(1) }
    : { from: dueOn(-2), to: dueOn(-1), next: at }
}

/** A digest that could not be sent by then is left out. */
export const DIGEST_GIVE_UP_MS = 6 * 3600_000
export const DIGEST_RETRY_MS = 15 * 60_000
