import { expect, test } from 'bun:test'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { writeNotification } from '../../src/present/notification.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { check, givenOrder, type Shop, simulate } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { restart, suite } from '../support/suite.ts'
import { givenCoinShop, HOUR_MS, MINUTE_MS, openOnly, outage } from './payments.ts'

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenCoinShop(app))

/** Lets time pass in steps of a minute. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += MINUTE_MS) await app.advance(MINUTE_MS)
}

async function opened(asset = 'btc', payee = shop): Promise<string> {
  const { orderUUID } = await givenOrder(app, payee)
  await openOnly(app, orderUUID, asset)
  return orderUUID
}

async function noticesOf({ id }: Shop = shop): Promise<string[]> {
  const all = await listNotifications(app.context, id)
  return all.filter(({ kind }) => kind === 'chain_blind').map(said)
}

const blind = /^Payments on Bitcoin cannot be seen: the server has not been able to read it since \d/
const readable = 'Payments on Bitcoin can be seen again: the server can read it.'

test('a merchant is notified once when a chain cannot be read, and once when that ends', async () => {
  await opened()
  const seen = await opened()
  await outage(app, 'chain', true)
  await check(app, seen)
  await pass(9 * MINUTE_MS)
  expect(await noticesOf()).toEqual([])
  await pass(5 * MINUTE_MS)
  expect(await noticesOf()).toEqual([expect.stringMatching(blind)])
  await pass(HOUR_MS)
  expect(await noticesOf()).toHaveLength(1)
  await outage(app, 'chain', false)
  await pass(2 * MINUTE_MS)
  expect(await noticesOf()).toEqual([readable, expect.stringMatching(blind)])
  await pass(HOUR_MS)
  expect(await noticesOf()).toHaveLength(2)
  const [end, begin] = (await listNotifications(app.context, shop.id))
    .filter(({ kind }) => kind === 'chain_blind')
    .map(({ facts }) => writeNotification(dashboardLocale('de', 'UTC'), facts, 'person').text)
  expect(begin).toContain('Zahlungen über Bitcoin sind nicht zu sehen')
  expect(end).toContain('Zahlungen über Bitcoin sind wieder zu sehen')
})

test('a merchant is notified of each chain on which buyers can pay', async () => {
  await opened()
  await opened('ltc')
  await outage(app, 'chain', true)
  await pass(22 * MINUTE_MS)
  expect((await noticesOf()).map(text => / on (\w+) cannot/.exec(text)?.[1]).toSorted()).toEqual([
    'Bitcoin',
    'Litecoin',
  ])
})

test('only merchants who wait for a payment on the chain are notified', async () => {
  const [idle, paid, past, waiting] = [
    await givenCoinShop(app),
    await givenCoinShop(app),
    await givenCoinShop(app),
    await givenCoinShop(app),
  ]
  await opened('btc', past)
  await pass(2 * HOUR_MS)
  const settled = await opened('btc', paid)
  await simulate(app, settled, 'paid')
  await check(app, settled)
  const orderUUID = await opened('btc', waiting)
  await outage(app, 'chain', true)
  await check(app, orderUUID)
  await pass(70 * MINUTE_MS)
  for (const one of [idle, paid, past]) expect(await noticesOf(one)).toEqual([])
  expect(await noticesOf(waiting)).toHaveLength(1)
})

test('short outages do not add up', async () => {
  const orderUUID = await opened()
  for (let time = 0; time < 4; time++) {
    await outage(app, 'chain', true)
    await check(app, orderUUID)
    await pass(8 * MINUTE_MS)
    await outage(app, 'chain', false)
    await pass(3 * MINUTE_MS)
  }
  expect(await noticesOf()).toEqual([])
})

test('a restarted server neither forgets an outage nor notifies of it again', async () => {
  const orderUUID = await opened()
  await outage(app, 'chain', true)
  await check(app, orderUUID)
  await pass(8 * MINUTE_MS)
  const stopAndStart = async () => {
    await restart(app)
    await outage(app, 'chain', true)
  }
  await stopAndStart()
  await pass(4 * MINUTE_MS)
  expect(await noticesOf()).toHaveLength(1)
  await stopAndStart()
  await pass(20 * MINUTE_MS)
  expect(await noticesOf()).toHaveLength(1)
})
