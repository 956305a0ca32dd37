import { expect, test } from 'bun:test'
import { nextCheckAt } from '../../../src/operations/payments/steps/schedule-check.ts'
import { attempt } from '../domain/given.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const END = 1000 * DAY
/** The pause until the next check of an address with an unconfirmed payment; null if there is no further check. */
function pauseAt(now: number, isAwaited = true): number | null {
  const confirming = attempt({ state: 'confirming', watchUntil: END, checkedAt: now })
  const at = nextCheckAt(confirming, now, isAwaited)
  return at && at - now
}

test('a payment that is being confirmed is checked every 30 seconds until its watch ends', () => {
  expect(pauseAt(END - DAY)).toBe(30_000)
  expect(pauseAt(END - MINUTE)).toBe(30_000)
})

test('a payment that is never confirmed is checked about every hour for 30 days more, and then no longer', () => {
  expect(pauseAt(END)).toBe(50 * MINUTE)
  expect(pauseAt(END + 30 * DAY - MINUTE)).toBeLessThanOrEqual(HOUR)
  expect(pauseAt(END + 30 * DAY)).toBe(null)
  expect(pauseAt(END, false)).toBe(null)
})
