import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, givenShop, type Shop, simulate } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { DAY_MS, getOrder, HOUR_MS, MINUTE_MS, openOnly, outage, rest } from './payments.ts'
import { data } from './request.ts'
import { rowsOf } from './rows.ts'

let app: App
let shop: Shop
let receiver: ReturnType<typeof startReceiver>

beforeEach(async () => {
  receiver = startReceiver(() => new Response('no', { status: 500 }))
  app = await startApp({ FLORIN_OUTBOUND_ALLOW: receiver.host, FLORIN_ORDER_EXPIRY: '30d' })
  shop = await givenShop(app)
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: receiver.url } })
  await app.jobs.settle()
})
afterEach(async () => {
  await rest(app)
  await app.close()
  await receiver.stop()
})

const newOrder = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
const farAhead = (of = app, now = app.time.now) =>
  rowsOf(
    of,
    "SELECT kind FROM jobs WHERE kind NOT IN ('order.expire', 'webhook.watch') AND due_at > ?",
    now + DAY_MS,
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
  const before = receiver.received.length
  await app.jobs.settle()
  expect(farAhead()).toEqual([])
  expect(app.logged.map(({ sentence }) => sentence)).toContain('clock.stepped_back')
  for (let minutes = 0; minutes < 30; minutes += 5) await app.advance(5 * MINUTE_MS)
  expect(receiver.received.length).toBeGreaterThan(before)
})

test('what a buyer asks for is not held up by a clock that was ahead for a moment', async () => {
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

test('what is paid after the clock was ahead is found, whatever was checked meanwhile', async () => {
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

test('nor does it if the server was restarted meanwhile', async () => {
  await aDayAheadForAMoment()
  const { dataDir, time } = app
  await app.florin.close()
  app = await startApp(
    { FLORIN_OUTBOUND_ALLOW: receiver.host, FLORIN_DATA_DIR: dataDir },
    { now: () => time.now },
  )
  await app.jobs.settle()
  expect(farAhead(app, time.now)).toEqual([])
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
