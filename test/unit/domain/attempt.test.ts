import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type AttemptState,
  isLocked,
  isOpen,
  type ProviderAddressSource,
  remainingAtomic,
} from '../../../src/domain/attempt.ts'
import type { Json } from '../../../src/domain/metadata.ts'
import { attempt, grid, providerAttempt } from './given.ts'

test.each<[now: number, locked: boolean]>([
  [0, true],
  [999, true],
  [1_000, false],
  [1_001, false],
])('a lock that ends at 1000: at %p locked is %p', (now, locked) => {
  expect(isLocked(attempt({ lockedUntil: 1_000 }), now)).toBe(locked)
})

test.each<[AttemptState, boolean]>([
  ['waiting', true],
  ['underpaid', true],
  ['confirming', true],
  ['settled', false],
  ['expired', false],
  ['failed', false],
])('an attempt that is %s: open is %p', (state, open) => {
  expect(isOpen(attempt({ state }))).toBe(open)
})

const minimumOf = (minimum: string): Json =>
  ({ kind: 'provider', provider: 'gateway', minimum }) satisfies ProviderAddressSource as unknown as Json

describe('what is still due of 1000', () => {
  test.each(
    grid(`
    received | own address | no minimum | minimum 0 | minimum 1 | minimum 400 | minimum 1000 | minimum 2000
    0        | 1000        | 1000       | 1000      | 1000      | 1000        | 1000         | 2000
    1        | 999         | 999        | 999       | 999       | 999         | 1000         | 2000
    599      | 401         | 401        | 401       | 401       | 401         | 1000         | 2000
    600      | 400         | 400        | 400       | 400       | 400         | 1000         | 2000
    601      | 399         | 399        | 399       | 399       | 400         | 1000         | 2000
    999      | 1           | 1          | 1         | 1         | 400         | 1000         | 2000
    1000     | 0           | 0          | 0         | 0         | 0           | 0            | 0
    1001     | -1          | -1         | -1        | -1        | -1          | -1           | -1
  `),
  )('$row received, $column: $cell', ({ row, column, cell }) => {
    const receivedAtomic = BigInt(row)
    const to = {
      'own address': attempt({ receivedAtomic, addressSource: minimumOf('400') }),
      'no minimum': providerAttempt({ receivedAtomic, addressSource: null }),
    }[column]
    const minimum = column.replace('minimum ', '')
    expect(
      remainingAtomic(to ?? providerAttempt({ receivedAtomic, addressSource: minimumOf(minimum) })),
    ).toBe(BigInt(cell))
  })

  test.each<[due: bigint, receivedAtomic: bigint, minimum: string, rest: bigint]>([
    [1n, 0n, '0', 1n],
    [1n, 1n, '5', 0n],
    [999_999_999_999_999_999n, 1n, '0', 999_999_999_999_999_998n],
    [999_999_999_999_999_999n, 999_999_999_999_999_998n, '0', 1n],
    [999_999_999_999_999_999n, 999_999_999_999_999_998n, '123456789012345678', 123_456_789_012_345_678n],
  ])('of %p, with %p received and a minimum of %p: %p', (due, receivedAtomic, minimum, rest) => {
    expect(
      remainingAtomic(providerAttempt({ dueAtomic: due, receivedAtomic, addressSource: minimumOf(minimum) })),
    ).toBe(rest)
  })

  test('more received never means more due; nothing is due exactly from the sum on', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 18n })
    fc.assert(
      fc.property(units, units, units, units, (due, received, more, minimum) => {
        const restOf = (sum: bigint) =>
          remainingAtomic(
            providerAttempt({
              dueAtomic: due,
              receivedAtomic: sum,
              addressSource: minimumOf(String(minimum)),
            }),
          )
        expect(restOf(received + more) <= restOf(received)).toBe(true)
        expect(restOf(received) > 0n).toBe(received < due)
        if (received < due) expect(restOf(received) >= minimum).toBe(true)
      }),
    )
  })
})
