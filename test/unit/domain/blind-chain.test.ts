import { expect, test } from 'bun:test'
import {
  afterBlindTime,
  type BlindChain,
  blindSince,
  failedAgain,
  isBlind,
  isNews,
  isWorthNotice,
} from '../../../src/domain/blind-chain.ts'
import { attempt, forwardedAttempt } from './given.ts'

const MINUTE = 60_000
const START = 100 * MINUTE

/** The state after failed reads at these minutes. */
const after = (...minutes: number[]): BlindChain =>
  minutes.reduce<BlindChain | null>((known, at) => failedAgain(known, 'btc', START + at * MINUTE), null)!

test('a chain is blind from its second failed read, as long as reads continue to fail', () => {
  expect(isBlind(after(0), START)).toBe(false)
  expect(isBlind(after(0, 1), START + MINUTE)).toBe(true)
  expect(isBlind(after(0, 1), START + 4 * MINUTE - 1)).toBe(true)
  expect(isBlind(after(0, 1), START + 4 * MINUTE)).toBe(false)
  expect(isBlind({ ...after(0, 1), readAt: START }, START + MINUTE)).toBe(false)
})

test('failed reads count from the first in a row, which ends with a pause or a successful read', () => {
  expect(after(0)).toEqual({
    chain: 'btc',
    since: START,
    failedAt: START,
    failures: 1,
    readAt: null,
    notified: [],
  })
  expect(after(0, 1, 10)).toMatchObject({ since: START, failedAt: START + 10 * MINUTE, failures: 3 })
  const again = failedAgain({ ...after(0, 1), notified: ['shop'] }, 'btc', START + 11 * MINUTE)
  expect(again).toMatchObject({ since: START + 11 * MINUTE, failures: 1, notified: ['shop'] })
  const read = { ...after(0, 1), readAt: START + 2 * MINUTE, notified: ['shop'] }
  expect(failedAgain(read, 'btc', START + 3 * MINUTE)).toMatchObject({
    since: START + 3 * MINUTE,
    failures: 1,
    readAt: null,
    notified: [],
  })
  // The clock was ahead at the first failure.
  expect(failedAgain(after(5), 'btc', START + 4 * MINUTE).since).toBe(START + 4 * MINUTE)
})

test('merchants should be notified of a blind chain after ten minutes', () => {
  expect(isWorthNotice(after(0, 5), START + 10 * MINUTE - 1)).toBe(false)
  expect(isWorthNotice(after(0, 5), START + 10 * MINUTE)).toBe(true)
  expect(isWorthNotice(after(0), START + 10 * MINUTE)).toBe(false)
})

test('a read is stored if it changes the state', () => {
  const now = START + MINUTE
  expect([isNews(null, true, now), isNews(null, false, now)]).toEqual([true, false])
  expect([isNews(after(0), true, now), isNews(after(0), false, now)]).toEqual([true, true])
  expect(isNews(after(0, 1), true, now + 29_999)).toBe(false)
  expect(isNews(after(0, 1), true, now + 30_000)).toBe(true)
  const read = { ...after(0, 1), readAt: now }
  expect([isNews(read, true, now), isNews(read, false, now)]).toEqual([true, false])
})

/** An attempt whose chain was read at START. */
const read = (change: Parameters<typeof attempt>[0] = {}) =>
  attempt({
    ...{ createdAt: START, checkedAt: START, lockedUntil: START + 30 * MINUTE },
    ...{ graceLimit: START + 60 * MINUTE, watchUntil: START + 90 * MINUTE },
    ...change,
  })
const own = (failures: number) => ({ failures, chain: null })

test('an attempt is blind after two failed reads, or after one that is half a minute late', () => {
  const since = (failures: number, later: number) => blindSince(read(), own(failures), START + later)
  expect([since(0, MINUTE), since(1, 29_999), since(1, 30_000), since(2, 1)]).toEqual([
    ...[null, null, START],
    START,
  ])
  expect(blindSince(forwardedAttempt(), own(2), START)).toBeNull()
  const chain = after(0, 1)
  expect(blindSince(read(), { failures: 0, chain }, START + MINUTE)).toBe(START)
  expect(blindSince(read({ checkedAt: START + 1 }), { failures: 0, chain }, START + MINUTE)).toBeNull()
})

test.each<[sentence: string, change: Parameters<typeof attempt>[0], minutes: number, ...ends: number[]]>([
  ['of ten minutes moves every end', {}, 10, 40, 70, 100, 10],
  ['after the lock moves the grace', { lockedUntil: START }, 10, 0, 70, 100, 10],
  ['adds to an earlier one', { blindMs: 5 * MINUTE }, 10, 40, 70, 100, 15],
  ['counts for a day', {}, 1450, 1470, 1500, 1530, 1440],
  ['counts for a day with earlier ones', { blindMs: 1430 * MINUTE }, 60, 40, 70, 100, 1440],
])('a time without reads %s', (_, change, minutes, lock, grace, watch, blind) => {
  const later = afterBlindTime(read(change), own(2), START + minutes * MINUTE)
  const { lockedUntil, graceLimit, watchUntil, blindMs } = later!
  const ends = [lockedUntil, graceLimit, watchUntil].map(at => (at - START) / MINUTE)
  expect([...ends, blindMs / MINUTE]).toEqual([lock!, grace!, watch!, blind!])
})

test('a time without reads changes nothing if nothing was lost', () => {
  const at = START + 10 * MINUTE
  expect(afterBlindTime(read(), own(0), at)).toBeNull()
  expect(afterBlindTime(read({ graceLimit: START }), own(2), at)).toBeNull()
  expect(afterBlindTime(read({ blindMs: 1440 * MINUTE }), own(2), at)).toBeNull()
})

test('another server’s record of a chain counts until the chain was read, or failed last', () => {
  const blindFor = (chain: BlindChain, later: number) =>
    (afterBlindTime(read(), { failures: 0, chain }, START + later * MINUTE)?.blindMs ?? 0) / MINUTE
  expect(blindFor({ ...after(1, 2), readAt: START + 5 * MINUTE }, 8)).toBe(4)
  expect(blindFor({ ...after(1, 2), readAt: START + 9 * MINUTE }, 8)).toBe(7)
  expect(blindFor(after(1, 2), 4)).toBe(3)
  expect(blindFor(after(1, 2), 20)).toBe(1)
  expect(blindFor({ ...after(1), readAt: START + 5 * MINUTE }, 8)).toBe(0)
})
