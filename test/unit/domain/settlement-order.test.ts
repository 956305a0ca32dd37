import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Attempt, AttemptState } from '../../../src/domain/attempt.ts'
import type { OrderStatus } from '../../../src/domain/order.ts'
import type { IncomingPayment, IncomingPaymentState } from '../../../src/domain/payment.ts'
import { assess, laterParts, maySettle, unmatchedReason } from '../../../src/domain/settlement.ts'
import {
  attempt,
  grid,
  LOCK_END,
  order,
  payment,
  permutations,
  providerAttempt,
  terms,
  WATCH_END,
} from './given.ts'

const assessed = (to: Attempt, payments: IncomingPayment[]) => assess(to, payments, terms(), 0, null)

const foreign = { assetId: 'polygon/usdt' }
const statuses = ['UNPAID', 'EXPIRED', 'PAID', 'CANCELLED', 'FAILED'] as const

/** A payment as the tables name it: its state, amount, and when it was sent. */
const at = { 'in the lock': LOCK_END, 'end of watch': WATCH_END, 'after watch': WATCH_END + 1 }
const sent = (
  state: IncomingPaymentState,
  amount: bigint,
  when: keyof typeof at,
  change: Partial<IncomingPayment> = {},
) => payment(state, amount, { paidAt: at[when], ...change })

describe('whether an attempt pays its order', () => {
  const payments: Record<string, IncomingPayment[]> = {
    nothing: [],
    'one unit short': [sent('final', 999n, 'in the lock')],
    'enough, seen only': [sent('seen', 1_000n, 'in the lock')],
    'enough, gone again': [sent('gone', 1_000n, 'in the lock')],
    'enough of another asset': [sent('final', 1_000n, 'in the lock', foreign)],
    enough: [sent('final', 1_000n, 'in the lock')],
    'more than enough': [sent('final', 1_001n, 'in the lock')],
    'enough, at the end of the watch': [sent('final', 1_000n, 'end of watch')],
    'enough, after the watch': [sent('final', 1_000n, 'after watch')],
    'half, and half seen only': [sent('final', 500n, 'in the lock'), sent('seen', 500n, 'in the lock')],
    'half, and half at the end of the watch': [
      sent('final', 500n, 'in the lock'),
      sent('final', 500n, 'end of watch'),
    ],
    'half, and half after the watch': [
      sent('final', 500n, 'in the lock'),
      sent('final', 500n, 'after watch'),
    ],
    'enough, and more after the watch': [
      sent('final', 1_000n, 'in the lock'),
      sent('final', 500n, 'after watch'),
    ],
  }
  test.each(
    grid(`
    payments                               | UNPAID | EXPIRED | PAID | CANCELLED | FAILED
    nothing                                | no     | no      | no   | no        | no
    one unit short                         | no     | no      | no   | no        | no
    enough, seen only                      | no     | no      | no   | no        | no
    enough, gone again                     | no     | no      | no   | no        | no
    enough of another asset                | no     | no      | no   | no        | no
    enough                                 | yes    | yes     | no   | no        | no
    more than enough                       | yes    | yes     | no   | no        | no
    enough, at the end of the watch        | yes    | yes     | no   | no        | no
    enough, after the watch                | no     | no      | no   | no        | no
    half, and half seen only               | no     | no      | no   | no        | no
    half, and half at the end of the watch | yes    | yes     | no   | no        | no
    half, and half after the watch         | no     | no      | no   | no        | no
    enough, and more after the watch       | yes    | yes     | no   | no        | no
  `),
  )('$row, order $column: $cell', ({ row, column, cell }) => {
    for (const some of permutations(payments[row]!)) {
      expect(maySettle(order(column as OrderStatus), assessed(attempt(), some))).toBe(cell === 'yes')
    }
  })

  test.each<[amounts: string, unpaid: boolean, expired: boolean]>([
    ['849', false, false],
    ['850', true, true],
    ['status 849', false, false],
    ['status 850', true, true],
    ['status 500 + status 500', false, false],
    ['status 500 + 400', false, false],
    ['500 + 400', true, true],
    ['status 850 after', false, false],
    ['500 + 400 after', false, false],
    ['500 + status 900 after', false, false],
  ])('a provider, where 850 of 1000 are enough: %s', (amounts, unpaid, expired) => {
    for (const some of permutations(amounts.split(' + '))) {
      const payments = some.map(text =>
        sent('final', BigInt(/\d+/.exec(text)![0]), text.endsWith('after') ? 'after watch' : 'in the lock', {
          ...(text.startsWith('status') && { txIn: null }),
        }),
      )
      expect(maySettle(order('UNPAID'), assessed(providerAttempt(), payments))).toBe(unpaid)
      expect(maySettle(order('EXPIRED'), assessed(providerAttempt(), payments))).toBe(expired)
    }
  })

  test('attempts at one shared address differ by their amounts', () => {
    const first = attempt({ shared: true, dueAtomic: 1_000n, thresholdAtomic: 1_000n })
    const second = attempt({ shared: true, dueAtomic: 1_001n, thresholdAtomic: 1_001n })
    const paid = [payment('final', 1_000n)]
    expect([first, second].map(to => maySettle(order('UNPAID'), assessed(to, paid)))).toEqual([true, false])
  })

  test.each<[due: bigint, amount: bigint, pays: boolean]>([
    [1n, 0n, false],
    [1n, 1n, true],
    [999_999_999_999_999_999n, 999_999_999_999_999_998n, false],
    [999_999_999_999_999_999n, 999_999_999_999_999_999n, true],
    [9_007_199_254_740_993n, 9_007_199_254_740_992n, false],
  ])('%p due, %p paid: %p', (due, amount, pays) => {
    expect(
      maySettle(
        order('UNPAID'),
        assessed(attempt({ dueAtomic: due, thresholdAtomic: due }), [payment('final', amount)]),
      ),
    ).toBe(pays)
  })
})

describe('why a payment settles nothing', () => {
  // One letter for each cell: no reason (-), Wrong asset, Underpaid, after the lock's Time,
  // Second payment, order Closed, too Late.
  const reasons: Record<string, string | null> = {
    '-': null,
    T: 'late',
    W: 'wrong_asset',
    U: 'underpaid',
    S: 'second_payment',
    C: 'order_closed',
    L: 'too_late',
  }
  const kinds: Record<string, [to: 'address' | 'redirect', when: keyof typeof at]> = {
    'address, in the lock': ['address', 'in the lock'],
    'address, end of watch': ['address', 'end of watch'],
    'address, after watch': ['address', 'after watch'],
    'redirect, in the lock': ['redirect', 'in the lock'],
    'redirect, end of watch': ['redirect', 'end of watch'],
    'redirect, after watch': ['redirect', 'after watch'],
  }
  const table = [
    ...grid(`
    UNPAID                 | waiting | underpaid | confirming | settled | expired | failed
    address, in the lock   | -       | -         | -          | -       | U       | -
    address, end of watch  | -       | -         | -          | -       | T       | -
    address, after watch   | L       | L         | L          | L       | L       | L
    redirect, in the lock  | U       | U         | U          | U       | U       | U
    redirect, end of watch | U       | U         | U          | U       | U       | U
    redirect, after watch  | L       | L         | L          | L       | L       | L
    `).map(cell => ({ ...cell, status: 'UNPAID' })),
    ...grid(`
    EXPIRED                | waiting | underpaid | confirming | settled | expired | failed
    address, in the lock   | -       | -         | -          | -       | U       | -
    address, end of watch  | -       | -         | -          | -       | T       | -
    address, after watch   | L       | L         | L          | L       | L       | L
    redirect, in the lock  | U       | U         | U          | U       | U       | U
    redirect, end of watch | U       | U         | U          | U       | U       | U
    redirect, after watch  | L       | L         | L          | L       | L       | L
    `).map(cell => ({ ...cell, status: 'EXPIRED' })),
    ...grid(`
    PAID                   | waiting | underpaid | confirming | settled | expired | failed
    address, in the lock   | S       | S         | S          | S       | S       | S
    address, end of watch  | S       | S         | S          | S       | S       | S
    address, after watch   | S       | S         | S          | S       | S       | S
    redirect, in the lock  | S       | S         | S          | S       | S       | S
    redirect, end of watch | S       | S         | S          | S       | S       | S
    redirect, after watch  | S       | S         | S          | S       | S       | S
    `).map(cell => ({ ...cell, status: 'PAID' })),
    ...['CANCELLED', 'FAILED'].flatMap(status =>
      grid(`
    closed                 | waiting | underpaid | confirming | settled | expired | failed
    address, in the lock   | C       | C         | C          | C       | C       | C
    address, end of watch  | C       | C         | C          | C       | C       | C
    address, after watch   | C       | C         | C          | C       | C       | C
    redirect, in the lock  | C       | C         | C          | C       | C       | C
    redirect, end of watch | C       | C         | C          | C       | C       | C
    redirect, after watch  | C       | C         | C          | C       | C       | C
    `).map(cell => ({ ...cell, status })),
    ),
  ]

  test.each(table)('order $status, $row, attempt $column: $cell', ({ status, row, column, cell }) => {
    const [kind, when] = kinds[row]!
    const to = attempt({ kind, state: column as AttemptState })
    const its = order(status as OrderStatus)
    expect(unmatchedReason(sent('final', 500n, when), to, its)).toBe(reasons[cell] as null)
    expect(unmatchedReason(sent('final', 500n, when, foreign), to, its)).toBe('wrong_asset')
    // What settled an order, or is not final, is never unmatched.
    for (const change of [{}, foreign]) {
      expect(unmatchedReason(sent('final', 500n, when, { settles: true, ...change }), to, its)).toBeNull()
      expect(unmatchedReason(sent('seen', 500n, when, change), to, its)).toBeNull()
      expect(unmatchedReason(sent('gone', 500n, when, change), to, its)).toBeNull()
    }
  })

  test('the tables hold every combination', () => {
    expect(table.length).toBe(5 * 6 * 6)
    expect(new Set(table.map(({ status, row, column }) => `${status} ${row} ${column}`)).size).toBe(180)
  })
})

describe('a rest that is dust', () => {
  test.each(
    grid(`
    received | waiting | underpaid | confirming | settled | expired | failed
    899      | -       | -         | -          | -       | U       | -
    900      | -       | -         | -          | -       | U       | -
    901      | -       | U         | -          | -       | U       | -
    999      | -       | U         | -          | -       | U       | -
    1000     | -       | -         | -          | -       | U       | -
  `),
  )('$row of 1000 received, where less than 100 is dust, attempt $column: $cell', ({ row, column, cell }) => {
    const to = attempt({ state: column as AttemptState, receivedAtomic: BigInt(row), dustAtomic: 100n })
    const reason = unmatchedReason(sent('final', BigInt(row), 'in the lock'), to, order('UNPAID'))
    expect<string | null>(reason).toBe(cell === 'U' ? 'underpaid' : null)
  })
})

describe('later parts of a settled attempt of 1000 units', () => {
  const settling = sent('final', 950n, 'in the lock', { settles: true })
  const settled = attempt({ state: 'settled', thresholdAtomic: 950n })
  test.each<[sentence: string, later: IncomingPayment[], joining: bigint[]]>([
    ['nothing more', [], []],
    ['less than is missing', [sent('final', 49n, 'in the lock')], [49n]],
    ['exactly what is missing, after the watch', [sent('final', 50n, 'after watch')], [50n]],
    ['one unit more than is missing', [sent('final', 51n, 'in the lock')], []],
    ['two parts of what is missing', [25n, 25n].map(part => sent('final', part, 'end of watch')), [25n, 25n]],
    [
      'two parts, of which one is too much',
      [26n, 25n].map(part => sent('final', part, 'end of watch')),
      [26n],
    ],
    ['what is missing, only seen', [sent('seen', 50n, 'in the lock')], []],
    ['what is missing, gone again', [sent('gone', 50n, 'in the lock')], []],
    ['another asset', [sent('final', 50n, 'in the lock', foreign)], []],
  ])('%s', (_, later, joining) => {
    expect(laterParts(settled, [settling, ...later]).map(({ amountAtomic }) => amountAtomic)).toEqual(joining)
    for (const state of ['waiting', 'underpaid', 'confirming', 'expired', 'failed'] as const) {
      expect(laterParts({ ...settled, state }, [settling, ...later])).toEqual([])
    }
  })

  test('a total that a provider reports later is not added to the payment that settled', () => {
    const to = providerAttempt({ state: 'settled' })
    const total = sent('final', 960n, 'in the lock', { txIn: null })
    expect(laterParts(to, [settling, total])).toEqual([total])
    expect(laterParts(to, [settling, { ...total, amountAtomic: 1_001n }])).toEqual([])
  })
})

describe('whatever arrives,', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 18n })
  const arrival = fc
    .record({
      state: fc.constantFrom<IncomingPaymentState>('seen', 'final', 'gone'),
      amount: units,
      assetId: fc.constantFrom('polygon/usdc', 'polygon/usdt'),
      paidAt: fc.integer({ min: 0, max: 6_000 }),
      txIn: fc.constantFrom(null, '0xabc'),
      confirmations: fc.nat(20),
    })
    .map(({ state, amount, ...change }) => payment(state, amount, change))
  const arrivals = fc.array(arrival, { maxLength: 6 })
  const target = fc
    .record({ provider: fc.constantFrom(null, 'gateway'), due: fc.bigInt({ min: 1n, max: 10n ** 18n }) })
    .map(
      ({ provider, due }): Attempt =>
        attempt({ provider, dueAtomic: due, thresholdAtomic: provider ? (due + 1n) / 2n : due }),
    )

  test('what is confirmed never exceeds what was received, which never exceeds all payments together', () => {
    fc.assert(
      fc.property(target, arrivals, (to, payments) => {
        const { receivedAtomic, confirmedAtomic } = assessed(to, payments)
        const all = payments.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n)
        expect(confirmedAtomic <= receivedAtomic && receivedAtomic <= all && confirmedAtomic >= 0n).toBe(true)
      }),
    )
  })

  test('one more payment never lowers a sum, and never undoes a settlement', () => {
    fc.assert(
      fc.property(target, arrivals, arrival, (to, payments, more) => {
        const before = assessed(to, payments)
        const after = assessed(to, [...payments, more])
        expect(
          after.receivedAtomic >= before.receivedAtomic && after.confirmedAtomic >= before.confirmedAtomic,
        ).toBe(true)
        if (before.state === 'settled') expect(after.state).toBe('settled')
        for (const status of statuses) {
          const paidBefore = maySettle(order(status), assessed(to, payments))
          if (paidBefore) expect(maySettle(order(status), assessed(to, [...payments, more]))).toBe(true)
        }
      }),
    )
  })

  test('their order does not matter', () => {
    fc.assert(
      fc.property(target, arrivals, (to, payments) => {
        expect(assessed(to, payments.toReversed())).toEqual(assessed(to, payments))
      }),
    )
  })

  test('an order is settled by its attempt exactly where the attempt is, while the order is UNPAID', () => {
    fc.assert(
      fc.property(target, arrivals, (to, payments) => {
        const { state, verdict } = assessed(to, payments)
        expect(maySettle(order('UNPAID'), assessed(to, payments))).toBe(state === 'settled')
        expect(['exact', 'short', 'over', 'late'].includes(verdict)).toBe(state === 'settled')
      }),
    )
  })

  test('an expired order is paid by nothing that would not pay it while UNPAID, a closed one by nothing', () => {
    fc.assert(
      fc.property(target, arrivals, (to, payments) => {
        const [unpaid, expired, ...closed] = statuses.map(status =>
          maySettle(order(status), assessed(to, payments)),
        )
        expect(expired && !unpaid).toBe(false)
        expect(closed).toEqual([false, false, false])
      }),
    )
  })
})
