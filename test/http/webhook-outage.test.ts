import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Context } from '../../src/operations/context.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { deliverEvent } from '../../src/operations/webhooks/deliver.ts'
import { watchWebhook } from '../../src/operations/webhooks/watch.ts'
import type { Storage } from '../../src/storage/port.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenMerchant, givenOrder, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, wallets } from './payments.ts'
import { data, listen } from './request.ts'
import { rowOf, rowsOf } from './rows.ts'

setDefaultTimeout(120_000)

const { app, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = each(() => app.receiver)
const shop = each(() => givenMerchant(app))
each(async () => {
  receiver.answerWith(fail)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
  await setUrl()
})

const fail = () => new Response('no', { status: 500 })
const succeed = () => new Response('ok')

const setUrl = () => listen(app, shop, receiver.url)

/** A paid order. Does not wait for its deliveries. */
async function paidOrder(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await paidInCash(app, shop, orderUUID)
  return orderUUID
}

/** Paid orders with a pause after each, in which due jobs run step by step. */
async function paidOrders(count: number, pauseMs = 0, stepMs = HOUR_MS): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    ids.push(await paidOrder())
    for (let passed = 0; passed < pauseMs; passed += stepMs) await app.advance(Math.min(stepMs, pauseMs))
  }
  await app.jobs.settle()
  return ids
}

const statuses = () =>
  rowsOf(app, 'SELECT status, COUNT(*) AS n FROM deliveries GROUP BY status').map(({ status, n }) => [
    status,
    n,
  ])
const endpoint = () => rowOf(app, 'SELECT * FROM webhooks WHERE merchant_id = ?', shop.id)
const notifications = (kind: string) =>
  rowsOf(app, 'SELECT * FROM notifications WHERE kind = ? ORDER BY created_at', kind)
const logged = (event: string) => app.logged.filter(({ sentence }) => sentence === event)

/** The context of an operation during which the URL is set again, just before its first write. */
function enabledMeanwhile(): Context {
  const { storage } = app.context
  let isEnabled = false
  const write: Storage['write'] = async work => {
    if (!isEnabled) {
      isEnabled = true
      await setUrl()
    }
    return storage.write(work)
  }
  return { ...app.context, storage: { ...storage, write } }
}

test('every order.paid of a ten-day outage is sent when the URL is set again', async () => {
  const ids = await paidOrders(10, DAY_MS, DAY_MS / 4)
  expect(endpoint().status).toBe('disabled')
  receiver.answerWith(succeed)
  receiver.received.length = 0
  await setUrl()
  await app.jobs.settle()
  expect(statuses()).toEqual([['delivered', 10]])
  expect(receiver.received.map(({ json }) => json.orderUUID).toSorted()).toEqual(ids.toSorted())
})

test('events that were given up or wait for a retry are sent as soon as any delivery succeeds', async () => {
  const [given] = await paidOrders(1, 4 * DAY_MS)
  expect(statuses()).toEqual([['failed', 1]])
  const [waiting] = await paidOrders(1, 5 * HOUR_MS)
  receiver.answerWith(succeed)
  receiver.received.length = 0
  const [fresh] = await paidOrders(1)
  expect(receiver.received.map(({ json }) => json.orderUUID).toSorted()).toEqual(
    [given!, waiting!, fresh!].toSorted(),
  )
  expect(statuses()).toEqual([['delivered', 3]])
})

test.each([1, 15, 59])('events of an outage of %d minutes are sent with the first success', async minutes => {
  const [waiting] = await paidOrders(1)
  for (let minute = 0; minute < minutes; minute++) await app.advance(MINUTE_MS)
  expect(statuses()).toEqual([['pending', 1]])
  receiver.answerWith(succeed)
  receiver.received.length = 0
  const [fresh] = await paidOrders(1)
  expect(receiver.received.map(({ json }) => json.orderUUID)).toEqual([fresh!, waiting!])
})

test('an event that the shop refuses while it accepts others is not sent again with each success', async () => {
  const refused = await paidOrder()
  receiver.answerWith(({ json }) => (json.orderUUID === refused ? fail() : succeed()))
  for (let i = 0; i < 120; i++) {
    await paidOrders(1)
    await app.advance(MINUTE_MS)
  }
  const tries = receiver.received.filter(({ json }) => json.orderUUID === refused)
  expect(tries.length).toBeLessThan(40)
  expect(statuses()).toContainEqual(['delivered', 120])
})

test('one success amid a long outage does not hold back the events after it', async () => {
  const [waiting] = await paidOrders(1, 3 * HOUR_MS, 10 * MINUTE_MS)
  let isUp = true
  receiver.answerWith(({ json }) => (isUp && json.orderUUID !== waiting ? succeed() : fail()))
  await paidOrders(1)
  isUp = false
  await paidOrders(1, HOUR_MS, 10 * MINUTE_MS)
  receiver.answerWith(succeed)
  await paidOrders(1)
  expect(statuses()).toEqual([['delivered', 4]])
})

test('all events are sent after a single success, even if they are more than one release takes', async () => {
  await paidOrders(120)
  for (let day = 0; day < 8; day++) await app.advance(DAY_MS / 2)
  expect(statuses()).toEqual([['failed', 120]])
  receiver.answerWith(succeed)
  await paidOrders(1)
  expect(statuses()).toEqual([['delivered', 121]])
})

test('a disabled endpoint is probed once a day, and enabled when it answers 200', async () => {
  await paidOrders(10, DAY_MS)
  expect(endpoint().status).toBe('disabled')
  receiver.received.length = 0
  for (let hour = 0; hour < 72; hour++) await app.advance(HOUR_MS)
  expect(receiver.received).toHaveLength(3)
  expect(statuses().flat()).not.toContain('delivered')
  receiver.answerWith(succeed)
  for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
  expect(endpoint()).toMatchObject({ status: 'active', failures: 0, failing_since: null })
  expect(statuses()).toEqual([['delivered', 10]])
})

test('a quiet shop that was down for four days gets its events within a day', async () => {
  await paidOrders(2, DAY_MS / 2, DAY_MS / 4)
  for (let hour = 0; hour < 72; hour += 6) await app.advance(6 * HOUR_MS)
  expect(statuses()).toEqual([['failed', 2]])
  expect(endpoint().status).toBe('active')
  receiver.answerWith(succeed)
  receiver.received.length = 0
  for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
  expect(statuses()).toEqual([['delivered', 2]])
  expect(endpoint()).toMatchObject({ status: 'active', failures: 0, failing_since: null })
})

test.each([1, 3])(
  'after %d orders, the webhook of a shop that stays down is disabled without new orders',
  async count => {
    await paidOrders(count)
    for (let half = 0; half < 2 * 21; half++) await app.advance(DAY_MS / 2)
    expect(statuses()).toEqual([['failed', count]])
    expect(endpoint().status).toBe('disabled')
    expect(notifications('webhook_disabled')).toHaveLength(1)
    receiver.answerWith(succeed)
    for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
    expect(statuses()).toEqual([['delivered', count]])
  },
)

test('a disabled endpoint without waiting events is probed with a test event', async () => {
  await paidOrders(10, DAY_MS, DAY_MS / 4)
  expect(endpoint().status).toBe('disabled')
  receiver.received.length = 0
  await chooseEvents(app.context, shop.id, ['payment.paid'])
  receiver.answerWith(succeed)
  for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['webhook.test'])
  expect(endpoint().status).toBe('active')
})

test('the merchant is notified after an hour, after a day, and for each order.paid that is given up', async () => {
  const start = app.time.now
  const [orderId] = await paidOrders(1)
  const [failure] = logged('webhook.delivery.failed')
  expect(failure?.fields).toMatchObject({ orderUUID: orderId, merchantId: shop.id, type: 'order.paid' })
  for (let minute = 0; minute < 59; minute++) await app.advance(MINUTE_MS)
  expect(notifications('webhook_failing')).toEqual([])
  await app.advance(MINUTE_MS)
  expect(notifications('webhook_failing')).toMatchObject([{ created_at: start + HOUR_MS }])
  for (let hour = 0; hour < 22; hour++) await app.advance(HOUR_MS)
  expect(notifications('webhook_failing')).toHaveLength(1)
  await app.advance(HOUR_MS)
  expect(notifications('webhook_failing')).toHaveLength(2)
  expect(notifications('event_given_up')).toEqual([])
  for (let half = 0; half < 6; half++) await app.advance(DAY_MS / 2)
  expect(notifications('webhook_failing')).toHaveLength(2)
  expect(notifications('event_given_up')).toMatchObject([{ order_id: orderId, merchant_id: shop.id }])
  expect(logged('webhook.failing')).toHaveLength(2)
  expect(logged('event.given_up').map(({ fields }) => fields)).toMatchObject([{ orderUUID: orderId }])
})

test('an event that two servers give up at once is reported once', async () => {
  const [orderId] = await paidOrders(1)
  const [event] = rowsOf(app, 'SELECT id FROM events WHERE order_id = ?', orderId!)
  app.time.now += 3 * DAY_MS
  const tries = await Promise.all([1, 2].map(() => deliverEvent(app.context, String(event?.id))))
  for (const outcome of tries) {
    if (outcome === null || typeof outcome === 'number') throw new Error('the event was not tried')
    await app.context.storage.write(tables => outcome.record(tables))
  }
  expect(statuses()).toEqual([['failed', 1]])
  expect(notifications('event_given_up')).toHaveLength(1)
})

test('an event does not wait if its webhook is enabled while the event is being parked', async () => {
  const [orderId] = await paidOrders(1)
  const [{ id: eventId }] = rowsOf(app, 'SELECT id FROM events WHERE order_id = ?', orderId!) as [
    { id: string },
  ]
  const { storage } = app.context
  await storage.write(async tables => {
    const webhook = (await tables.webhooks.find(shop.id))!
    await tables.webhooks.put({ ...webhook, status: 'disabled' })
    await tables.events.updateDelivery(eventId, { nextAttemptAt: app.time.now })
  })
  receiver.answerWith(succeed)
  const isDone = await deliverEvent(enabledMeanwhile(), eventId)
  expect([endpoint().status, isDone]).toEqual(['active', app.time.now])
  expect(rowOf(app, 'SELECT * FROM deliveries WHERE event_id = ?', eventId).next_attempt_at).not.toBeNull()
})

test('an endpoint that is enabled while its failures are counted is not reported, or watched further', async () => {
  await paidOrders(1)
  app.time.now += HOUR_MS
  expect(await watchWebhook(enabledMeanwhile(), shop.id)).toBeNull()
  expect(endpoint()).toMatchObject({ failing_since: null, alerts: 0 })
  expect(notifications('webhook_failing')).toEqual([])
})

test('an endpoint that recovers after it was reported is reported once more', async () => {
  await paidOrders(1)
  for (let minute = 0; minute < 60; minute++) await app.advance(MINUTE_MS)
  receiver.answerWith(succeed)
  for (let hour = 0; hour < 4; hour++) await app.advance(HOUR_MS)
  expect(statuses()).toEqual([['delivered', 1]])
  const facts = notifications('webhook_failing').map(row => JSON.parse(String(row.facts)))
  expect(facts.map(({ about }) => about)).toEqual(['webhook_failing', 'webhook_works'])
})

test('an endpoint that recovers within an hour is not reported', async () => {
  await paidOrders(1)
  receiver.answerWith(succeed)
  for (let minute = 0; minute < 90; minute++) await app.advance(MINUTE_MS)
  expect(statuses()).toEqual([['delivered', 1]])
  expect(notifications('webhook_failing')).toEqual([])
})
