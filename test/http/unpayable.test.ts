import { expect, test } from 'bun:test'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { signInAs } from '../support/dashboard.ts'
import { BTC_WALLET, givenMerchant, givenOrder } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'

const crypto = { paymentMethodsKeys: ['crypto'] }
const MINUTE_MS = 60_000
const NOTHING = 'Customers cannot pay with anything now.'
const NOT_NOW = 'The shop can’t take payments right now, whatever the amount.'

const { app, each } = suite({ isFresh: true })
/** A shop whose buyers can pay with Bitcoin only. */
const shop = each(async () => {
  const merchant = await givenMerchant(app)
  await app.call('PUT', '/v1/wallet', { key: merchant.live, body: { cryptoWallets: { btc: BTC_WALLET } } })
  return merchant
})
const owner = each(() => signInAs(app, 'owner', shop.id))
each(() => app.jobs.settle())

const outage = (upstream: string, down: boolean) =>
  app.call('POST', '/sandbox/outage', { body: { upstream, down } })

async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 5) await app.advance(5 * MINUTE_MS)
}

const noticesOf = async (merchantId: string) => {
  const all = await listNotifications(app.context, merchantId)
  return all.filter(({ kind }) => kind === 'unpayable').map(said)
}

/** Makes everything fail that a buyer can pay with, or makes it work again. */
async function goDown(isDown: boolean): Promise<void> {
  for (const upstream of ['rates', 'chain']) await outage(upstream, isDown)
}

const saysIt = async (path: string) => (await owner.get(path)).text.includes(NOTHING)

test('the overview, the wallets, the guide and the buyer’s page agree while nothing can be paid', async () => {
  const order = await givenOrder(app, shop, crypto)
  const pages = ['/dashboard', '/dashboard/payouts', '/dashboard/setup/payment']
  const buyer = async () => (await app.call('GET', `/pay/${order.orderUUID}`)).text
  for (const path of pages) expect([path, await saysIt(path)]).toEqual([path, false])
  await goDown(true)
  await pass(15)
  for (const path of pages) expect([path, await saysIt(path)]).toEqual([path, true])
  expect((await owner.get('/dashboard?lang=de')).text).toContain('Es gibt keine Wechselkurse.')
  expect(await buyer()).toContain(NOT_NOW)
  await goDown(false)
  await pass(15)
  for (const path of pages) expect([path, await saysIt(path)]).toEqual([path, false])
})

test('a buyer is referred to another amount only if that could be paid', async () => {
  const tiny = await givenOrder(app, shop, { amount: '0.01', ...crypto })
  const page = async () => (await app.call('GET', `/pay/${tiny.orderUUID}`)).text
  expect(await page()).toContain('available for this amount')
  await outage('rates', true)
  await pass(15)
  expect(await page()).toContain(NOT_NOW)
  await outage('rates', false)
})

test('a shop that sells is notified after five minutes, once, and at the end; a new shop is not', async () => {
  const fresh = await givenMerchant(app)
  await givenOrder(app, shop, crypto)
  await goDown(true)
  const isNotified = async () => (await noticesOf(shop.id)).length > 0
  let minutes = 0
  while (!(await isNotified()) && minutes++ < 20) await app.advance(MINUTE_MS)
  // Rates stay valid for five minutes, so it takes longer until buyers cannot pay.
  expect(minutes).toBeGreaterThan(5)
  expect(minutes).toBeLessThan(16)
  const [notice] = await noticesOf(shop.id)
  expect(notice).toContain('customers cannot pay with anything')
  await pass(60)
  expect(await noticesOf(shop.id)).toHaveLength(1)
  expect(await noticesOf(fresh.id)).toEqual([])
  await goDown(false)
  await pass(15)
  expect(await noticesOf(shop.id)).toEqual(['Customers can pay again.', notice!])
})
