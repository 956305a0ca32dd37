import { expect, test } from 'bun:test'
import {
  type BlindChain,
  failedAgain,
  isBlind,
  isNews,
  isWorthNotice,
} from '../../../src/domain/blind-chain.ts'

const MINUTE = 60_000
const START = 100 * MINUTE

/** After failed looks at these minutes. */
const after = (...minutes: number[]): BlindChain =>
  minutes.reduce<BlindChain | null>((known, at) => failedAgain(known, 'btc', START + at * MINUTE), null)!

test('a chain is blind from its second failed look, as long as looks go on to fail', () => {
  expect(isBlind(after(0), START)).toBe(false)
  expect(isBlind(after(0, 1), START + MINUTE)).toBe(true)
  expect(isBlind(after(0, 1), START + 4 * MINUTE - 1)).toBe(true)
  expect(isBlind(after(0, 1), START + 4 * MINUTE)).toBe(false)
  expect(isBlind({ ...after(0, 1), readAt: START }, START + MINUTE)).toBe(false)
})

test('failed looks count from the first in a row, which a pause or a look that succeeds ends', () => {
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
  // The clock was ahead.
  expect(failedAgain(after(5), 'btc', START + 4 * MINUTE).since).toBe(START + 4 * MINUTE)
})

test('merchants should know of it after ten minutes', () => {
  expect(isWorthNotice(after(0, 5), START + 10 * MINUTE - 1)).toBe(false)
  expect(isWorthNotice(after(0, 5), START + 10 * MINUTE)).toBe(true)
  expect(isWorthNotice(after(0), START + 10 * MINUTE)).toBe(false)
})

test('a look is noted if it says more than is known', () => {
  const now = START + MINUTE
  expect([isNews(null, true, now), isNews(null, false, now)]).toEqual([true, false])
  expect([isNews(after(0), true, now), isNews(after(0), false, now)]).toEqual([true, true])
  expect(isNews(after(0, 1), true, now + 29_999)).toBe(false)
  expect(isNews(after(0, 1), true, now + 30_000)).toBe(true)
  const read = { ...after(0, 1), readAt: now }
  expect([isNews(read, true, now), isNews(read, false, now)]).toEqual([true, false])
})
