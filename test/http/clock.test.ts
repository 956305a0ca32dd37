import { expect, test } from 'bun:test'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { check, givenOrder, givenShop, simulate } from '../support/given.ts'
import { restart, suite } from '../support/suite.ts'
import { DAY_MS, getOrder, HOUR_MS, MINUTE_MS, openOnly, outage } from './payments.ts'
import { givenPaid, refundOf } from './refunding.ts'
import { listen } from './request.ts'
import { rowsOf } from './rows.ts'

const { app, each } = suite({ start: () => startWithReceiver({ FLORIN_ORDER_EXPIRY: '30d' }), isFresh: true })
const shop = each(() => givenShop(app))
each(async () => {
  app.receiver.answerWith(() => new Response('no', { status: 500 }))
  await listen(app, shop, app.receiver.url)
  await app.jobs.settle()
})

const newOrder = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
const farAhead = () =>
  rowsOf(
    app,
    "SELECT kind FROM jobs WHERE kind NOT IN ('order.expire', 'webhook.watch') AND due_at > ?",
    app.time.now + DAY_MS,
  )

async function aDayAheadForAMoment(): Promise<void> {
  app.time.now += 2 * DAY_MS
  await app.jobs.settle()
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await simulate(app, id, 'paid')
  await check(app, id)
  await app.jobs.settle()
  expect(farAhead()).toEqual([])
  app.time.now -= 2 * DAY_MS
}

test('a clock that was ahead for a moment delays neither payments nor events nor rates', async () => {
  await aDayAheadForAMoment()
  expect(farAhead().length).toBeGreaterThan(2)
  const before = app.receiver.received.length
  await app.jobs.settle()
  expect(farAhead()).toEqual([])
  expect(app.logged.map(({ sentence }) => sentence)).toContain('clock.stepped_back')
  for (let minutes = 0; minutes < 30; minutes += 5) await app.advance(5 * MINUTE_MS)
  expect(app.receiver.received.length).toBeGreaterThan(before)
})

test('a buyer’s request is not delayed by a clock that was ahead for a moment', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  app.time.now += 20 * MINUTE_MS
  await outage(app, 'chain', true)
  await check(app, id)
  await outage(app, 'chain', false)
  app.time.now -= 20 * MINUTE_MS
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
})

test('a payment after the clock was ahead is found, whatever was checked meanwhile', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  app.time.now += 2 * DAY_MS
  await check(app, id)
  await app.jobs.settle()
  app.time.now -= 2 * DAY_MS
  await app.jobs.settle()
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  const next = await newOrder()
  await openOnly(app, next, 'btc')
  await simulate(app, next, 'paid')
  for (let minutes = 0; minutes < 12; minutes++) await app.advance(MINUTE_MS)
  expect((await getOrder(app, shop, next)).status).toBe('PAID')
})

test.each([20, 120, 600])(
  'a clock that was %i minutes ahead for a moment does not delay the check of a payment',
  async minutesAhead => {
    app.time.now += minutesAhead * MINUTE_MS
    const id = await newOrder()
    await openOnly(app, id, 'btc')
    await app.jobs.settle()
    app.time.now -= minutesAhead * MINUTE_MS
    await app.jobs.settle()
    await simulate(app, id, 'paid')
    for (let minutes = 0; minutes < 12; minutes++) await app.advance(MINUTE_MS)
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
  },
)

test.each([20, 120, 600])(
  'a payment to an order that was opened while the clock was %i minutes behind is found, and counts',
  async minutesBehind => {
    app.time.now -= minutesBehind * MINUTE_MS
    const id = await newOrder()
    await openOnly(app, id, 'btc')
    await app.jobs.settle()
    app.time.now += minutesBehind * MINUTE_MS
    await app.jobs.settle()
    expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
    await simulate(app, id, 'paid')
    for (let minutes = 0; minutes < 60; minutes++) await app.advance(MINUTE_MS)
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
  },
)

test.each([20, 120, 600])(
  'a clock that was %i minutes ahead for a moment neither delays nor multiplies the tries of an event',
  async minutesAhead => {
    app.time.now += minutesAhead * MINUTE_MS
    await givenPaid(app, shop)
    await app.jobs.settle()
    const before = app.receiver.received.length
    app.time.now -= minutesAhead * MINUTE_MS
    for (let minutes = 0; minutes < 16; minutes++) await app.advance(MINUTE_MS)
    // One at once, one after two minutes, and one after ten more.
    expect(app.receiver.received.length - before).toBe(3)
  },
)

test('a payment is found also if the server was restarted after its clock was ahead', async () => {
  await aDayAheadForAMoment()
  await restart(app, { FLORIN_OUTBOUND_ALLOW: app.receiver.host })
  await app.jobs.settle()
  expect(farAhead()).toEqual([])
})

test('a clock that is corrected by seconds changes nothing', async () => {
  await app.advance(HOUR_MS)
  const due = () => rowsOf(app, 'SELECT kind, due_at FROM jobs ORDER BY kind')
  await app.jobs.settle()
  const before = due()
  app.time.now -= 3000
  await app.jobs.settle()
  expect(due()).toEqual(before)
})

test('the last refund is the one with the latest date, whatever was recorded after the clock was set back', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  app.time.now += HOUR_MS
  const { refund: latest } = await refundOf(app, shop, orderUUID, { amount: '10.00' })
  app.time.now -= HOUR_MS
  const refunded = async (amount?: string) => {
    const { order, transaction } = await refundOf(app, shop, orderUUID, { ...(amount && { amount }) })
    return [order, transaction].map(({ lastRefundedAt, refundedAt }) => [lastRefundedAt, refundedAt])
  }
  const at = latest.createdAt
  expect(await refunded('1.00')).toEqual([
    [at, undefined],
    [at, undefined],
  ])
  expect(await refunded()).toEqual([
    [at, at],
    [at, at],
  ])
  expect(app.audit()).toEqual([])
})
