import { expect, test } from 'bun:test'
import { invoiceStateOf, paymentMethodOf } from '../../../src/domain/greenfield.ts'
import { type Order, orderStatuses, paymentStates } from '../../../src/domain/order.ts'

type State = Parameters<typeof invoiceStateOf>[0]

const plain: State = { status: 'UNPAID', paymentState: null, forcedAt: null, expiredAt: null }

test.each<[state: Partial<State>, invoice: string]>([
  [{}, 'New None'],
  [{ paymentState: 'PART_PAID' }, 'New PaidPartial'],
  [{ paymentState: 'CONFIRMING' }, 'Processing None'],
  [{ status: 'PAID' }, 'Settled None'],
  [{ status: 'PAID', paymentState: 'OVERPAID' }, 'Settled PaidOver'],
  [{ status: 'PAID', expiredAt: 1 }, 'Settled PaidLate'],
  [{ status: 'PAID', expiredAt: 1, paymentState: 'OVERPAID' }, 'Settled PaidLate'],
  [{ status: 'PAID', forcedAt: 1 }, 'Settled Marked'],
  [{ status: 'EXPIRED', expiredAt: 1 }, 'Expired None'],
  [{ status: 'EXPIRED', expiredAt: 1, paymentState: 'PART_PAID' }, 'Expired PaidPartial'],
  [{ status: 'EXPIRED', expiredAt: 1, paymentState: 'CONFIRMING' }, 'Processing PaidLate'],
  [{ status: 'CANCELLED' }, 'Invalid Marked'],
  [{ status: 'FAILED' }, 'Invalid None'],
])('an order with %j is an invoice that is %s', (state, invoice) => {
  expect(Object.values(invoiceStateOf({ ...plain, ...state })).join(' ')).toBe(invoice)
})

test('every order state has one invoice state, which is settled only if the order is paid', () => {
  for (const status of orderStatuses) {
    for (const paymentState of [null, ...paymentStates]) {
      for (const forcedAt of [null, 1]) {
        for (const expiredAt of [null, 1]) {
          const order: Pick<Order, keyof State> = { status, paymentState, forcedAt, expiredAt }
          const found = invoiceStateOf(order)
          expect(Object.values(found).every(Boolean)).toBe(true)
          expect(found.status === 'Settled').toBe(status === 'PAID')
        }
      }
    }
  }
})

test.each([
  ['crypto', 'btc', 'BTC-CHAIN'],
  ['crypto', 'lightning', 'BTC-LN'],
  ['crypto', 'polygon/usdc', 'USDC-POLYGON'],
  ['stripe', 'fiat/eur', 'STRIPE'],
])('%s with %s is named %s', (methodKey, assetId, name) => {
  expect(paymentMethodOf({ methodKey, assetId })).toBe(name)
})
