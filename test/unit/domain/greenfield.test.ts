import { expect, test } from 'bun:test'
import { invoiceStateOf, legacyStateOf, paymentMethodOf } from '../../../src/domain/greenfield.ts'
import { type Order, orderStatuses, paymentStates } from '../../../src/domain/order.ts'

type State = Parameters<typeof invoiceStateOf>[0]

const plain: State = { status: 'UNPAID', paymentState: null, forcedAt: null, expiredAt: null }

test.each<[state: Partial<State>, invoice: string, inOlderApi: string]>([
  [{}, 'New None', 'new false'],
  [{ paymentState: 'PART_PAID' }, 'New PaidPartial', 'new paidPartial'],
  [{ paymentState: 'CONFIRMING' }, 'Processing None', 'paid false'],
  [{ status: 'PAID' }, 'Settled None', 'complete false'],
  [{ status: 'PAID', paymentState: 'OVERPAID' }, 'Settled PaidOver', 'complete paidOver'],
  [{ status: 'PAID', expiredAt: 1 }, 'Settled PaidLate', 'complete paidLate'],
  [{ status: 'PAID', expiredAt: 1, paymentState: 'OVERPAID' }, 'Settled PaidLate', 'complete paidLate'],
  [{ status: 'PAID', forcedAt: 1 }, 'Settled Marked', 'complete marked'],
  [{ status: 'EXPIRED', expiredAt: 1 }, 'Expired None', 'expired false'],
  [
    { status: 'EXPIRED', expiredAt: 1, paymentState: 'PART_PAID' },
    'Expired PaidPartial',
    'expired paidPartial',
  ],
  [{ status: 'EXPIRED', expiredAt: 1, paymentState: 'CONFIRMING' }, 'Processing PaidLate', 'paid paidLate'],
  [{ status: 'CANCELLED' }, 'Invalid Marked', 'invalid marked'],
  [{ status: 'FAILED' }, 'Invalid None', 'invalid false'],
])('an order with %j is an invoice that is %s, in the older API %s', (state, invoice, inOlderApi) => {
  expect(Object.values(invoiceStateOf({ ...plain, ...state })).join(' ')).toBe(invoice)
  expect(Object.values(legacyStateOf({ ...plain, ...state })).join(' ')).toBe(inOlderApi)
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
          expect(legacyStateOf(order).status === 'complete').toBe(status === 'PAID')
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
