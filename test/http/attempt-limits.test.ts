import { expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { check, givenOrder, paidInCash, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, getOrder, givenCoinShop, LOCK_MS, openOnly, sendCoins } from './payments.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

const assets = [
  ...['btc', 'ltc', 'doge', 'bitcoincash', 'zec', 'xmr', 'trc20/trx'],
  ...['trc20/usdt', 'solana/sol', 'solana/usdc', 'ethereum/eth'],
]
const order = async () => (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID

const open = (orderUUID: string, asset: string) =>
  app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })

test('at most 10 payments of an order are inside their lock; the next attempt redirects to them', async () => {
  const orderUUID = await order()
  for (const asset of assets.slice(0, 10)) await openOnly(app, orderUUID, asset)
  const refused = await open(orderUUID, assets[10]!)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1800')
  const headers = { accept: 'text/html', 'accept-language': 'de' }
  const led = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: assets[10]! }, headers })
  expect(led.status).toBe(303)
  const page = await app.call('GET', String(led.headers.get('location')), { headers })
  expect(page.text).toContain('Sie haben für diese Bestellung zehn Zahlungen geöffnet.')
  const [, links = ''] = /<section class="others">([\s\S]*?)<\/section>/.exec(page.text) ?? []
  const linked = [...links.matchAll(/name="asset" value="([^"]+)"/g)].map(([, asset]) => asset)
  expect(linked).toEqual(assets.slice(0, 10))
  expect(attemptsOf(app, orderUUID)).toHaveLength(10)
  // The browser shows the address of the form, which can be entered again.
  const entered = await app.call('GET', `/pay/${orderUUID}/crypto`)
  expect([entered.status, entered.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
  // A payment that is already open is still shown.
  expect((await open(orderUUID, 'btc')).status).toBe(303)
  await app.advance(LOCK_MS)
  const later = await app.call('GET', String(led.headers.get('location')), { headers })
  expect(later.text).not.toContain('zehn Zahlungen')
  expect((await open(orderUUID, assets[10]!)).status).toBe(303)
  expect(attemptsOf(app, orderUUID)).toHaveLength(11)
})

test.each([
  ['all', 1n, 'confirming'],
  ['a part', 2n, 'underpaid'],
])('an order of which %s is being confirmed is forced only on request', async (_, share, state) => {
  const orderId = await order()
  const attempt = await openOnly(app, orderId, 'btc')
  await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)) / share, 'pending')
  expect((await check(app, orderId)).attempt.state).toBe(state)
  const forcing = { merchantId: shop.id, orderId, by: 'Ann', reason: 'paid in cash' }
  await expect(forceOrder(app.context, forcing)).rejects.toThrow(/being confirmed.*--anyway/)
  expect((await getOrder(app, shop, orderId)).status).toBe('UNPAID')
  await forceOrder(app.context, { ...forcing, anyway: true })
  expect(await getOrder(app, shop, orderId)).toMatchObject({ status: 'PAID', forced: true })
})

test('an order whose payment is short, or not seen yet, can be forced without the option', async () => {
  for (const outcome of [null, 'underpaid']) {
    const orderId = await order()
    await openOnly(app, orderId, 'btc')
    if (outcome) await simulate(app, orderId, outcome)
    await check(app, orderId)
    await paidInCash(app, shop, orderId)
    expect((await getOrder(app, shop, orderId)).status).toBe('PAID')
    // Payments that arrived are still recorded.
    await app.advance(LOCK_MS)
  }
})
