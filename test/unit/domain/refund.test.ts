import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { currencies, currencyDecimals } from '../../../src/domain/currency.ts'
import { amountOf, minorOf } from '../../../src/domain/money.ts'
import type { Order, OrderStatus } from '../../../src/domain/order.ts'
import { isRefundable, refund } from '../../../src/domain/refund.ts'
import { notRefunded } from '../../../src/domain/refund-totals.ts'
import { codeOf } from './given.ts'

const paid = (amount: string, currency = 'USD') => ({ ...notRefunded, amount, currency })
const half = { ...paid('25.00'), ...refund(paid('25.00'), '12.50', 1).refunded }
const whole = { ...paid('25.00'), ...refund(paid('25.00'), null, 1).refunded }

describe('a refund is refused', () => {
  test.each([
    ['of a cent too much', paid('25.00'), '25.01', 'refund_exceeds_remaining'],
    ['of a cent more than remains', half, '12.51', 'refund_exceeds_remaining'],
    ['of a cent where nothing remains', whole, '0.01', 'refund_exceeds_remaining'],
    ['of the rest where there is none', whole, null, 'order_not_refundable'],
    ['of one yen too much', paid('100', 'JPY'), '101', 'refund_exceeds_remaining'],
    ['of one fils too much', paid('0.999', 'KWD'), '1.000', 'refund_exceeds_remaining'],
    [
      'of a cent too much, beyond what a double holds',
      paid('999999999999999998.99'),
      '999999999999999999.00',
      'refund_exceeds_remaining',
    ],
  ])('%s', (_, transaction, asked, code) => {
    expect(codeOf(() => refund(transaction, asked, 5))).toBe(code)
  })
})

describe('an order can be refunded', () => {
  const order = (status: OrderStatus, transactionId: string | null) => ({ status, transactionId }) as Order
  test('only when it is PAID and has a transaction', () => {
    for (const status of ['UNPAID', 'FAILED', 'EXPIRED', 'CANCELLED'] as const) {
      expect([isRefundable(order(status, null)), isRefundable(order(status, 'a'))]).toEqual([false, false])
    }
    expect(isRefundable(order('PAID', null))).toBe(false)
    expect(isRefundable(order('PAID', 'a'))).toBe(true)
  })
})

describe('a refund from a payment of 25.00 USD', () => {
  test.each([
    [paid('25.00'), '12.50', '12.50', '12.50', 'PARTIAL', 'PARTIALLY_REFUNDED', 1, null],
    [paid('25.00'), '24.99', '24.99', '24.99', 'PARTIAL', 'PARTIALLY_REFUNDED', 1, null],
    [paid('25.00'), '25.00', '25.00', '25.00', 'FULL', 'REFUNDED', 1, 9],
    [paid('25.00'), null, '25.00', '25.00', 'FULL', 'REFUNDED', 1, 9],
    [half, '0.01', '0.01', '12.51', 'PARTIAL', 'PARTIALLY_REFUNDED', 2, null],
    [half, '12.50', '12.50', '25.00', 'FULL', 'REFUNDED', 2, 9],
    [half, null, '12.50', '25.00', 'FULL', 'REFUNDED', 2, 9],
  ])(
    'has the right amount and states: case %#',
    (transaction, asked, amount, refundedAmount, refundStatus, status, refundCount, refundedAt) => {
      expect(refund(transaction, asked, 9)).toEqual({
        amount,
        status: status as 'REFUNDED',
        refunded: {
          refundStatus: refundStatus as 'FULL',
          refundedAmount,
          refundCount,
          lastRefundedAt: 9,
          refundedAt,
        },
      })
    },
  )
})

test('refunds in any order and size sum up exactly, never exceed, and end at the whole', () => {
  const minors = fc.bigInt({ min: 1n, max: 9n * 10n ** 17n })
  fc.assert(
    fc.property(fc.constantFrom(...currencies), minors, fc.array(minors), (currency, total, parts) => {
      let transaction = paid(amountOf(total, currency), currency) as Parameters<typeof refund>[0]
      let left = total
      for (const part of parts.map(each => (each % (total + total / 10n + 1n)) + 1n)) {
        const step = () => refund(transaction, amountOf(part, currency), 1)
        if (part > left) expect(codeOf(step)).toBe('refund_exceeds_remaining')
        else {
          const { amount, refunded, status } = step()
          left -= part
          expect(minorOf(amount, currency)).toBe(part)
          expect(minorOf(refunded.refundedAmount ?? '', currency)).toBe(total - left)
          expect(refunded.refundedAmount?.split('.')[1]?.length ?? 0).toBe(currencyDecimals(currency) ?? -1)
          expect(refunded.refundCount).toBe(transaction.refundCount + 1)
          expect([refunded.refundStatus, status]).toEqual(
            left === 0n ? ['FULL', 'REFUNDED'] : ['PARTIAL', 'PARTIALLY_REFUNDED'],
          )
          transaction = { ...transaction, ...refunded }
        }
      }
      const rest = () => refund(transaction, null, 2)
      if (left === 0n) expect(codeOf(rest)).toBe('order_not_refundable')
      else expect(rest()).toMatchObject({ amount: amountOf(left, currency), status: 'REFUNDED' })
    }),
  )
})
