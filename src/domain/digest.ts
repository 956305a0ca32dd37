/** When a digest is sent, and the time that it covers. */
export interface DigestTimes {
  from: number
  /** when the last digest was due: the end of the covered time */
  to: number
  /** when the next digest is due */
  next: number
}

/**
 * A digest is sent exactly once a day, even if its hour does not exist or occurs twice on that day. It covers
 * the time since the previous day's digest.
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

/** A digest that could not be sent within this time is skipped. */
export const DIGEST_GIVE_UP_MS = 6 * 3600_000
export const DIGEST_RETRY_MS = 15 * 60_000
