import { expect, test } from 'bun:test'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { eventTypes } from '../../src/domain/webhook.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { check, givenOrder, openCrypto, paidInCash, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import type { Document } from './openapi.ts'
import { DocumentValidator } from './openapi-validator.ts'
import { enter } from './paygate.ts'
import { DAY_MS, eventsOf, getOrder, givenCoinShop, openOnly, sendCoins } from './payments.ts'
import { givenPaid, refundOf, tryRefund } from './refunding.ts'
import { data, listen } from './request.ts'
import { rowsOf, subscribe } from './rows.ts'

// Events of orders, refunds and unmatched payments. A webhook gets them only if it is subscribed to them.

const { app, once, each } = suite({ start: startWithReceiver })
const validator = new DocumentValidator((await openApiDocument()) as Document)
const own = eventTypes.filter(type => !/^(?:order[.]paid|payment[.](?!unmatched))/.test(type))
const shop = once(async () => {
  const made = await givenCoinShop(app)
  await listen(app, made, app.receiver.url)
  subscribe(app, made.id, ['order.paid', ...own])
  return made
})
each(() => {
  app.receiver.received.length = 0
})

/** Lets orders expire. Earlier events are delivered first, so that no lease runs out. */
async function expire(): Promise<void> {
  await app.jobs.settle()
  await app.advance(8 * DAY_MS)
}
const order = async (change: object = {}): Promise<string> => (await givenOrder(app, shop, change)).orderUUID
const cancel = (id: string, body: object = {}) =>
  app.call('POST', `/v1/orders/${id}/cancel`, { key: shop.live, body })
const unmatchedOf = (id: string) =>
  rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id).map(row => String(row.id))

/** The events of an order. All of them were sent. */
async function eventsWithDelivery(orderUUID: string): Promise<object[]> {
  await app.jobs.settle()
  const events = eventsOf(app, orderUUID)
  expect(events.flatMap(event => validator.eventProblems(event))).toEqual([])
  const sent = app.receiver.received.filter(({ json }) => json.orderUUID === orderUUID)
  expect(new Set(sent.map(({ json }) => json.id))).toEqual(new Set(events.map(({ id }) => id)))
  return events
}
const typesOf = async (orderUUID: string) =>
  (await eventsWithDelivery(orderUUID)).map(event => (event as { type: string }).type)

/** The things that happen to a new order, and the events that report them. */
const stories: [story: string, act: () => Promise<string>, events: object[]][] = [
  [
    'an order expires, which is looked at again later',
    async () => {
      const id = await order({ externalId: 'cart-7' })
      await expire()
      await expire()
      return id
    },
    [
      {
        ...{ type: 'order.expired', status: 'EXPIRED', paymentState: null, livemode: true },
        ...{ amount: '25.00', currency: 'USD', externalId: 'cart-7' },
      },
    ],
  ],
  [
    'half of an order is paid, and it expires',
    async () => {
      const id = await order()
      await openCrypto(app, id, 'ethereum/usdc')
      await simulate(app, id, 'underpaid')
      await check(app, id)
      await expire()
      return id
    },
    [
      { type: 'order.expired', paymentState: 'PART_PAID' },
      {
        ...{ type: 'payment.unmatched', reason: 'underpaid', methodKey: 'crypto', value: '12.50' },
        ...{ shortfall: '12.50', receivedAmount: '12.5', receivedCurrency: 'ethereum/usdc' },
      },
    ],
  ],
  [
    'an order expires, and a late payment pays it',
    async () => {
      const id = await order({ expiresAt: new Date(app.time.now + DAY_MS).toISOString() })
      const attempt = await openOnly(app, id, 'ethereum/usdc')
      await app.advance(2 * DAY_MS)
      await sendCoins(app, attempt, 25_000_000n)
      await check(app, id)
      expect((await getOrder(app, shop, id)).status).toBe('PAID')
      return id
    },
    [
      { type: 'order.expired', paymentState: null },
      { type: 'order.paid', status: 'PAID' },
    ],
  ],
  [
    'an order is ended while a payment of it is on its way',
    async () => {
      const id = await order()
      const attempt = await openOnly(app, id, 'ethereum/usdc')
      await sendCoins(app, attempt, 25_000_000n, 'pending')
      await check(app, id)
      expect((await cancel(id)).status).toBe(409)
      await endOrder(app.context, shop.id, id)
      await endOrder(app.context, shop.id, id)
      await simulate(app, id, 'mined')
      await check(app, id)
      return id
    },
    [{ type: 'order.expired', paymentState: 'CONFIRMING' }, { type: 'order.paid' }],
  ],
  [
    'an order is cancelled by two requests at once',
    async () => {
      const id = await order()
      const answers = await Promise.all([1, 2].map(() => cancel(id, { reason: 'Out of stock' })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      await expire()
      return id
    },
    [{ type: 'order.cancelled', status: 'CANCELLED', cancelReason: 'Out of stock' }],
  ],
  [
    'an order that offers one provider alone fails',
    async () => {
      const id = await order({ paymentMethodsKeys: ['moonpay'] })
      await app.call('GET', `/payment/process/${id}?method=moonpay`)
      await simulate(app, id, 'failed')
      await expire()
      return id
    },
    [{ type: 'order.failed', status: 'FAILED' }],
  ],
  [
    'an order is refunded in two steps, the first of which is sent twice',
    async () => {
      const { orderUUID: id } = await givenPaid(app, shop)
      const part = { amount: '5.00', reason: 'one cup was broken' }
      for (const _ of [1, 2]) await refundOf(app, shop, id, part, `twice-${id}`)
      expect((await tryRefund(app, shop, id, { amount: '99.00' })).status).toBe(422)
      await refundOf(app, shop, id, { reason: 'the rest' })
      return id
    },
    [
      { type: 'order.paid' },
      {
        ...{ type: 'refund.recorded', amount: '5.00', reason: 'one cup was broken', currency: 'USD' },
        ...{ refundStatus: 'PARTIAL', refundedAmount: '5.00' },
      },
      { type: 'refund.recorded', amount: '20.00', refundStatus: 'FULL', refundedAmount: '25.00' },
    ],
  ],
  [
    'an order is paid twice, and the second payment is resolved',
    async () => {
      const id = await order()
      const attempt = await openOnly(app, id, 'ethereum/usdc')
      for (const _ of [1, 2]) {
        await sendCoins(app, attempt, 25_000_000n)
        await check(app, id)
        await app.advance(3600_000)
      }
      const [unmatched] = unmatchedOf(id)
      await resolveUnmatched(app.context, shop.id, unmatched!, 'sent back')
      await expire()
      return id
    },
    [
      { type: 'order.paid' },
      { type: 'payment.unmatched', reason: 'second_payment', shortfall: null, receivedAmount: '25' },
    ],
  ],
  [
    'a payment is unmatched, and the shop accepts it',
    async () => {
      const id = await order()
      await openCrypto(app, id, 'ethereum/usdc')
      await simulate(app, id, 'underpaid')
      await check(app, id)
      await expire()
      await acceptUnmatched(app.context, shop.id, unmatchedOf(id), { by: 'Ann', reason: null })
      return id
    },
    [{ type: 'order.expired' }, { type: 'payment.unmatched' }, { type: 'order.paid' }],
  ],
  [
    'a coin arrives that the order did not ask for',
    async () => {
      const id = await order()
      await openCrypto(app, id, 'ethereum/usdc')
      await simulate(app, id, 'wrong_asset')
      await check(app, id)
      return id
    },
    [{ type: 'payment.unmatched', reason: 'wrong_asset', value: null }],
  ],
]

test.each(stories)('%s', async (_, act, expected) => {
  expect(await eventsWithDelivery(await act())).toMatchObject(expected)
})

test('the event of a payment at the gateway names the transaction of the buyer', async () => {
  const id = await order({ paymentMethodsKeys: ['stripe'] })
  expect((await enter(app, id, 'stripe')).status).toBe(303)
  await paidInCash(app, shop, id)
  await simulate(app, id, 'paid')
  const [row] = rowsOf(app, 'SELECT tx_in, tx_out FROM incoming_payments WHERE order_id = ?', id)
  expect(row).toEqual({ tx_in: expect.any(String), tx_out: expect.any(String) })
  const expected = { type: 'payment.unmatched', reason: 'order_closed', txId: row?.tx_in }
  expect((await eventsWithDelivery(id)).at(-1)).toMatchObject(expected)
})

test('a webhook gets only the event types that it chose, and others are not recorded', async () => {
  const before = ['order.paid', 'payment.created', 'payment.processing', 'payment.paid', 'payment.expired']
  subscribe(app, shop.id, before)
  try {
    for (const type of own) {
      const story = stories.find(([, , events]) =>
        events.some(event => 'type' in event && event.type === type),
      )
      expect([type, await typesOf(await story![1]())]).toEqual([type, expect.not.arrayContaining([type])])
    }
  } finally {
    subscribe(app, shop.id, ['order.paid', ...own])
  }
})

test('a further webhook gets the event types that it chose', async () => {
  const further = { url: `${app.receiver.url}further`, events: ['order.cancelled'] }
  const { endpointId } = await data(app, 'POST', '/v1/webhooks', { key: shop.live, body: further }, 201)
  subscribe(app, shop.id, ['order.paid'])
  const [cancelled, expired] = [await order(), await order()]
  await cancel(cancelled)
  await expire()
  await app.jobs.settle()
  expect(app.receiver.received.map(({ json }) => [json.type, json.orderUUID])).toEqual([
    ['order.cancelled', cancelled],
  ])
  expect(rowsOf(app, 'SELECT type FROM events WHERE order_id = ?', expired)).toEqual([])
  const ofFirst = 'SELECT * FROM deliveries JOIN events ON events.id = event_id WHERE order_id = ?'
  expect(rowsOf(app, ofFirst, cancelled)).toEqual([])
  await app.call('DELETE', `/v1/webhooks/${endpointId}`, { key: shop.live })
})
