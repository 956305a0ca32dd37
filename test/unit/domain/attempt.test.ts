import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type AddressAttempt,
  type Attempt,
  type AttemptState,
  hasPayments,
  holdsMost,
  isLocked,
  isOpen,
  leftMinor,
  type OwnAttempt,
  type ProviderAddressSource,
  remainingAtomic,
} from '../../../src/domain/attempt.ts'
import { VALUE_UNIT } from '../../../src/domain/quote.ts'
import { isWatched, mayGetMore } from '../../../src/domain/watch.ts'
import { attempt, forwardedAttempt, grid, order } from './given.ts'

test.each<[now: number, locked: boolean]>([
  [0, true],
  [999, true],
  [1_000, false],
  [1_001, false],
])('a lock ends at 1000: at %p, the attempt is locked: %p', (now, locked) => {
  expect(isLocked(attempt({ lockedUntil: 1_000 }), now)).toBe(locked)
})

test.each<[AttemptState, boolean]>([
  ['waiting', true],
  ['underpaid', true],
  ['confirming', true],
  ['settled', false],
  ['expired', false],
  ['failed', false],
])('an attempt that is %s is open: %p', (state, open) => {
  expect(isOpen(attempt({ state }))).toBe(open)
})

test.each<[sentence: string, change: Partial<OwnAttempt>, has: boolean]>([
  ['nothing arrived', {}, false],
  ['an amount', { receivedAtomic: 1n }, true],
  ['credit in another coin', { credited: 1n }, true],
  ['a payment that waits for the merchant', { awaited: 1n }, true],
  ['one of unknown value', { awaited: null }, true],
  ['one that vanished', { vanishedAt: 0 }, true],
])('an attempt with %s has payments: %p', (_, change, has) => {
  expect(hasPayments(attempt(change))).toBe(has)
})

test('what is left of an order is rounded up to the minor unit, unless it is only a rounding error', () => {
  const left = (credited: bigint) =>
    leftMinor({ amount: '10.00', currency: 'USD' }, [
      attempt({ credited }),
      attempt({ credited: VALUE_UNIT }),
    ])
  expect([0n, 1n, VALUE_UNIT, 999n * VALUE_UNIT - 1_001n, 999n * VALUE_UNIT - 1_000n].map(left)).toEqual([
    999n,
    999n,
    998n,
    1n,
    0n,
  ])
})

test('a payment is looked for until the watch ends', () => {
  expect([4_999, 5_000, 5_001].map(now => isWatched(attempt(), now))).toEqual([true, true, false])
  const settled = attempt({ state: 'settled' })
  expect([isWatched(settled, 0), mayGetMore(settled, 0), mayGetMore(settled, 5_001)]).toEqual([
    false,
    true,
    false,
  ])
  expect(isWatched(attempt({ reclaimedAt: 0 }), 0)).toBe(false)
})

test('a buyer holds at most ten locked attempts', () => {
  const locked = (count: number) => Array.from({ length: count }, () => attempt())
  expect([9, 10, 11].map(count => holdsMost(locked(count), 999))).toEqual([false, true, true])
  expect(holdsMost(locked(10), 1_000)).toBe(false)
  expect(holdsMost([...locked(9), attempt({ state: 'expired' })], 999)).toBe(false)
  const lightning = { ...locked(1)[0], assetId: 'lightning' } as Attempt
  const onChain = { ...locked(1)[0], assetId: 'btc' } as Attempt
  const others = locked(8).map(one => ({ ...one, assetId: 'ltc' }) as Attempt)
  // A Lightning invoice takes a place, unless there is an address for the same coin.
  const held = [[lightning], [lightning, onChain], [lightning, lightning]]
  expect(held.map(some => holdsMost([...others, ...some], 999))).toEqual([false, false, true])
})

const minimumOf = (minimum: string): ProviderAddressSource => ({
  kind: 'provider',
  provider: 'gateway',
  minimum,
})

/** The attempt after payments that arrived in time. */
const paidTo = (to: AddressAttempt, received: bigint): AddressAttempt => ({
  ...to,
  receivedAtomic: received,
  credited: (received * 1_000n * VALUE_UNIT) / to.dueAtomic,
})
/** The amount that is still asked for, if nothing of the order is credited yet. */
const restOf = (to: AddressAttempt): bigint => remainingAtomic(to, order('UNPAID'), 1_000n)

describe('the amount still due of 1000', () => {
  test.each(
    grid(`
    received | own address | minimum 0 | minimum 1 | minimum 400 | minimum 1000 | minimum 2000
    0        | 1000        | 1000      | 1000      | 1000        | 1000         | 2000
    1        | 999         | 999       | 999       | 999         | 1000         | 2000
    599      | 401         | 401       | 401       | 401         | 1000         | 2000
    600      | 400         | 400       | 400       | 400         | 1000         | 2000
    601      | 399         | 399       | 399       | 400         | 1000         | 2000
    999      | 1           | 1         | 1         | 400         | 1000         | 2000
    1000     | 0           | 0         | 0         | 0           | 0            | 0
    1001     | 0           | 0         | 0         | 0           | 0            | 0
  `),
  )('$row received, $column: $cell', ({ row, column, cell }) => {
    const received = BigInt(row)
    const minimum = column.replace('minimum ', '')
    const to =
      column === 'own address'
        ? attempt({ addressSource: minimumOf('400') })
        : forwardedAttempt({ addressSource: minimumOf(minimum) })
    const rest = restOf(paidTo(to, received))
    expect(rest > 0n ? rest : 0n).toBe(BigInt(cell))
  })

  test.each<[due: bigint, received: bigint, minimum: string, rest: bigint]>([
    [1n, 0n, '0', 1n],
    [1n, 1n, '5', 0n],
    [3n, 1n, '0', 2n],
    [7n, 3n, '0', 4n],
    [999_999_999_999_999_999n, 1n, '0', 999_999_999_999_999_998n],
    [999_999_999_999_999_999n, 999_999_999_999_999_998n, '0', 1n],
    [999_999_999_999_999_999n, 999_999_999_999_999_998n, '123456789012345678', 123_456_789_012_345_678n],
  ])('of %p, with %p received and a minimum of %p: %p', (due, received, minimum, rest) => {
    const to = forwardedAttempt({ dueAtomic: due, addressSource: minimumOf(minimum) })
    expect(restOf(paidTo(to, received))).toBe(rest)
  })

  test('never increases with the received amount, and is zero exactly from the amount due on', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 18n })
    fc.assert(
      fc.property(units, units, units, units, (due, received, more, minimum) => {
        const to = forwardedAttempt({ dueAtomic: due, addressSource: minimumOf(String(minimum)) })
        const rest = restOf(paidTo(to, received))
        expect(restOf(paidTo(to, received + more)) <= rest).toBe(true)
        expect(rest > 0n).toBe(received < due)
        if (received < due) expect(rest).toBe(due - received > minimum ? due - received : minimum)
      }),
    )
  })

  test.each<[sentence: string, left: bigint, rest: bigint]>([
    ['all of it is left', 1_000n, 1_000n],
    ['half is left, which another payment has covered', 500n, 500n],
    ['a third is left: rounded up', 333n, 333n],
    ['nothing is left', 0n, 0n],
  ])('of an attempt is at most the remaining amount of the order: %s', (_, left, rest) => {
    expect(remainingAtomic(attempt(), order('UNPAID'), left)).toBe(rest)
  })
})
