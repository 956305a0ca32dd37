import { expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  notificationsOf,
  openOnly,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { rowOf, rowsOf } from './rows.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

/** An order with half of a Bitcoin payment. */
async function halfPaid(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'underpaid')
  expect((await check(app, orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  return orderUUID
}

test('a part in one coin and the rest in another pay the order', async () => {
  const orderUUID = await halfPaid()
  await openOnly(app, orderUUID, 'ltc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += 6000
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  expect(notificationsOf(app, orderUUID)).toEqual([])
  expect(app.audit()).toEqual([])
})

test('a part payment is unmatched as soon as the order is marked as paid', async () => {
  const orderId = await halfPaid()
  await forceOrder(app.context, { merchantId: shop.id, orderId, by: 'Ann', reason: 'paid the rest in cash' })
  expect(unmatchedOf(app, orderId)).toEqual(['order_closed open'])
  expect(notificationsOf(app, orderId)).toEqual(['unmatched_payment'])
  expect(app.audit()).toEqual([])
})

test('an order that expires with a part of its amount stays partly paid', async () => {
  const orderId = await halfPaid()
  await app.advance(25 * HOUR_MS)
  const row = rowOf(app, 'SELECT status, payment_state FROM orders WHERE id = ?', orderId)
  expect(row).toEqual({ status: 'EXPIRED', payment_state: 'PART_PAID' })
})

test('a part that the merchant sent back does not complete the order together with a later part', async () => {
  const orderId = await halfPaid()
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid open'])
  const { id } = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderId)
  await resolveUnmatched(app.context, shop.id, String(id), 'sent back to the buyer')
  const [attempt] = attemptsOf(app, orderId)
  const due = BigInt(String(attempt!.due_atomic))
  await sendCoins(app, attempt!, due / 2n + 1n)
  expect((await check(app, orderId)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid resolved', 'late open'])
  const late = "SELECT shortfall FROM unmatched_payments WHERE order_id = ? AND reason = 'late'"
  const half = (await getOrder(app, shop, orderId)).amount / 2
  expect(Number(rowOf(app, late, orderId).shortfall)).toBeCloseTo(half, 1)
  // Another such payment completes the order: only payments that the merchant kept count.
  await sendCoins(app, attempt!, due / 2n + 1n)
  expect((await check(app, orderId)).status).toBe('PAID')
  const { receivedAmount } = await getOrder(app, shop, orderId)
  expect(Number(receivedAmount)).toBeCloseTo(Number(due + 2n) / 1e8, 7)
  expect(app.audit()).toEqual([])
})

/** Accepts all unmatched payments. */
async function acceptAll(orderId: string): Promise<void> {
  const rows = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ? ORDER BY id', orderId)
  const ids = rows.map(({ id }) => String(id))
  await acceptUnmatched(app.context, shop.id, ids, { by: 'Ann', reason: null })
  expect((await getOrder(app, shop, orderId)).status).toBe('PAID')
}

test('after a payment in another coin was accepted, a payment in the coin that was due is a second payment', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'wrong_asset')
  await check(app, orderUUID)
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
  await acceptAll(orderUUID)
  await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)))
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset accepted', 'second_payment open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment', 'unmatched_payment'])
  expect(app.audit()).toEqual([])
})

test('after parts in two coins were accepted, the missing amount of one is a second payment', async () => {
  const orderId = await halfPaid()
  const [attempt] = attemptsOf(app, orderId)
  await openOnly(app, orderId, 'ltc')
  await simulate(app, orderId, 'underpaid')
  await app.advance(3 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid open', 'underpaid open'])
  await acceptAll(orderId)
  await sendCoins(app, attempt!, BigInt(String(attempt!.due_atomic)) / 2n)
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual([
    'underpaid accepted',
    'underpaid accepted',
    'second_payment open',
  ])
  expect(app.audit()).toEqual([])
})

test('an amount that an endpoint reported too low before the payment was final is corrected', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'btc')
  const due = BigInt(String(attempt.due_atomic))
  const { networks } = app.context
  const network = networks.of('btc')!
  const reports = [
    { amountAtomic: 1000n, height: null, confirmations: 0, final: false },
    { amountAtomic: due, height: null, confirmations: 0, final: false },
    { amountAtomic: due, height: 1000, confirmations: 6, final: true },
  ]
  const tx = { txId: 'ab'.repeat(32), txIndex: '0', txIn: 'ab'.repeat(32), assetId: 'btc', evidence: {} }
  networks.of = () => ({
    ...network,
    scan: async ([watch]) => {
      const detectedPayments = reports.splice(0, 1).map(one => ({ ...tx, ...one, paidAt: app.time.now }))
      const { attemptId, cursor } = watch!
      return [{ attemptId, detectedPayments, completeFrom: 10_000, cursor }]
    },
  })
  const seen: string[] = []
  for (let left = reports.length; left > 0; left--) {
    await check(app, orderUUID)
    seen.push(String(attemptsOf(app, orderUUID)[0]!.received_atomic))
  }
  expect(seen).toEqual(['1000', `${due}`, `${due}`])
  expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
})
