import { expect, test } from 'bun:test'
import { forwarderAddress } from '../../src/networks/evm/forwarder/forwarder.ts'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { addNote } from '../../src/operations/orders/add-note.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { EVM_WALLET, givenOrder, givenProduct, givenShop, openCrypto } from '../support/given.ts'
import { restart, suite } from '../support/suite.ts'
import { attemptsOf, DAY_MS, HOUR_MS, rest, sendCoins } from './payments.ts'
import { givenPaid, tryRefund } from './refunding.ts'
import { data, listen } from './request.ts'
import { changeRows, countOf, rowOf, rowsOf } from './rows.ts'

const { app, once, each, ownApp } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))

/** Lets days pass in steps of one day, with the jobs of each. */
async function live(days: number) {
  for (let day = 0; day < days; day++) await app.advance(DAY_MS)
}

/** An order from the public form of a product. */
async function webOrder(email = 'bot@example.com', paymentMethodKey = 'crypto'): Promise<string> {
  const { id } = await givenProduct(app, shop, { amount: '25.00' })
  const body = { customer: { email }, paymentMethodKey }
  const { orderUUID } = await data(app, 'POST', `/v1/checkout/products/${id}/orders`, { body }, 201)
  return orderUUID
}

const exists = (orderUUID: string) =>
  rowsOf(app, 'SELECT id FROM orders WHERE id = ?', orderUUID).length === 1

const create = (key: string) =>
  app.call('POST', '/v1/orders', {
    key: shop.live,
    body: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['*'], customer: { email: 'a@b.example' } },
    headers: { 'idempotency-key': key },
  })

test('the idempotency key of an order is kept for 30 days', async () => {
  const first = await create('order-0001')
  await live(29)
  expect([(await create('order-0001')).status, first.status]).toEqual([200, 201])
  await live(2)
  const again = await create('order-0001')
  expect(again.status).toBe(201)
  expect(again.json.data.orderUUID).not.toBe(first.json.data.orderUUID)
})

test('a clock that is months ahead for hours deletes no idempotency key and no order', async () => {
  await create('order-0001')
  const orderUUID = await webOrder()
  await live(25)
  const { now } = app.time
  const isKept = async () => [(await create('order-0001')).status === 200, exists(orderUUID)]
  await app.advance(100 * DAY_MS)
  await restart(app, { FLORIN_OUTBOUND_ALLOW: receiver.host })
  for (let hours = 0; hours < 5; hours++) await app.advance(HOUR_MS)
  expect(await isKept()).toEqual([true, true])
  app.time.now = now
  await live(3)
  expect(await isKept()).toEqual([true, true])
  await live(10)
  expect(await isKept()).toEqual([false, false])
})

test('a server that was stopped for months deletes old rows within days', async () => {
  await create('order-0001')
  await app.advance(100 * DAY_MS)
  expect((await create('order-0001')).status).toBe(200)
  for (let halves = 0; halves < 40; halves++) await app.advance(DAY_MS / 2)
  expect((await create('order-0001')).status).toBe(201)
})

test('the idempotency key of a refund is kept forever, so that it is never recorded twice', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const first = await tryRefund(app, shop, orderUUID, { amount: '1.00' }, 'refund-0001')
  await live(100)
  const again = await tryRefund(app, shop, orderUUID, { amount: '1.00' }, 'refund-0001')
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.json.data.refund).toEqual(first.json.data.refund)
})

test('the tries of a delivery are kept for 90 days, and the event forever', async () => {
  await listen(app, shop, receiver.url)
  const { orderUUID } = await givenPaid(app, shop)
  await app.jobs.settle()
  const { id } = rowOf(app, 'SELECT id FROM events WHERE order_id = ?', orderUUID)
  const read = () => data(app, 'GET', `/v1/events/${id}`, { key: shop.live })
  await live(89)
  expect((await read()).attempts).toHaveLength(1)
  await live(2)
  expect(await read()).toMatchObject({ id, orderUUID, status: 'delivered', attempts: [] })
})

test('the tries of an event that was never delivered are kept', async () => {
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await listen(app, shop, receiver.url)
  const { orderUUID } = await givenPaid(app, shop)
  for (let hour = 0; hour < 90; hour++) await app.advance(HOUR_MS)
  await live(91)
  const { status, tries } = rowOf(
    app,
    'SELECT d.status, d.tries FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = ?',
    orderUUID,
  )
  expect(status).not.toBe('delivered')
  expect(tries).not.toBe('[]')
})

test('an unpaid order of the public form is deleted after 30 days, with its customer', async () => {
  await listen(app, shop, receiver.url)
  await chooseEvents(app.context, shop.id, ['order.paid', 'payment.created', 'payment.expired'])
  const unopened = await webOrder('first@example.com')
  const opened = await webOrder('second@example.com')
  await openCrypto(app, opened, 'btc')
  await live(30)
  expect([exists(unopened), exists(opened)]).toEqual([true, true])
  await live(8)
  expect([exists(unopened), exists(opened)]).toEqual([false, false])
  for (const table of ['attempts', 'events', 'notifications', 'incoming_payments']) {
    expect([table, countOf(app, table, opened)]).toEqual([table, 0])
  }
  expect(rowsOf(app, 'SELECT email FROM customers')).toEqual([])
  expect((await app.call('GET', `/pay/${opened}`)).status).toBe(404)
})

test('an order of the API, a cancelled one and one with a note are kept, and hold up no other', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const cancelled = await webOrder()
  await data(app, 'POST', `/v1/orders/${cancelled}/cancel`, { key: shop.live, body: {} })
  const noted = await webOrder()
  await addNote(app.context, shop.id, noted, 'This buyer will call again.')
  const other = await webOrder()
  await live(60)
  expect([orderUUID, cancelled, noted, other].map(exists)).toEqual([true, true, true, false])
})

test('an order of the public form is kept if it received money, even too little', async () => {
  const short = await webOrder()
  await openCrypto(app, short, 'btc')
  await sendCoins(app, attemptsOf(app, short)[0]!, 1000n)
  await live(60)
  expect(exists(short)).toBe(true)
  expect(countOf(app, 'incoming_payments', short)).toBe(1)
})

test('an order is kept while its address is watched, or if the last check failed', async () => {
  const watched = await webOrder()
  await openCrypto(app, watched, 'btc')
  const unchecked = await webOrder()
  await openCrypto(app, unchecked, 'btc')
  await live(20)
  changeRows(
    app,
    'UPDATE attempts SET watch_until = ? WHERE order_id = ?',
    app.time.now + 90 * DAY_MS,
    watched,
  )
  const [attempt] = attemptsOf(app, unchecked)
  changeRows(
    app,
    "INSERT INTO jobs (kind, subject, lane, priority, due_at) VALUES ('attempt.check', ?, 'bitcoin', 0, ?)",
    String(attempt!.id),
    app.time.now + 80 * DAY_MS,
  )
  await live(40)
  expect([exists(watched), exists(unchecked)]).toEqual([true, true])
})

test('an order is kept if only Florin can empty its address, or a provider may still report a payment', async () => {
  const forwarder = await webOrder()
  await openCrypto(app, forwarder, 'ethereum/eth')
  const salt = `0x${'ab'.repeat(32)}`
  changeRows(
    app,
    'UPDATE attempts SET address_source = ?, address = ? WHERE order_id = ?',
    JSON.stringify({ kind: 'create2', payout: EVM_WALLET, salt }),
    forwarderAddress(EVM_WALLET, salt),
    forwarder,
  )
  changeRows(app, "DELETE FROM jobs WHERE kind = 'attempt.check'")
  const provider = await webOrder('card@example.com', 'moonpay')
  await app.call('GET', `/payment/process/${provider}?method=moonpay`)
  expect(attemptsOf(app, provider)).toHaveLength(1)
  await live(60)
  expect([exists(forwarder), exists(provider)]).toEqual([true, true])
})

test('an order is kept while one of its events is not delivered', async () => {
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await listen(app, shop, receiver.url)
  await chooseEvents(app.context, shop.id, ['payment.created'])
  const orderUUID = await webOrder()
  await openCrypto(app, orderUUID, 'btc')
  await live(60)
  expect(exists(orderUUID)).toBe(true)
})

test('an order is kept while one of its events is not delivered to a further webhook', async () => {
  receiver.answerWith(() => new Response('no', { status: 500 }))
  const body = { url: receiver.url, events: ['payment.created'] }
  await data(app, 'POST', '/v1/webhooks', { key: shop.live, body }, 201)
  const orderUUID = await webOrder()
  await openCrypto(app, orderUUID, 'btc')
  await live(60)
  expect(exists(orderUUID)).toBe(true)
  receiver.answerWith(() => new Response('ok'))
  await live(2)
  expect(receiver.received.at(-1)?.json).toMatchObject({ type: 'payment.created', orderUUID })
  expect(exists(orderUUID)).toBe(false)
})

test('a customer is kept who has another order or is blocked', async () => {
  await webOrder('loyal@example.com')
  await givenOrder(app, shop, { customer: { email: 'loyal@example.com' } })
  await webOrder('blocked@example.com')
  await blockCustomer(app.context, shop.id, 'blocked@example.com', true)
  await live(40)
  expect(rowsOf(app, 'SELECT email FROM customers ORDER BY email')).toEqual([
    { email: 'blocked@example.com' },
    { email: 'loyal@example.com' },
  ])
  expect(rowsOf(app, 'SELECT id FROM orders')).toHaveLength(1)
})

test('the retention times can be changed, also to never', async () => {
  await rest(app)
  await ownApp({ FLORIN_RETENTION: 'idempotency=never,abandoned=2d' })
  const orderUUID = await webOrder()
  await create('order-0001')
  await live(4)
  expect(exists(orderUUID)).toBe(false)
  await live(60)
  expect((await create('order-0001')).status).toBe(200)
})

test('many rows are deleted by small writes', async () => {
  const changed: number[] = []
  const { storage } = app.context
  const count = () => Number(rowOf(app, 'SELECT COUNT(*) AS n FROM idempotency_keys').n)
  changeRows(
    app,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
     INSERT INTO idempotency_keys SELECT ?, 'create_order', 'many-' || i, 'hash', 'id', 0 FROM n`,
    shop.id,
  )
  let before = count()
  const write = storage.write.bind(storage)
  app.context.storage = {
    ...storage,
    async write(work) {
      const value = await write(work)
      changed.push(before - count())
      before = count()
      return value
    },
  }
  await app.advance(DAY_MS)
  expect(count()).toBe(0)
  expect(Math.max(...changed)).toBeLessThanOrEqual(200)
})
