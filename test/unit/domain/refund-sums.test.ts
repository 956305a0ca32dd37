import { describe, expect, test } from 'bun:test'
import { refund } from '../../../src/domain/refund.ts'
import { notRefunded, type Refunded } from '../../../src/domain/refund-totals.ts'
import type { Reversal } from '../../../src/domain/reversal.ts'
import { leftOf, lessTakenBack } from '../../../src/domain/taken-back.ts'
import { transactionStatuses } from '../../../src/domain/transaction.ts'
import { codeOf } from './given.ts'

type Asked = string | null
/** A refund, what it gives back, and the sum and status after it; or the reason why it is refused. */
type Step =
  | [asked: Asked, given: string, sum: string, is: 'PARTIAL' | 'FULL']
  | [asked: Asked, refused: string]

const EXCEEDS = 'refund_exceeds_remaining'
const NOTHING = 'order_not_refundable'

const chains: [amount: string, currency: string, ...steps: Step[]][] = [
  ['25.00', 'USD', [null, '25.00', '25.00', 'FULL'], [null, NOTHING], ['0.01', EXCEEDS]],
  ['25.00', 'USD', ['25.00', '25.00', '25.00', 'FULL'], ['25.00', EXCEEDS]],
  ['25.00', 'USD', ['25.01', EXCEEDS], ['24.99', '24.99', '24.99', 'PARTIAL'], ['0.02', EXCEEDS]],
  [
    '25.00',
    'USD',
    ['24.99', '24.99', '24.99', 'PARTIAL'],
    ['0.01', '0.01', '25.00', 'FULL'],
    [null, NOTHING],
  ],
  ['25.00', 'USD', ['0.01', '0.01', '0.01', 'PARTIAL'], ['25.00', EXCEEDS], [null, '24.99', '25.00', 'FULL']],
  [
    '0.03',
    'USD',
    ['0.01', '0.01', '0.01', 'PARTIAL'],
    ['0.01', '0.01', '0.02', 'PARTIAL'],
    ['0.01', '0.01', '0.03', 'FULL'],
    ['0.01', EXCEEDS],
  ],
  ['0.01', 'USD', ['0.02', EXCEEDS], ['0.01', '0.01', '0.01', 'FULL'], [null, NOTHING]],
  ['1', 'JPY', ['2', EXCEEDS], [null, '1', '1', 'FULL'], [null, NOTHING], ['1', EXCEEDS]],
  ['3', 'JPY', ['1', '1', '1', 'PARTIAL'], ['3', EXCEEDS], ['2', '2', '3', 'FULL']],
  ['0.001', 'KWD', ['0.002', EXCEEDS], ['0.001', '0.001', '0.001', 'FULL']],
  ['1.000', 'KWD', ['0.999', '0.999', '0.999', 'PARTIAL'], [null, '0.001', '1.000', 'FULL']],
  [
    '999999999999999999.99',
    'USD',
    ['999999999999999999.98', '999999999999999999.98', '999999999999999999.98', 'PARTIAL'],
    ['0.02', EXCEEDS],
    ['0.01', '0.01', '999999999999999999.99', 'FULL'],
  ],
  [
    '999999999999999999',
    'JPY',
    ['1', '1', '1', 'PARTIAL'],
    ['999999999999999999', EXCEEDS],
    [null, '999999999999999998', '999999999999999999', 'FULL'],
  ],
  [
    '90071992547409.93',
    'USD',
    ['90071992547409.92', '90071992547409.92', '90071992547409.92', 'PARTIAL'],
    [null, '0.01', '90071992547409.93', 'FULL'],
  ],
]

describe('refunds of one transaction, one after the other', () => {
  test.each(chains)('%s %s: %j %j %j %j', (amount, currency, ...steps) => {
    let totals: Refunded = notRefunded
    let count = 0
    for (const [at, [asked, given, sum, is]] of steps.entries()) {
      const take = () => refund({ ...totals, amount, currency }, asked, 100 + at)
      if (sum === undefined) {
        expect(codeOf(take)).toBe(given)
        continue
      }
      const step = take()
      expect(step).toEqual({
        amount: given,
        status: is === 'FULL' ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
        refunded: {
          refundStatus: is!,
          refundedAmount: sum,
          refundCount: ++count,
          lastRefundedAt: 100 + at,
          refundedAt: is === 'FULL' ? 100 + at : null,
        },
      })
      totals = step.refunded
    }
  })

  test.each([
    ['0.00', 'USD'],
    ['0', 'JPY'],
    ['0.000', 'KWD'],
  ])('a refund of %s %s never reaches a transaction', (asked, currency) => {
    expect(() => refund({ ...notRefunded, amount: '5', currency }, asked, 1)).toThrow('a refund is positive')
  })

  test('the message names the remaining amount', () => {
    const half = { ...notRefunded, amount: '25.00', currency: 'USD', refundedAmount: '24.50', refundCount: 1 }
    expect(() => refund(half, '0.51', 1)).toThrow('Only 0.50 USD can still be refunded.')
  })
})

test('a transaction has the states of the interface, in their order', () => {
  expect(transactionStatuses).toEqual(['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'])
})

test('refunds of another payment of the order leave an unmatched payment as it is', () => {
  const back = { status: 'succeeded', amount: '5.00', currency: 'EUR' } as const
  const left = (...of: { id: string; attemptId: string }[]) =>
    leftOf(
      { id: 'row', attemptId: 'second' },
      { amountAtomic: 2500n },
      of.map(one => ({ ...back, ...one }) as Reversal),
    )
  const own = { id: 'a', attemptId: 'second' }
  const sentBack = { id: 'unmatched-row', attemptId: 'second' }
  expect(left(own, sentBack, { id: 'b', attemptId: 'first' })).toBe(2000n)
})

test('an amount that was taken back is taken from the oldest payments, and once in all', () => {
  const payments = [300n, 400n, 500n].map(amountAtomic => ({ amountAtomic }))
  const left = (back: bigint) => lessTakenBack(payments, back).map(({ amountAtomic }) => amountAtomic)
  expect(left(0n)).toEqual([300n, 400n, 500n])
  expect(left(350n)).toEqual([0n, 350n, 500n])
  expect(left(1500n)).toEqual([0n, 0n, 0n])
})
