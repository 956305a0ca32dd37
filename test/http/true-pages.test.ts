import { beforeEach, expect, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  DAY_MS,
  givenCoinShop,
  HOUR_MS,
  instant,
  MINUTE_MS,
  openOnly,
  outage,
  sendCoins,
} from './payments.ts'
import { givenPaid, refundOf } from './refunding.ts'
import { type Row, rowsOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))
beforeEach(() => changeMerchant(app.context, shop.id, { late: 'settle' }))

const pageOf = async (id: string, query = ''): Promise<string> =>
  (await app.call('GET', `/pay/${id}${query}`, { headers: { accept: 'text/html' } })).text
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')

const newOrder = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { expiresAt: instant(app.time.now + 20 * DAY_MS), ...change })).orderUUID

const dueOf = (attempt: Row): bigint => BigInt(String(attempt.due_atomic))

/** Opens a page of MoonPay, with this outcome. */
async function byCard(id: string, outcome: string): Promise<void> {
  app.time.now += MINUTE_MS
  expect((await app.call('GET', `/payment/process/${id}?method=moonpay`)).status).toBe(303)
  const attemptId = attemptsOf(app, id).at(-1)!.id
  await app.call('POST', '/sandbox/simulate', { body: { orderUUID: id, outcome, attemptId } })
  await check(app, id)
}

test('a declined card payment is not mentioned after another one has paid a part', async () => {
  const id = await newOrder({ amount: '100.00' })
  await byCard(id, 'failed')
  expect(await pageOf(id)).toContain('MoonPay.com declined the payment')
  await byCard(id, 'underpaid')
  const page = await pageOf(id)
  expect(page).toContain('Received $50.00 of $100.00 · $50.00 left')
  expect(page).not.toContain('declined')
})

test('a page names every payment of the order', async () => {
  const id = await newOrder({ amount: '100.00' })
  await openOnly(app, id, 'btc')
  await simulate(app, id, 'underpaid')
  await check(app, id)
  await byCard(id, 'underpaid')
  const ltc = await openOnly(app, id, 'ltc')
  await sendCoins(app, ltc, dueOf(ltc))
  await check(app, id)
  expect(await pageOf(id)).toContain('You paid 0.00083333 BTC, $25.00, and 0.3125 LTC to Corner Coffee.')
})

test('a page names a payment on another network that paid the order', async () => {
  const id = await newOrder()
  const { address } = await openOnly(app, id, 'ethereum/usdc')
  const query = new URLSearchParams({ address: String(address), asset: 'polygon/usdc', decimals: '6' })
  query.set('amount', '25')
  query.set('back', `/pay/${id}`)
  const form = { amount: '25', state: 'confirmed' }
  expect((await app.call('POST', `/sandbox/chain/polygon/send?${query}`, { form })).status).toBe(200)
  await app.call('POST', `/pay/${id}/check`, { form: { elsewhere: '1' } })
  await app.jobs.settle()
  expect(await pageOf(id)).toContain('You paid 25 USDC to Corner Coffee.')
})

test('a page claims no payment for an order that the shop has marked as paid', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await forceOrder(app.context, { merchantId: shop.id, orderId: id, by: 'Ann', reason: 'paid in cash' })
  expect(await pageOf(id)).toContain('You paid Corner Coffee. Thank you!')
})

test('while a late part waits for the shop, the page asks for the rest and mentions the part', async () => {
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'btc')
  await app.advance(100 * MINUTE_MS)
  await sendCoins(app, attempt, dueOf(attempt) / 2n)
  await check(app, id)
  const page = await pageOf(id)
  expect(page).toContain('$12.49 is waiting for Corner Coffee to accept it. $12.51 is left to pay.')
  expect(page).toContain('Get a new Bitcoin price')
  expect(page).not.toContain('Don’t send anything more')
})

test('while the shop decides about the whole amount, the page offers no new price', async () => {
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'btc')
  await app.advance(100 * MINUTE_MS)
  await sendCoins(app, attempt, dueOf(attempt), 'pending')
  await check(app, id)
  const seen = await pageOf(id)
  expect(seen).toContain(
    '$25.00 is waiting for Corner Coffee to accept it. Don’t send anything more for now.',
  )
  expect(seen).toContain('The payment isn’t confirmed yet.')
  await simulate(app, id, 'mined')
  await check(app, id)
  const mined = await pageOf(id)
  expect(mined).not.toContain('isn’t confirmed yet')
  for (const page of [seen, mined]) {
    expect(page).toContain('Don’t send anything more for now.')
    for (const untrue of ['new Bitcoin price', 'time to pay has run out', 'Pay another way'])
      expect(page).not.toContain(untrue)
  }
})

test('an expired order that has only money which waits for the shop asks the buyer not to pay again', async () => {
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  const id = await newOrder({ expiresAt: instant(app.time.now + 2 * HOUR_MS) })
  const attempt = await openOnly(app, id, 'btc')
  await app.advance(4 * HOUR_MS)
  await sendCoins(app, attempt, dueOf(attempt) / 2n)
  await check(app, id)
  const page = await pageOf(id)
  for (const said of [
    'This order has expired',
    'Contact Corner Coffee before you pay again.',
    '$12.49 is waiting',
  ])
    expect(page).toContain(said)
})

test('a part that came in time extends the time that the page shows', async () => {
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'btc')
  await sendCoins(app, attempt, dueOf(attempt) / 2n)
  await check(app, id)
  app.time.now = Number(attempt.locked_until) + 1000
  const { graceUntil } = (await check(app, id)).attempt
  expect(Date.parse(graceUntil)).toBeGreaterThan(app.time.now)
  expect(await pageOf(id)).toContain(`<time datetime="${graceUntil}" data-countdown`)
})

test('a paid page names what paid the order, and a second payment until the shop has dealt with it', async () => {
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'polygon/usdc')
  await sendCoins(app, attempt, dueOf(attempt))
  expect((await check(app, id)).status).toBe('PAID')
  await sendCoins(app, attempt, 10_000_000n)
  await app.advance(2 * HOUR_MS)
  const notice = 'We received 10 USDC, but this order was already paid.'
  const page = await pageOf(id)
  for (const said of ['You paid 25 USDC to Corner Coffee.', notice]) expect(page).toContain(said)
  const [row] = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id)
  await resolveUnmatched(app.context, shop.id, String(row!.id), 'sent back')
  expect(await pageOf(id)).not.toContain(notice)
})

test('while a network cannot be read, its time does not run out and no remaining time is shown', async () => {
  const waiting = await newOrder()
  await openOnly(app, waiting, 'btc')
  await check(app, waiting)
  const detected = await newOrder()
  await openOnly(app, detected, 'btc')
  await simulate(app, detected, 'pending')
  await check(app, detected)
  expect(await pageOf(detected)).toContain('about 10 min left')
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) for (const id of [waiting, detected]) await check(app, id)
  await app.advance(100 * MINUTE_MS)
  const page = await pageOf(waiting)
  expect(page).toContain('We can’t reach the Bitcoin network right now')
  expect(page).toContain('Pay 0.00041667 BTC')
  expect(page).not.toContain('time to pay has run out')
  const asked = `?checked=${Math.floor(app.time.now / 1000)}`
  expect(await pageOf(waiting, asked)).not.toContain('Checked at')
  const progress = await pageOf(detected)
  expect(progress).toContain('0 of 1 confirmations')
  expect(progress).not.toContain('min left')
  await app.advance(25 * HOUR_MS)
  const over = await pageOf(waiting)
  expect(over).toContain('time to pay has run out')
  expect(over).not.toContain('new Bitcoin price')
  await outage(app, 'chain', false)
  await app.advance(2 * MINUTE_MS)
})

test('a page promises to detect a payment only if something looks for it', async () => {
  const promise = 'your payment will still be detected'
  const fresh = await newOrder()
  const opened = await newOrder()
  await openOnly(app, opened, 'btc')
  for (const id of [fresh, opened]) await endOrder(app.context, shop.id, id)
  expect(await pageOf(opened)).toContain(promise)
  const waiting = await newOrder()
  await openOnly(app, waiting, 'btc')
  await app.advance(2 * HOUR_MS)
  expect(await pageOf(waiting)).toContain('Your payment will still be detected')
  await app.advance(8 * DAY_MS)
  for (const id of [fresh, opened]) {
    const page = await pageOf(id)
    expect(page).not.toContain(promise)
    expect(page).toContain('closed it before it was paid. Go back to the shop and order again.')
  }
  expect(await pageOf(waiting)).toContain('Choose how to pay')
})

test('a page says so if it switches to an older payment that was chosen in another window', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  app.time.now += 1000
  const { id: first } = await openOnly(app, id, 'ltc')
  app.time.now += 1000
  await openOnly(app, id, 'btc')
  const page = await pageOf(id, `?first=${first}`)
  expect(page).toContain('Pay 0.00041667 BTC')
  expect(page).toContain('Another payment was chosen in another window: Bitcoin.')
  // The window in which this payment was chosen does not announce it.
  expect(await pageOf(id)).not.toContain('in another window')
})

test('an overpayment with two methods is on the page and can be sent back', async () => {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  const usdc = await openOnly(app, id, 'ethereum/usdc')
  await sendCoins(app, btc, dueOf(btc) / 2n)
  // Checks now, because otherwise either of the two could pay the order first.
  await check(app, id)
  await sendCoins(app, usdc, dueOf(usdc))
  await check(app, id)
  const page = await pageOf(id)
  for (const text of [
    'You paid more than was due',
    'We received $37.49, but only $25.00 was due.',
    'Refund address on Ethereum',
  ])
    expect(page).toContain(text)
  const form = { attempt: String(usdc.id), address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
  expect((await app.call('POST', `/pay/${id}/refund-address`, { form })).status).toBe(303)
  const [, asked] = rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ? ORDER BY id', id)
  expect(JSON.parse(String(asked?.facts))).toMatchObject({ about: 'refund_address_over', sum: '12.49 USD' })
})

test('a page does not wait for a card payment if only a part can be paid', async () => {
  const id = await newOrder({ paymentMethodsKeys: ['moonpay'] })
  await byCard(id, 'underpaid')
  const page = await pageOf(id)
  expect(page).toContain('The remaining $12.50 is too little to send.')
  for (const untrue of ['Waiting for', 'Finish your payment', 'Pay another way'])
    expect(page).not.toContain(untrue)
  const checked = await pageOf(id, `?checked=${Math.floor(app.time.now / 1000)}`)
  expect(checked).toContain('Nothing more has arrived.')
})

test('an order with a part paid by card does not fail with the next card', async () => {
  const id = await newOrder({ amount: '100.00', paymentMethodsKeys: ['moonpay'] })
  await byCard(id, 'underpaid')
  await byCard(id, 'failed')
  const page = await pageOf(id)
  expect(page).toContain('Received $50.00 of $100.00 · $50.00 left')
  expect(page).toContain('MoonPay.com declined the payment')
  expect(page).not.toContain('order again')
})

test('a part that arrived before the shop marked the order as paid is not shown as later', async () => {
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'btc')
  await simulate(app, id, 'underpaid')
  await check(app, id)
  await forceOrder(app.context, { merchantId: shop.id, orderId: id, by: 'Ann', reason: 'paid in cash' })
  const before = await pageOf(id)
  expect(before).toContain('We received 0.00020833 BTC, worth $12.49.')
  expect(before).not.toContain('had ended')
  await sendCoins(app, attempt, dueOf(attempt))
  await app.advance(2 * HOUR_MS)
  expect(await pageOf(id)).toContain('We received 0.00041667 BTC, but this order had already ended.')
})

test('a payment that was seen before another one paid the order is not called a second payment', async () => {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  const usdc = await openOnly(app, id, 'polygon/usdc')
  await sendCoins(app, btc, dueOf(btc), 'pending')
  await check(app, id)
  await sendCoins(app, usdc, dueOf(usdc))
  expect((await check(app, id)).status).toBe('PAID')
  const mined = { orderUUID: id, outcome: 'mined', attemptId: btc.id }
  expect((await app.call('POST', '/sandbox/simulate', { body: mined })).status).toBe(202)
  await app.advance(HOUR_MS)
  const page = await pageOf(id)
  expect(page).toContain('You paid more than was due')
  expect(page).toContain('We received 0.00041667 BTC, worth $25.00.')
  for (const untrue of ['second payment', 'already paid']) expect(page).not.toContain(untrue)
})

test('payments that a customer sent before being blocked are confirmed', async () => {
  const id = await newOrder({ customer: { email: 'thief@buyer.example' } })
  await openOnly(app, id, 'btc')
  await simulate(app, id, 'pending')
  await check(app, id)
  await blockCustomer(app.context, shop.id, 'thief@buyer.example', true)
  expect(await pageOf(id)).toContain('Payment detected')
  await simulate(app, id, 'vanished')
  await check(app, id)
  const page = await pageOf(id)
  expect(page).toContain('Corner Coffee can’t accept this payment.')
  expect(page).not.toContain('Send exactly')
})

test('a part that is being confirmed does not promise to pay an order whose other part has vanished', async () => {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  await sendCoins(app, btc, dueOf(btc) / 2n, 'pending')
  await check(app, id)
  const ltc = await openOnly(app, id, 'ltc')
  await sendCoins(app, ltc, dueOf(ltc), 'pending')
  await check(app, id)
  const promise = 'The order is marked as paid as soon as the network confirms the payment.'
  expect(await pageOf(id)).toContain(promise)
  const vanish = { orderUUID: id, outcome: 'vanished', attemptId: btc.id }
  await app.call('POST', '/sandbox/simulate', { body: vanish })
  await check(app, id)
  const page = await pageOf(id)
  expect(page).toContain('Received $12.51 of $25.00 · $12.49 left')
  expect(page).toContain('Payment detected')
  expect(page).not.toContain(promise)
  expect(page).toContain('Continue with Bitcoin')
  expect(await pageOf(id, '?choose=2')).toContain('Choose how to pay')
})

test('an expired order whose network cannot be read says so, and does not deny payments in time', async () => {
  const id = await newOrder({ expiresAt: instant(app.time.now + 2 * HOUR_MS) })
  await openOnly(app, id, 'btc')
  await app.advance(100 * MINUTE_MS)
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  await app.advance(HOUR_MS)
  await check(app, id)
  const page = await pageOf(id)
  expect(page).toContain('This order has expired')
  expect(page).toContain('We can’t reach the Bitcoin network right now')
  for (const unknown of ['wasn’t paid in time', 'order again']) expect(page).not.toContain(unknown)
  await outage(app, 'chain', false)
  await app.advance(2 * MINUTE_MS)
  expect(await pageOf(id)).toContain('It wasn’t paid in time.')
})

test('after its expiry, an order that waits for a payment offers no other, but those that are open', async () => {
  const id = await newOrder({ expiresAt: instant(app.time.now + 10 * MINUTE_MS) })
  await openOnly(app, id, 'btc')
  await app.advance(5 * MINUTE_MS)
  await openOnly(app, id, 'ltc')
  await app.advance(6 * MINUTE_MS)
  for (const query of ['', '?choose=2']) {
    const page = await pageOf(id, query)
    expect(page).toContain('Pay 0.3125 LTC')
    expect(page).not.toContain('Pay another way')
  }
  await openOnly(app, id, 'btc')
  const page = await pageOf(id)
  expect(page).toContain('Pay 0.00041667 BTC')
  expect(page).toContain('Continue with Litecoin')
  await app.advance(20 * MINUTE_MS)
  const lapsed = await pageOf(id)
  expect(lapsed).toContain('Continue with Litecoin')
  expect(lapsed).toContain('your payment will still be detected')
  for (const refused of ['new Bitcoin price', 'get a new price', 'Pay another way', 'order again.'])
    expect(lapsed).not.toContain(refused)
})

test('after its expiry, an order that waits for a coin offers no card again', async () => {
  const id = await newOrder({ expiresAt: instant(app.time.now + 10 * MINUTE_MS) })
  await openOnly(app, id, 'btc')
  await app.advance(5 * MINUTE_MS)
  await byCard(id, 'failed')
  expect(await pageOf(id)).toContain('through Banxa')
  await app.advance(6 * MINUTE_MS)
  const page = await pageOf(id)
  expect(page).not.toContain('through Banxa')
  expect(page).toContain('Continue with Bitcoin')
})

test('while the network of a started payment cannot be read, the choice and other payments say so', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  const awayOn = async (query = '') =>
    [...(await pageOf(id, query)).matchAll(/<strong>We can’t reach the (\w+) network/g)].map(
      ([, name]) => name,
    )
  expect(await awayOn()).toEqual(['Bitcoin'])
  expect(await awayOn('?choose=1')).toEqual(['Bitcoin'])
  await byCard(id, 'failed')
  expect(await awayOn()).toEqual(['Bitcoin'])
  await outage(app, 'chain', false)
  await openOnly(app, id, 'ltc')
  expect(await awayOn()).toEqual(['Bitcoin'])
  expect(await pageOf(id)).toContain('Don’t pay again')
  await app.advance(2 * MINUTE_MS)
  expect(await awayOn()).toEqual([])
})

test('the title of the tab says what the page says, if the shop closed or refunded the order', async () => {
  const closed = await newOrder()
  await endOrder(app.context, shop.id, closed)
  expect(await pageOf(closed)).toContain('<title>This order was closed – $25.00')
  const { orderUUID: refunded } = await givenPaid(app, shop)
  expect(await pageOf(refunded)).toContain('<title>✓ Paid – $25.00')
  await refundOf(app, shop, refunded, { amount: '5.00' })
  expect(await pageOf(refunded)).toContain('<title>✓ Paid – $25.00')
  await refundOf(app, shop, refunded)
  const page = await pageOf(refunded)
  expect(page).toContain('<title>Refunded – $25.00')
  expect(page).toContain('Corner Coffee refunded $25.00.')
})
