import { describe, expect, test } from 'bun:test'
import {
  alertsDue,
  comesBefore,
  type DeliveryTry,
  isTooEarly,
  nextAlertAt,
  nextTryAt,
  shouldDisable,
  type Webhook,
  withTry,
} from '../../../src/domain/webhook.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const START = 100 * DAY

const failing = (change: Partial<Webhook>): Webhook =>
  ({ failingSince: START, failures: 20, alerts: 0, ...change }) as Webhook

test.each<[failingSince: number | null, failures: number, now: number, isDisabled: boolean]>([
  [START, 20, START + 5 * DAY, true],
  [START, 20, START + 5 * DAY - 1, false],
  [START, 19, START + 5 * DAY, false],
  [START, 1000, START + 1, false],
  [null, 20, START + 5 * DAY, false],
])('failing since %p, %p times, at %p: disabled is %p', (failingSince, failures, now, isDisabled) => {
  expect(shouldDisable(failing({ failingSince, failures }), now)).toBe(isDisabled)
})

describe('notifications about a failing webhook', () => {
  test('come an hour and a day after the first failure', () => {
    const next = [0, 1, 2].map(alerts => nextAlertAt(failing({ alerts })))
    expect(next).toEqual([START + HOUR, START + DAY, null])
    expect(nextAlertAt(failing({ failingSince: null }))).toBeNull()
  })
  test('a late notification replaces those before it', () => {
    const due = [HOUR - 1, HOUR, DAY - 1, DAY].map(later => alertsDue(failing({}), START + later))
    expect(due).toEqual([0, 1, 1, 2])
    expect(alertsDue(failing({ failingSince: null }), START + DAY)).toBe(0)
  })
})

test('a plugin gets InvoiceProcessing before InvoicePaymentSettled, and not the reverse', () => {
  expect(comesBefore('InvoiceProcessing', 'InvoicePaymentSettled')).toBe(true)
  expect(comesBefore('InvoicePaymentSettled', 'InvoiceProcessing')).toBe(false)
})

test('a delivery is tried until exactly three days after the first try', () => {
  const at = START + 3 * DAY - 12 * HOUR
  expect(nextTryAt(12, START, at, 0.5)).toBe(START + 3 * DAY)
  expect(nextTryAt(12, START, at + 1, 0.5)).toBeNull()
})

test('a try is too early before its time, unless the time was written while the clock was ahead', () => {
  const times = [START - 1, START, START + 1, START + 12 * HOUR]
  const early = (updatedAt: number) => times.map(at => isTooEarly(at, { updatedAt }, START))
  for (const updatedAt of [START - DAY, START + 60_000])
    expect(early(updatedAt)).toEqual([false, false, true, true])
  expect(early(START + 60_001)).toEqual([false, false, false, false])
})

test('a delivery keeps the responses of its last five tries', () => {
  const tried = (at: number): DeliveryTry => ({
    ...{ at, httpStatus: 500, outcome: 'refused', durationMs: 1 },
    answer: { type: null, body: `${at}`, isCut: false },
  })
  const tries = [1, 2, 3, 4, 5, 6, 7].map(tried).reduce<DeliveryTry[]>(withTry, [])
  expect(tries.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(tries.map(({ answer }) => answer?.body ?? null)).toEqual([null, null, '3', '4', '5', '6', '7'])
})
