import { expect, test } from 'bun:test'
import { signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, type Shop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'
import { attemptsOf, givenCoinShop, HOUR_MS, openOnly, sendCoins, wallets } from '../payments.ts'
import { data } from '../request.ts'
import { changeRows } from '../rows.ts'
import { givenStripeShop, openSession, payOnPage, type StripeApp, startStripeApp } from '../stripes.ts'

const { app, each } = suite<StripeApp>({ start: startStripeApp })
const shop = each(() => givenCoinShop(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

/** Pays a part of an order in a coin, in percent of what is left. */
async function payPart(orderUUID: string, asset: string, percent: bigint): Promise<void> {
  const attempt = await openOnly(app, orderUUID, asset)
  await sendCoins(app, attempt, (BigInt(String(attempt.due_atomic)) * percent) / 100n)
  await check(app, orderUUID)
}

/** An order, paid half in Bitcoin, and then in USDC on Polygon. */
async function givenTwoCoins(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await payPart(orderUUID, 'btc', 50n)
  await payPart(orderUUID, 'polygon/usdc', 100n)
  return orderUUID
}

const of = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!)

/** The coins that the form of a refund offers. */
const coinsIn = (text: string): string[] =>
  of(text.split('name="sentAsset"')[1]?.split('</select>')[0] ?? '', /<option value="([^"]*)"/g)

async function openForm(orderUUID: string, person = owner) {
  const { text } = await person.get(`/dashboard/orders/${orderUUID}`)
  const form = { amount: '5.00', reason: 'broken', token: of(text, /name="token" value="([^"]*)"/g)[0] ?? '' }
  const send = (action: string, more: Record<string, string>) =>
    person.post(`/dashboard/orders/${orderUUID}/${action}`, { ...form, ...more })
  return { text, send }
}

async function entriesOf(orderUUID: string, person = owner): Promise<string[]> {
  const { text } = await person.get(`/dashboard/orders/${orderUUID}`)
  return of(text, /Sent back: ([^<\n]*)/g)
}

const rowsIn = async (person = owner): Promise<string[]> =>
  of((await person.get('/dashboard/reports/export.csv')).text, /\n(refund,.*)/g)

test('a refund of an order that a card completed after coins can be recorded in the coin', async () => {
  const own: Shop = await givenStripeShop(app)
  await data(app, 'PUT', '/v1/wallet', { key: own.live, body: { cryptoWallets: wallets } })
  const person = await signInAs(app, 'owner', own.id)
  const { orderUUID } = await givenOrder(app, own, { currency: 'EUR', paymentMethodsKeys: ['*'] })
  await payPart(orderUUID, 'btc', 50n)
  await payOnPage(app, await openSession(app, orderUUID))
  const { text, send } = await openForm(orderUUID, person)
  expect(coinsIn(text)).toEqual(['btc'])
  const sent = { sentAsset: 'btc', sentAmount: '0.0001', txId: 'abcdef' }
  expect((await send('refund-price', sent)).text).toMatch(/At the rate of the payment.*1 BTC = €/s)
  expect((await send('refund', sent)).status).toBe(303)
  expect(await entriesOf(orderUUID, person)).toEqual(['0.0001 BTC'])
  expect(await rowsIn(person)).toEqual([
    expect.stringMatching(/,crypto,Bitcoin,btc,btc,.*,-0[.]0001,btc,.*,abcdef,broken,/),
  ])
})

test('a refund of an order that was paid in two coins names the coin in which it was sent', async () => {
  const orderUUID = await givenTwoCoins()
  const { text, send } = await openForm(orderUUID)
  expect(coinsIn(text)).toEqual(['polygon/usdc', 'btc'])
  const sent = { sentAsset: 'btc', sentAmount: '0.0001', txId: 'abcdef' }
  const price = await send('refund-price', sent)
  expect(price.text).toMatch(/At the rate of the payment.*1 BTC = [$].*At the current rate.*1 BTC = [$]/s)
  expect(price.text).toContain('<option value="btc" selected>')
  expect((await send('refund', { ...sent, sentAsset: 'ltc' })).status).toBe(400)
  expect((await send('refund', sent)).status).toBe(303)
  expect(await entriesOf(orderUUID)).toEqual(['0.0001 BTC'])
  expect(await rowsIn()).toEqual([
    expect.stringMatching(/,crypto,Bitcoin,btc,btc,.*,-0[.]0001,btc,.*,abcdef,broken,/),
  ])
  app.time.now += 1000
  const second = await openForm(orderUUID)
  await second.send('refund', { sentAsset: 'polygon/usdc', sentAmount: '5' })
  expect(await entriesOf(orderUUID)).toEqual(['0.0001 BTC', '5 USDC'])
})

test('a refund is valued at the price of the payment, not at that of a later quote that nobody paid', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await payPart(orderUUID, 'btc', 50n)
  await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'btc', currency: 'USD', rate: '31234' } })
  await app.advance(5 * HOUR_MS)
  await openOnly(app, orderUUID, 'btc')
  await payPart(orderUUID, 'polygon/usdc', 100n)
  const rates = attemptsOf(app, orderUUID).map(({ rate }) => Number(rate))
  expect(rates).toEqual([expect.any(Number), 31_234, expect.any(Number)])
  const { send } = await openForm(orderUUID)
  const { text } = await send('refund-price', { sentAsset: 'btc', sentAmount: '0.0001', txId: 'abcdef' })
  const [paid, now] = of(text, /1 BTC = [$]([0-9,.]*[0-9])/g).map(price => Number(price.replaceAll(',', '')))
  expect([paid, now]).toEqual([rates[0], 31_234])
})

test('each coin of a refund has the address that the buyer left for its payment', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'btc')
  await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)) / 2n)
  await check(app, orderUUID)
  await payPart(orderUUID, 'polygon/usdc', 200n)
  expect((await openForm(orderUUID)).text).toContain('The customer has left no address')
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const form = { attempt: String(attemptsOf(app, orderUUID)[1]?.id), address }
  expect((await app.call('POST', `/pay/${orderUUID}/refund-address`, { form })).status).toBe(303)
  const { text } = await openForm(orderUUID)
  expect(text).toMatch(new RegExp(`USDC on Polygon[^<]*at this address:<br>.*data-copy="${address}"`, 's'))
})

test('a refund of payments in two coins that were accepted together can be sent in each of them', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const opened = [await openOnly(app, orderUUID, 'btc'), await openOnly(app, orderUUID, 'polygon/usdc')]
  await app.advance(5 * HOUR_MS)
  for (const one of opened) await sendCoins(app, one, BigInt(String(one.due_atomic)) / 4n)
  await check(app, orderUUID)
  const { text } = await owner.get(`/dashboard/orders/${orderUUID}`)
  const ids = of(text, /name="payment" value="([^"]*)"/g)
  const payment = ids.find(id => id.includes(' ')) ?? ''
  await owner.post(`/dashboard/orders/${orderUUID}/accept`, {
    ...{ payment, reason: '', proofPassword: 'correct horse battery' },
  })
  expect(coinsIn((await openForm(orderUUID)).text).toSorted()).toEqual(['btc', 'polygon/usdc'])
})

test('a refund that an earlier version recorded was sent in the coin that completed the order', async () => {
  const orderUUID = await givenTwoCoins()
  const { send } = await openForm(orderUUID)
  await send('refund', { sentAsset: 'btc', sentAmount: '5' })
  changeRows(app, 'UPDATE refunds SET sent_asset_id = NULL')
  expect(await entriesOf(orderUUID)).toEqual(['5 USDC'])
  expect(await rowsIn()).toEqual([expect.stringMatching(/,polygon,polygon\/usdc,.*,-5,polygon\/usdc,/)])
})
