import { afterEach, beforeEach, expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, type Shop, simulate } from '../support/given.ts'
import { givenCoinShop, notificationsOf, openOnly, rest, unmatchedOf } from './payments.ts'

let app: App
let shop: Shop

beforeEach(async () => {
  app = await startApp()
  shop = await givenCoinShop(app)
})
afterEach(async () => {
  await rest(app)
  await app.close()
})

/** An order with half of a Bitcoin payment. */
async function halfPaid(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'underpaid')
  expect((await check(app, orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  return orderUUID
}

test('a part payment is unmatched as soon as another payment pays the order', async () => {
  const orderUUID = await halfPaid()
  await openOnly(app, orderUUID, 'ltc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += 6000
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  expect(app.audit()).toEqual([])
})

test('a part payment is unmatched as soon as the order is marked as paid', async () => {
  const orderId = await halfPaid()
  await forceOrder(app.context, { merchantId: shop.id, orderId, by: 'Ann', reason: 'paid the rest in cash' })
  expect(unmatchedOf(app, orderId)).toEqual(['second_payment open'])
  expect(notificationsOf(app, orderId)).toEqual(['unmatched_payment'])
  expect(app.audit()).toEqual([])
})
