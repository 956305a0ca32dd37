import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { check, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop, HOUR_MS, MINUTE_MS, openOnly } from './payments.ts'
import { data } from './request.ts'
import { rowsOf } from './rows.ts'

const RATES = '/sandbox/rates'

const { app, each } = suite({
  start: () => startApp({}, { fetch: (url, init) => counted(url, init) }),
  isFresh: true,
})
let asked = 0
each(() => {
  asked = 0
})
const shop = each(() => givenCoinShop(app))

/** Every source of rates in the sandbox is a page of the server itself. */
async function counted(url: string, init?: RequestInit): Promise<Response> {
  if (new URL(url).pathname.startsWith(RATES)) asked += 1
  return app.florin.http.handle(new Request(url, init))
}

/** The number of requests to sources in this many minutes, in steps of one minute. */
async function asksIn(minutes: number): Promise<number> {
  const before = asked
  for (let passed = 0; passed < minutes; passed++) await app.advance(MINUTE_MS)
  return asked - before
}

const keptTimes = () => rowsOf(app, 'SELECT DISTINCT at FROM rates ORDER BY at').map(({ at }) => Number(at))

async function openPayment(): Promise<void> {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'ethereum/eth')
}

test('sources are asked every minute while a price is locked, and every 10 minutes for late payments', async () => {
  await openPayment()
  expect(await asksIn(30)).toBeGreaterThan(25)
  await app.advance(HOUR_MS)
  await asksIn(15)
  // The job that watches the services also queries the sources, to notice one that fails.
  expect(await asksIn(120)).toBeLessThanOrEqual(30)
})

test('every minute of the week has a rate within 10 minutes', async () => {
  await openPayment()
  await asksIn(300)
  const times = keptTimes()
  const gaps = times.slice(1).map((at, index) => at - times[index]!)
  expect(times.length).toBeGreaterThan(30)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE_MS)
  expect(app.time.now - times.at(-1)!).toBeLessThanOrEqual(10 * MINUTE_MS)
})

test('every coin that can be sent to the address has a rate within 10 minutes, and no other coin', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'ethereum/usdc')
  await asksIn(25)
  const kept = rowsOf(app, 'SELECT asset_id, COUNT(*) AS count FROM rates GROUP BY asset_id')
  const counts = new Map(kept.map(({ asset_id, count }) => [String(asset_id), Number(count)]))
  const evm = app.context.networks.assets.filter(({ network }) => network === 'evm').map(({ id }) => id)
  expect([...counts.keys()].toSorted()).toEqual(evm.toSorted())
  for (const id of evm.filter(one => one !== 'ethereum/usdc')) expect([2, 3]).toContain(counts.get(id)!)
})

test('another coin that arrives before its first rate is stored counts at the present rate', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'ethereum/usdc')
  expect(keptTimes()).toEqual([])
  const body = { orderUUID, outcome: 'paid', assetId: 'ethereum/usdt', amount: '25' }
  await data(app, 'POST', '/sandbox/simulate', { body }, 202)
  expect((await check(app, orderUUID)).status).toBe('PAID')
})
