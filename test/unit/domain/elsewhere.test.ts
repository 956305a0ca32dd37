import { expect, test } from 'bun:test'
import {
  dueSince,
  type Elsewhere,
  firstLookAt,
  isElsewhere,
  isUnread,
  lookAt,
  nextLookAt,
  noLooks,
  withLook,
} from '../../../src/domain/elsewhere.ts'
import { attempt } from './given.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const [LOCK, GRACE, WATCH] = [30 * MINUTE, 90 * MINUTE, 30 * MINUTE + 3 * DAY]
const given = (change = {}) => attempt({ lockedUntil: LOCK, graceUntil: GRACE, watchUntil: WATCH, ...change })
const asked = (askedAt: number | null) => ({ ...noLooks('attempt'), askedAt })
const read = (known: Elsewhere, readAt: number) => withLook(known, 'base', { readAt })

test.each([
  [LOCK - 1, null],
  [LOCK, LOCK],
  [GRACE - 1, LOCK],
  [GRACE, GRACE],
  [LOCK + DAY - 1, GRACE],
  [LOCK + DAY, LOCK + DAY],
  [LOCK + 2 * DAY + 1, LOCK + 2 * DAY],
  [WATCH, WATCH],
  [WATCH + DAY, WATCH],
])('at %d ms, a search of other chains is due since %p', (now, since) => {
  expect(dueSince(given(), asked(null), now)).toBe(since)
})

test('a payment on another chain than that of the coin arrives elsewhere', () => {
  expect(['polygon', 'base'].map(chain => isElsewhere(attempt(), chain))).toEqual([false, true])
})

test('a search of other chains is due when a buyer requests it, and at the end of a settled attempt’s watch', () => {
  expect(dueSince(given(), asked(5), LOCK - 1)).toBe(5)
  expect(dueSince(given(), asked(LOCK + 5), LOCK + 10)).toBe(LOCK + 5)
  expect(dueSince(given(), asked(LOCK + 5), GRACE)).toBe(GRACE)
  expect(dueSince(given(), asked(LOCK), LOCK - 1)).toBeNull()
  const settled = given({ state: 'settled' })
  expect([dueSince(settled, asked(null), WATCH - 1), dueSince(settled, asked(null), WATCH)]).toEqual([
    null,
    WATCH,
  ])
})

test('a chain counts as unread until it was read since, and not in the future', () => {
  const at = (readAt: number | null) => isUnread({ readAt, failedAt: null, cursor: null }, 10, 20)
  expect([null, 9, 10, 20, 21].map(at)).toEqual([true, true, false, false, true])
  expect(lookAt(noLooks('attempt'), 'base').readAt).toBeNull()
  const known = withLook(read(noLooks('attempt'), 7), 'base', { failedAt: 9 })
  expect(lookAt(known, 'base')).toEqual({ readAt: 7, failedAt: 9, cursor: null })
})

test('the next search of other chains is at the next scheduled time, and sooner for unread or followed chains', () => {
  const next = (now: number, known: Elsewhere, isFollowed = false) =>
    nextLookAt(given(), known, ['base'], isFollowed, now)
  expect(firstLookAt(given())).toBe(LOCK)
  expect(firstLookAt(given({ lockedUntil: LOCK + 1 }))).toBe(LOCK + MINUTE)
  expect(next(0, asked(null))).toBe(LOCK)
  expect(next(LOCK, read(asked(null), LOCK))).toBe(GRACE)
  expect(next(GRACE, read(asked(null), GRACE))).toBe(LOCK + DAY)
  expect(next(WATCH, read(asked(null), WATCH))).toBeNull()
  // A chain that could not be read is tried again after as long as it could not be read.
  expect(next(LOCK, asked(null))).toBe(LOCK + MINUTE)
  expect(next(LOCK + 5 * MINUTE, asked(null))).toBe(LOCK + 10 * MINUTE)
  expect(next(WATCH + 2 * DAY, asked(null))).toBe(WATCH + 3 * DAY)
  expect(next(LOCK, read(asked(null), LOCK), true)).toBe(LOCK + MINUTE)
  // At least half a minute ahead, and aligned to minutes.
  const half = LOCK + MINUTE / 2
  expect([half, half + 1].map(now => next(now, read(asked(null), LOCK), true))).toEqual([
    LOCK + MINUTE,
    LOCK + 2 * MINUTE,
  ])
  expect(next(WATCH, read(asked(null), WATCH), true)).toBe(WATCH + MINUTE)
})
