import { describe, expect, test } from 'bun:test'
import { nextStep } from '../../src/cli/order/next-step.ts'
import { inspectOrder } from '../../src/operations/orders/inspect.ts'
import { presentOrderHistory } from '../../src/present/order-history.ts'
import { locales } from '../../views/locale.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, paidInCash, simulate } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  sendCoins,
} from './payments.ts'
import { rowsOf } from './rows.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

const pageOf = async (id: string, language = 'en'): Promise<string> =>
  (await app.call('GET', `/pay/${id}?lang=${language}`)).text.replaceAll(/[\u2066-\u2069]/g, '')

const WARNING =
  'The network no longer shows your payment of 0.00041667 BTC. Check it in your wallet before you send again.'

/** An order of 25.00 USD whose payment of 0.00041667 BTC had these outcomes, each of them checked. */
async function orderAfter(...outcomes: string[]): Promise<string> {
  const id = (await givenOrder(app, shop)).orderUUID
  await openOnly(app, id, 'btc')
  await doTo(id, ...outcomes)
  return id
}

async function doTo(id: string, ...outcomes: string[]): Promise<void> {
  for (const outcome of outcomes) {
    expect((await simulate(app, id, outcome)).status).toBe(202)
    await check(app, id)
  }
}

test.each(locales.map(locale => [locale.tag, locale] as const))(
  'the page of a detected payment promises only what the network guarantees: %s',
  async (tag, { texts }) => {
    const id = await orderAfter('pending')
    const page = await pageOf(id, tag)
    expect(page).toContain(texts.crypto.closePage)
    await doTo(id, 'vanished')
    const after = await pageOf(id, tag)
    expect(after).not.toContain(texts.crypto.closePage)
    expect(after).toContain(
      texts.money.vanished({ amount: '0.00041667 BTC' }).replaceAll(/[\u2066-\u2069]/g, ''),
    )
  },
)

test('after a payment has vanished, the page says so and asks for the whole amount again', async () => {
  const id = await orderAfter('pending')
  const before = await pageOf(id)
  expect(before).toContain(
    'You can close this page. The order is marked as paid as soon as the network confirms the payment.',
  )
  expect(before).not.toContain('no longer shows')
  expect(before).not.toContain('Pay 0.00041667 BTC')
  await doTo(id, 'vanished')
  const after = await pageOf(id)
  expect(after).toContain(WARNING)
  expect(after).toContain('Pay 0.00041667 BTC')
  expect(after).not.toContain('Received $')
})

test('after the first of two parts has vanished, the page asks for it again', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const attempt = await openOnly(app, id, 'btc')
  await sendCoins(app, attempt, 20_001n, 'pending')
  await check(app, id)
  await openOnly(app, id, 'polygon/usdc')
  expect(await pageOf(id)).toContain('Pay 13 USDC')
  const vanish = { orderUUID: id, outcome: 'vanished', attemptId: attempt.id }
  expect((await app.call('POST', '/sandbox/simulate', { body: vanish })).status).toBe(202)
  await check(app, id)
  const page = await pageOf(id)
  expect(page).toContain('no longer shows your payment of 0.00020001 BTC')
  expect(page).not.toContain('Received $')
  await openOnly(app, id, 'btc')
  expect(await pageOf(id)).toContain('Pay 0.00041667 BTC')
})

test('a requested check finds money that was sent again to the address of the part that has arrived', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const btc = await openOnly(app, id, 'btc')
  await sendCoins(app, btc, 20_001n, 'pending')
  await check(app, id)
  const usdc = await openOnly(app, id, 'polygon/usdc')
  await sendCoins(app, usdc, 13_000_000n)
  await check(app, id)
  const vanish = { orderUUID: id, outcome: 'vanished', attemptId: btc.id }
  expect((await app.call('POST', '/sandbox/simulate', { body: vanish })).status).toBe(202)
  expect((await check(app, id)).left.amount).toBe('12.00')
  await sendCoins(app, usdc, 12_000_000n)
  expect((await check(app, id)).status).toBe('PAID')
})

test('the merchant does not read that the order asks for an amount that another payment covers', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const btc = await openOnly(app, id, 'btc')
  await sendCoins(app, btc, 41_667n, 'pending')
  await sendCoins(app, await openOnly(app, id, 'polygon/usdc'), 25_000_000n, 'pending')
  await check(app, id)
  const vanish = { orderUUID: id, outcome: 'vanished', attemptId: btc.id }
  expect((await app.call('POST', '/sandbox/simulate', { body: vanish })).status).toBe(202)
  const { left } = await check(app, id)
  const [note] = rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', id).map(said)
  expect([left.amount, note]).toEqual(['0.00', expect.stringContaining('unless the customer has paid')])
})

test('the message disappears when the payment returns, is replaced, or is made again', async () => {
  const back = await orderAfter('pending', 'vanished', 'mined')
  expect((await check(app, back)).status).toBe('PAID')
  expect(await pageOf(back)).not.toContain('no longer shows')
  const replaced = await orderAfter('pending', 'replaced')
  expect(await pageOf(replaced)).not.toContain('no longer shows')
  const again = await orderAfter('pending', 'vanished', 'pending')
  const page = await pageOf(again)
  expect(page).toContain('Payment detected')
  expect(page).not.toContain('no longer shows')
})

test('a buyer who returns after the order has expired sees the message too', async () => {
  const id = await orderAfter('pending', 'vanished')
  await app.advance(24 * HOUR_MS)
  const page = await pageOf(id)
  expect(page).toContain('This order has expired')
  expect(page).toContain(WARNING)
})

test('a reorganisation takes the newest of two payments out of its block', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const attempt = await openOnly(app, id, 'btc')
  for (const amount of [20_001n, 5000n]) {
    await sendCoins(app, attempt, amount)
    await app.advance(MINUTE_MS)
    await check(app, id)
  }
  const parts = await pageOf(id)
  expect(parts).toContain('Received $15.00 of $25.00')
  await doTo(id, 'vanished')
  const page = await pageOf(id)
  expect(page).toContain('Received $12.00 of $25.00')
  expect(page).toContain('no longer shows your payment of 0.00005 BTC')
  expect(notificationsOf(app, id)).toEqual(['payment_vanished'])
  await doTo(id, 'mined')
  expect(await pageOf(id)).toContain('Received $15.00 of $25.00')
})

test('a payment that settled its order and is reorganised leaves it paid, and the merchant is notified', async () => {
  const id = await orderAfter('paid', 'vanished')
  await app.advance(HOUR_MS)
  expect((await check(app, id)).status).toBe('PAID')
  expect(notificationsOf(app, id)).toEqual(['payment_reorganised'])
  await doTo(id, 'mined')
  await app.advance(HOUR_MS)
  expect(notificationsOf(app, id)).toEqual(['payment_reorganised', 'payment_reorganised'])
  expect(rowsOf(app, 'SELECT state FROM incoming_payments WHERE order_id = ?', id)).toEqual([
    { state: 'final' },
  ])
})

test('a payment that settled nothing and has left its chain is not shown as received', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const btc = await openOnly(app, id, 'btc')
  await sendCoins(app, btc, 20_001n)
  await check(app, id)
  await app.advance(2 * HOUR_MS)
  expect(await pageOf(id)).toContain('We received 0.00020001 BTC, worth $12.00.')
  await doTo(id, 'vanished')
  const gone = await pageOf(id)
  expect(gone).toContain('no longer shows your payment of 0.00020001 BTC')
  for (const untrue of ['We received', 'Refund address']) expect(gone).not.toContain(untrue)
  const owner = await signInAs(app, 'owner', shop.id)
  const inbox = (await owner.get('/dashboard/unmatched')).text
  expect(inbox).toContain('This payment has disappeared from the blockchain.')
  const order = (await owner.get(`/dashboard/orders/${id}`)).text
  for (const page of [inbox, order]) expect(page).not.toContain('Accept this payment')
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(usdc.priced).toBe('25.00')
  await sendCoins(app, usdc, 25_000_000n)
  expect((await check(app, id)).status).toBe('PAID')
  expect(await pageOf(id)).not.toContain('We received')
  const mined = { orderUUID: id, outcome: 'mined', attemptId: btc.id }
  expect((await app.call('POST', '/sandbox/simulate', { body: mined })).status).toBe(202)
  await app.advance(HOUR_MS)
  expect((await owner.get('/dashboard/unmatched')).text).not.toContain('has disappeared')
  const back = await pageOf(id)
  expect(back).toContain('You paid more than was due')
  expect(back).toContain('We received 0.00020001 BTC, worth $12.00.')
  expect(back).not.toContain('cover this order')
})

test('a refund address is for the payments that are still there', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  const btc = await openOnly(app, id, 'btc')
  for (const amount of [12_000n, 5000n]) {
    await sendCoins(app, btc, amount)
    await app.advance(MINUTE_MS)
    await check(app, id)
  }
  await app.advance(2 * HOUR_MS)
  await doTo(id, 'vanished')
  const form = { attempt: String(btc.id), address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
  expect((await app.call('POST', `/pay/${id}/refund-address`, { form })).status).toBe(303)
  const facts = rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ? ORDER BY created_at, id', id)
  expect(JSON.parse(String(facts.at(-1)?.facts))).toMatchObject({ sum: '0.00012 BTC' })
})

test.each([
  ['another coin of its network', 'ethereum/usdc', '10 USDC'],
  ['the coin on another network', 'base/eth', '0.004 ETH on Base'],
])('a payment in %s that has vanished is named', async (_, assetId, named) => {
  const id = (await givenOrder(app, shop)).orderUUID
  await openOnly(app, id, 'ethereum/eth')
  const doSo = async (outcome: string, more: object = {}) => {
    const body = { orderUUID: id, outcome, assetId, ...more }
    expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
    await app.advance(MINUTE_MS)
    await app.call('POST', `/pay/${id}/check`, { form: { elsewhere: '1' } })
    await app.advance(MINUTE_MS)
  }
  await doSo('paid', { amount: named.split(' ')[0] })
  expect(await pageOf(id)).toMatch(/Received [$]1\d[.]00 of [$]25[.]00/)
  await doSo('vanished')
  await app.advance(10 * MINUTE_MS)
  const page = await pageOf(id)
  expect(page).not.toContain('Received $')
  expect(page).toContain(`no longer shows your payment of ${named}.`)
})

describe('a payment that is in no block hours after the time to pay has run out', () => {
  const STUCK = 'The network still hasn’t confirmed your payment of 0.00041667 BTC. Don’t pay again:'

  test('is named on the page, and counts late once it is mined', async () => {
    const id = await orderAfter('pending')
    await app.advance(7 * HOUR_MS)
    const status = await check(app, id)
    expect(status).toMatchObject({ status: 'UNPAID', credited: '0.00', attempt: { state: 'expired' } })
    expect(status.attempt).toMatchObject({ receivedAmount: '0.00041667', confirmations: 0 })
    const page = await pageOf(id)
    expect(page).toContain(STUCK)
    expect(page).not.toContain('Received $')
    expect(await pageOf(id, 'de')).toContain('hat Ihre Zahlung von 0.00041667 BTC noch nicht bestätigt')
    await openOnly(app, id, 'ltc')
    expect(await pageOf(id)).toContain(STUCK)
    const mined = { orderUUID: id, outcome: 'mined', attemptId: attemptsOf(app, id)[0]!.id }
    expect((await app.call('POST', '/sandbox/simulate', { body: mined })).status).toBe(202)
    await app.advance(2 * HOUR_MS)
    expect((await check(app, id)).status).toBe('PAID')
    expect(await pageOf(id)).not.toContain('hasn’t confirmed')
  })

  test('is shown to the merchant, who cannot mark the order as paid by mistake', async () => {
    const id = await orderAfter('pending')
    await app.advance(7 * HOUR_MS)
    const owner = await signInAs(app, 'owner', shop.id)
    const order = (await owner.get(`/dashboard/orders/${id}`)).text.replaceAll(/<[^>]*>/g, ' ')
    expect(order).toMatch(/Received\s+0[.]00041667 BTC/)
    expect(order).toMatch(/Confirmations\s+0 of 1/)
    await expect(paidInCash(app, shop, id)).rejects.toThrow('is being confirmed and may pay it')
    const history = await inspectOrder(app.context, shop.id, id)
    const shown = presentOrderHistory(app.context, history)
    expect(nextStep(shown)).toBe('A payment of 0.00041667 btc was seen. It is not confirmed yet.')
  })

  test('is named on the page of an expired order, whose buyer asks the shop first', async () => {
    const id = await orderAfter()
    await app.advance(25 * HOUR_MS)
    await doTo(id, 'pending')
    await app.advance(7 * HOUR_MS)
    expect((await check(app, id)).status).toBe('EXPIRED')
    const page = await pageOf(id)
    expect(page).toContain(STUCK)
    expect(page).toContain('Contact Corner Coffee before you pay again.')
    await doTo(id, 'vanished')
    expect(await pageOf(id)).not.toContain('hasn’t confirmed')
  })

  test('is not a part of what the page says has arrived', async () => {
    const id = (await givenOrder(app, shop)).orderUUID
    const attempt = await openOnly(app, id, 'btc')
    await sendCoins(app, attempt, 30_000n)
    await app.advance(20 * MINUTE_MS)
    await sendCoins(app, attempt, 1000n, 'pending')
    await check(app, id)
    await app.advance(7 * HOUR_MS)
    await check(app, id)
    const page = await pageOf(id)
    expect(page).toContain('Received $17.99 of $25.00')
    expect(page).toContain('confirmed your payment of 0.00001 BTC')
  })
})

test('in the sandbox, no payment vanishes from an order that has none, or from one at a provider', async () => {
  const id = (await givenOrder(app, shop)).orderUUID
  await openOnly(app, id, 'btc')
  expect((await simulate(app, id, 'vanished')).json.error.code).toBe('conflict')
  const card = (await givenOrder(app, shop)).orderUUID
  await app.call('GET', `/payment/process/${card}?method=moonpay`)
  expect((await simulate(app, card, 'vanished')).json.error.code).toBe('conflict')
})
