import { expect, test } from 'bun:test'
import { type Attempt, nothingArrived } from '../../../src/domain/attempt.ts'
import { isCovered, overpaidOf } from '../../../src/domain/overpaid.ts'
import { VALUE_UNIT } from '../../../src/domain/quote.ts'
import { attempt, order } from './given.ts'

/** An attempt for the whole order of 10.00 USD, due 1000. */
const paid = (id: string, minor: bigint, change: Partial<Attempt> = {}): Attempt =>
  ({
    ...attempt({ ...nothingArrived, id, state: 'settled' }),
    settledCredit: minor * VALUE_UNIT,
    confirmedAtomic: minor,
    ...change,
  }) as Attempt

const excess = (...attempts: Attempt[]) => {
  const found = overpaidOf(
    { ...order('PAID'), chosenMethod: 'crypto', chosenAsset: 'polygon/usdc' },
    attempts,
  )
  return found && [found.attempt.id, found.received, found.excess, found.coins?.received ?? null]
}

test('the excess of one address over its amount due is overpaid, in its coin', () => {
  expect(excess(paid('a', 1000n))).toBeNull()
  expect(excess(paid('a', 1001n))).toEqual(['a', '10.01', '0.01', 1001n])
  expect(excess(paid('a', 1001n, { kind: 'redirect' }))).toBeNull()
  expect(excess(paid('a', 1001n, { state: 'expired' }))).toBeNull()
  const cheap = paid('a', 1001n, { settledCredit: 1000n * VALUE_UNIT })
  expect(excess(cheap)).toBeNull()
  expect(overpaidOf(order('EXPIRED'), [paid('a', 1001n)])).toBeNull()
})

test('the excess of one address is in money if its payments counted at another rate', () => {
  const over = (settledCredit: bigint, change: Partial<Attempt> = {}) =>
    overpaidOf({ ...order('PAID'), paymentState: 'OVERPAID' }, [
      paid('a', 900n, { settledCredit, ...change }),
    ])
  expect(over(1100n * VALUE_UNIT)).toMatchObject({ coins: null, received: '11.00', excess: '1.00' })
  expect(over(1000n * VALUE_UNIT)).toBeNull()
  expect(over(1100n * VALUE_UNIT, { kind: 'redirect' })).toBeNull()
})

test('several payments can be overpaid together', () => {
  expect(excess(paid('a', 500n), paid('b', 1001n))).toEqual(['b', '15.01', '5.01', null])
  expect(excess(paid('a', 600n), paid('b', 400n))).toBeNull()
  expect(excess(paid('a', 600n), paid('b', 401n))).toEqual(['b', '10.01', '0.01', null])
  const other = { methodKey: 'card', kind: 'redirect' } as const
  expect(excess(paid('a', 600n), paid('b', 401n, other))).toEqual(['a', '10.01', '0.01', null])
  expect(excess(paid('a', 600n, other), paid('b', 401n, other))).toEqual(['b', '10.01', '0.01', null])
  expect(excess(paid('a', 0n), paid('b', 1001n, { kind: 'redirect' }))).toBeNull()
})

test('an order counts as covered up to its tolerance', () => {
  const covered = (minor: bigint, tolerance: bigint) =>
    isCovered(order('UNPAID'), [
      attempt({ credited: minor * VALUE_UNIT, tolerance: tolerance * VALUE_UNIT }),
      attempt({ id: 'later' }),
    ])
  expect([covered(999n, 0n), covered(1000n, 0n), covered(1001n, 0n)]).toEqual([false, true, true])
  expect([covered(949n, 50n), covered(950n, 50n)]).toEqual([false, true])
  expect(isCovered(order('UNPAID'), [])).toBe(false)
})
