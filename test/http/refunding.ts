import { expect } from 'bun:test'
import type { Answer, App, CallOptions } from '../support/app.ts'
import { check, givenOrder, openCrypto, type Shop, simulate } from '../support/given.ts'
import { paymentProblems, refundProblems } from './expected-settled-shapes.ts'
import { orderProblems } from './expected-shapes.ts'
import { ask } from './request.ts'

let made = 0
/** A key that no refund has used yet. */
export const freshKey = (): string => `refund-${++made}.of:a_test`

/** An order with a verified payment. */
export async function givenPaid(app: App, shop: Shop, change: object = {}) {
  const order = await givenOrder(app, shop, change)
  await openCrypto(app, order.orderUUID, 'btc')
  await simulate(app, order.orderUUID, 'paid')
  expect((await check(app, order.orderUUID)).status).toBe('PAID')
  return order
}

export const refundPath = (orderUUID: string): string => `/v1/orders/${orderUUID}/refunds`

export const withKey = (shop: Pick<Shop, 'live'>, key: string, body: unknown): CallOptions => ({
  key: shop.live,
  body,
  headers: { 'idempotency-key': key },
})

/** Requests a refund. It may be refused. */
export const tryRefund = (
  app: App,
  shop: Pick<Shop, 'live'>,
  orderUUID: string,
  body: object,
  key = freshKey(),
) => ask(app, 'POST', refundPath(orderUUID), withKey(shop, key, { reason: 'returned', ...body }))

/** A refund that must be recorded or replayed: its data, with the shape of each part checked. */
export async function refundOf(app: App, shop: Shop, orderUUID: string, body: object = {}, key = freshKey()) {
  const answer = await tryRefund(app, shop, orderUUID, body, key)
  if (answer.status > 201) throw new Error(answer.text)
  return partsOf(answer)
}

/** The parts of a refund response, with their shapes checked. */
export function partsOf({ json, text }: Answer) {
  const { order, transaction, refund, ...more } = json.data ?? { answer: text }
  const problems = [orderProblems(order), paymentProblems(transaction), refundProblems(refund)]
  expect([problems, more]).toEqual([[[], [], []], {}])
  return { order, transaction, refund }
}
