import { describe, expect, test } from 'bun:test'
import { serverOrigin } from '../../src/domain/audit.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { refundUnmatched } from '../../src/operations/payments/refund-unmatched.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { exportMovements } from '../../src/operations/reports/movements.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, getOrder, MINUTE_MS, notificationsOf, openOnly, sendCoins, wallets } from './payments.ts'
import { freshKey, refundOf } from './refunding.ts'
import { data } from './request.ts'
import { type Row, rowOf, rowsOf } from './rows.ts'
import {
  altered,
  givenStripeShop,
  openSession,
  payOnPage,
  type StripeApp,
  startStripeApp,
  status,
} from './stripes.ts'

const { app, each, ownApp } = suite<StripeApp>({ start: startStripeApp })
const shop = each(async () => {
  const made = await givenStripeShop(app)
  await data(app, 'PUT', '/v1/wallet', { key: made.live, body: { cryptoWallets: wallets } })
  return made
})

const newOrder = async (): Promise<string> =>
  (await givenOrder(app, shop, { currency: 'EUR', paymentMethodsKeys: ['*'] })).orderUUID

/** An order of 25.00 EUR, paid half in Bitcoin and half by card. */
const givenHalves = (state: 'confirmed' | 'pending') => givenParts(state, { btc: 50n, card: '12.50' })

/** An order of 25.00 EUR, of which some percent are paid in Bitcoin, and the rest by card. */
async function givenParts(
  state: 'confirmed' | 'pending',
  parts: { btc: bigint; card: string },
): Promise<{ orderUUID: string; btc: Row }> {
  const orderUUID = await newOrder()
  const btc = await openOnly(app, orderUUID, 'btc')
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * parts.btc) / 100n, state)
  await check(app, orderUUID)
  await payOnPage(app, await openSession(app, orderUUID))
  expect(attemptsOf(app, orderUUID).map(({ priced }) => priced)).toEqual(['25.00', parts.card])
  return { orderUUID, btc }
}

const statusOf = async (orderUUID: string): Promise<string> => (await getOrder(app, shop, orderUUID)).status

const refund = (orderId: string, amount?: string) =>
  executeRefund(app.context, {
    ...{ merchantId: shop.id, orderId, idempotencyKey: freshKey(), by: 'Ann' },
    body: { ...(amount && { amount }), reason: 'returned' },
  })

test('a card page that could not be opened asks for the rest once a part was paid in a coin', async () => {
  const orderUUID = await newOrder()
  app.wire.faults.push(['POST checkout/sessions', status(500)])
  expect((await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)).status).toBe(502)
  await changeMerchant(app.context, shop.id, { tolerance: '0' })
  const btc = await openOnly(app, orderUUID, 'btc')
  await sendCoins(app, btc, BigInt(String(btc.due_atomic)) / 2n)
  await check(app, orderUUID)
  await payOnPage(app, await openSession(app, orderUUID))
  expect(attemptsOf(app, orderUUID)).toMatchObject([
    { method_key: 'stripe', priced: '12.50', state: 'settled' },
    { method_key: 'crypto', priced: '25.00' },
  ])
  expect(new Set(attemptsOf(app, orderUUID).map(({ tolerance }) => tolerance)).size).toBe(1)
  expect(rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID).verdict).toBe('exact')
})

describe('an amount below the least that Stripe charges', () => {
  const isOffered = async (change: object) => {
    const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['*'], ...change })
    return (await pageOf(orderUUID)).includes('?method=stripe"')
  }

  test.each([
    ['USD', '0.49', '0.50'],
    ['GBP', '0.29', '0.30'],
    ['JPY', '49', '50'],
    ['HUF', '174.00', '175.00'],
    // Stripe lists no minimum for KES. In the sandbox, 0.50 USD are 10.00 KES.
    ['KES', '9.99', '10.00'],
  ])('is not offered in %s: %s, but %s is', async (currency, below, enough) => {
    const offered = [
      await isOffered({ currency, amount: below }),
      await isOffered({ currency, amount: enough }),
    ]
    expect(offered).toEqual([false, true])
  })

  /** An order of 40.00 EUR, of which 0.25 EUR are left to pay. */
  async function givenLittleLeft(shopId = shop): Promise<string> {
    const body = { amount: '40.00', currency: 'EUR', paymentMethodsKeys: ['*'] }
    const { orderUUID } = await givenOrder(app, shopId, body)
    const btc = await openOnly(app, orderUUID, 'btc')
    await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 99_375n) / 100_000n)
    await check(app, orderUUID)
    return orderUUID
  }

  test('is not offered as the rest of an order, which coins can pay', async () => {
    const orderUUID = await givenLittleLeft()
    const page = (await app.call('GET', `/pay/${orderUUID}?choose=1`)).text
    expect(page).not.toContain('?method=stripe')
    expect(page).toContain('value="polygon/usdc"')
    const opened = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
    expect([opened.status, opened.json.error.code]).toEqual([422, 'method_not_offered'])
  })

  test('is not asked for if no coin can pay it either, and the shop is notified', async () => {
    const own = await givenStripeShop(app)
    await data(app, 'PUT', '/v1/wallet', { key: own.live, body: { cryptoWallets: { btc: wallets.btc } } })
    const orderUUID = await givenLittleLeft(own)
    expect(await pageOf(orderUUID)).toContain('The remaining €0.26 is too little to send.')
    expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  })
})

test('of an order paid by coin and card, the provider refunds what the card paid', async () => {
  const { orderUUID } = await givenHalves('confirmed')
  expect(await statusOf(orderUUID)).toBe('PAID')
  await expect(refund(orderUUID, '12.51')).rejects.toThrow('12.50 EUR')
  expect(await refund(orderUUID, '2.50')).toMatchObject({ status: 'succeeded', amount: '2.50' })
  app.wire.hasLostWebhooks = true
  app.wire.faults.push(['POST refunds', altered(() => ({ status: 'pending' }))])
  expect(await refund(orderUUID, '3.00')).toMatchObject({ status: 'pending', amount: '3.00' })
  await expect(refund(orderUUID, '7.01')).rejects.toThrow('7.00 EUR')
  app.wire.hasLostWebhooks = false
  expect(await refund(orderUUID)).toMatchObject({ status: 'succeeded', amount: '7.00' })
  await expect(refund(orderUUID)).rejects.toThrow('already')
  expect(notificationsOf(app, orderUUID)).toEqual(Array(3).fill('refund_recorded'))
})

/** An order of 25.00 EUR, paid half by card and then by 15.00 EUR in Bitcoin. */
async function givenCardThenCoin(): Promise<string> {
  const { orderUUID, btc } = await givenHalves('pending')
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 6n) / 10n)
  await check(app, orderUUID)
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({ status: 'PAID', receivedCurrency: 'btc' })
  return orderUUID
}

test('of an order that coins complete, the provider refunds what the card paid before', async () => {
  const orderUUID = await givenCardThenCoin()
  const more = refund(orderUUID, '12.51')
  await expect(more).rejects.toThrow('can refund 12.50 EUR of this order')
  expect(await refund(orderUUID, '2.50')).toMatchObject({ status: 'succeeded', amount: '2.50' })
  expect(await refund(orderUUID)).toMatchObject({ status: 'succeeded', amount: '10.00' })
  await expect(refund(orderUUID)).rejects.toThrow('already')
  const order = await getOrder(app, shop, orderUUID)
  expect(order).toMatchObject({ refundStatus: 'PARTIAL', refundedAmount: '12.50' })
  await refundOf(app, shop, orderUUID)
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({ refundStatus: 'FULL' })
})

test('in the export for accounts, a refund stands under the method that paid it back', async () => {
  const orderUUID = await givenCardThenCoin()
  await refund(orderUUID, '2.50')
  app.time.now += MINUTE_MS
  await refundOf(app, shop, orderUUID, { amount: '1.00' })
  const range = { merchantId: shop.id, from: '2026-03-01', to: '2026-03-31' }
  const { movements } = await exportMovements(app.context, range)
  const rows = (await Array.fromAsync(movements)).filter(({ type }) => type === 'refund')
  expect(rows.map(one => [one.amount, one.methodKey, one.methodName, one.assetId])).toEqual([
    ['-2.50', 'stripe', 'Stripe', 'fiat/eur'],
    ['-1.00', 'crypto', 'Bitcoin', 'btc'],
  ])
})

test('the page of an order says what its provider can refund, and that the rest is sent apart', async () => {
  const orderUUID = await givenCardThenCoin()
  const owner = await signInAs(app, 'owner', shop.id)
  const form = async (action: string) => {
    const { text } = await owner.get(`/dashboard/orders/${orderUUID}`)
    return text.split(`<details id="form-${action}"`)[1]?.split('</details>')[0] ?? null
  }
  expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).toContain('€12.50: €12.50')
  const part = 'The provider took only a part of this order. Send the rest back yourself'
  expect(await form('refund')).toContain('value="25.00"')
  expect(await form('send-refund')).toContain('value="12.50"')
  expect(await form('send-refund')).toContain(part)
  await refund(orderUUID)
  expect(await form('refund')).toContain('value="12.50"')
  expect(await form('send-refund')).toBeNull()
})

const cardPaymentOf = (orderUUID: string): string => {
  const source = "SELECT tx_id FROM incoming_payments WHERE source = 'stripe' AND order_id = ?"
  return String(rowOf(app, source, orderUUID).tx_id)
}

const stripeKey = () => ({
  headers: { authorization: `Bearer rk_test_${shop.id.replaceAll('-', '').slice(-12)}_1` },
})

/** Refunds a payment in Stripe's own dashboard, which reports it. Amounts are in cents. */
async function refundAtStripe(payment: string, amount: number): Promise<void> {
  const form = { payment_intent: payment, amount: String(amount) }
  const { status: code } = await app.call('POST', '/sandbox/stripe/v1/refunds', { ...stripeKey(), form })
  expect(code).toBe(200)
  await app.jobs.settle()
}

/** Lets the daily search find a refund or a dispute of the card payment of an order. */
async function takeBack(orderUUID: string, status: string): Promise<void> {
  const payment = cardPaymentOf(orderUUID)
  const row = { id: `re_${payment}`, object: 'refund', payment_intent: payment, metadata: {} }
  const data = [{ ...row, amount: 1250, currency: 'eur', status }]
  app.wire.faults.push(['GET refunds', altered(() => ({ data, has_more: false }))])
  await app.advance(24 * 60 * MINUTE_MS)
}

test('a card payment that was refunded does not complete its order together with a later payment', async () => {
  await ownApp()
  const { orderUUID, btc } = await givenHalves('pending')
  await takeBack(orderUUID, 'succeeded')
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 6n) / 10n)
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).not.toBe('PAID')
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 5n) / 10n)
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect(app.audit()).toEqual([])
})

/** Pays half of an order in Bitcoin again, now confirmed. */
async function confirm(btc: Row): Promise<void> {
  await sendCoins(app, btc, BigInt(String(btc.due_atomic)) / 2n)
  await check(app, String(btc.order_id))
}

const pageOf = async (orderUUID: string): Promise<string> =>
  (await app.call('GET', `/pay/${orderUUID}`)).text.replaceAll(/[\u2066-\u2069]/g, '')

/** Lets the rest of an order be paid by card, in a session of its own. */
async function payRest(orderUUID: string, amount: string): Promise<void> {
  const session = await openSession(app, orderUUID)
  expect((await app.call('GET', `/sandbox/stripe/pay/${session}`)).text).toContain(`${amount} EUR`)
  expect((await payOnPage(app, session)).status).toBe(303)
}

test('what is left of a card payment after a refund counts, and the rest is asked for', async () => {
  await ownApp()
  const { orderUUID, btc } = await givenParts('pending', { btc: 20n, card: '20.00' })
  await refundAtStripe(cardPaymentOf(orderUUID), 1500)
  expect(await pageOf(orderUUID)).toContain('Received €10.00 of €25.00 · €15.00 left')
  await payRest(orderUUID, '15.00')
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 20n) / 100n)
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).toBe('PAID')
  const { evidence } = rowOf(app, 'SELECT evidence FROM settlements WHERE order_id = ?', orderUUID)
  const { parts } = JSON.parse(String(evidence))
  expect(parts.map(({ credited }: { credited: string }) => credited)).toEqual(['5.00', '5.00', '15.00'])
  expect(await refund(orderUUID)).toMatchObject({ status: 'succeeded', amount: '15.00' })
  expect(await refund(orderUUID)).toMatchObject({ status: 'succeeded', amount: '5.00' })
  expect(app.audit()).toEqual([])
})

test('the card can pay again what was taken back', async () => {
  await ownApp()
  const { orderUUID, btc } = await givenHalves('pending')
  await refundAtStripe(cardPaymentOf(orderUUID), 1250)
  expect(await pageOf(orderUUID)).toContain('Received €12.50 of €25.00 · €12.50 left')
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
  await payRest(orderUUID, '12.50')
  await confirm(btc)
  expect(await statusOf(orderUUID)).toBe('PAID')
})

test('a card payment counts again after its refund has failed', async () => {
  await ownApp()
  const { orderUUID, btc } = await givenHalves('pending')
  for (const status of ['pending', 'failed']) await takeBack(orderUUID, status)
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 6n) / 10n)
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).toBe('PAID')
})

test('a refund of the card part is found at the provider as the one that was recorded', async () => {
  await ownApp()
  const orderUUID = await givenCardThenCoin()
  const { refund: recorded } = await refundOf(app, shop, orderUUID, { amount: '12.50' })
  await takeBack(orderUUID, 'succeeded')
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_over', 'refund_recorded'])
  expect(rowOf(app, 'SELECT refund_id FROM reversals WHERE order_id = ?', orderUUID)).toEqual({
    refund_id: recorded.refundId,
  })
})

test('a refund in coins that a person records is not the card payment that was sent back', async () => {
  await ownApp()
  const orderUUID = await givenTwice()
  await app.advance(2 * 60 * MINUTE_MS)
  await sendBack(unmatchedOf(orderUUID))
  await refundOf(app, shop, orderUUID)
  const reversals = 'SELECT amount, status, refund_id FROM reversals WHERE order_id = ?'
  expect(rowOf(app, reversals, orderUUID)).toEqual({ amount: '25.00', status: 'succeeded', refund_id: null })
})

test('a refund of a paid order is not the one that was found before the order was paid', async () => {
  await ownApp()
  const { orderUUID, btc } = await givenParts('pending', { btc: 20n, card: '20.00' })
  await refundAtStripe(cardPaymentOf(orderUUID), 500)
  await sendCoins(app, btc, (BigInt(String(btc.due_atomic)) * 45n) / 100n)
  await check(app, orderUUID)
  await refundOf(app, shop, orderUUID, { amount: '5.00' })
  expect(rowOf(app, 'SELECT refund_id FROM reversals WHERE order_id = ?', orderUUID).refund_id).toBeNull()
})

/** An order that a coin paid, and a card payment of which Florin has not learned yet. */
async function givenTwice(): Promise<string> {
  const orderUUID = await newOrder()
  const session = await openSession(app, orderUUID)
  const btc = await openOnly(app, orderUUID, 'btc')
  app.wire.hasLostWebhooks = true
  await payOnPage(app, session)
  await sendCoins(app, btc, BigInt(String(btc.due_atomic)))
  // The two are looked up at once, so the card could pay the order first.
  app.wire.faults.push(['GET checkout/sessions/ID', status(503)])
  await check(app, orderUUID)
  return orderUUID
}

const unmatchedOf = (orderUUID: string): string => {
  const source = "SELECT id FROM unmatched_payments WHERE order_id = ? AND status = 'open'"
  return String(rowOf(app, source, orderUUID).id)
}

test('a card payment that was refunded before Florin learned of it pays no order', async () => {
  await ownApp()
  const body = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['stripe'] }
  const { orderUUID } = await givenOrder(app, shop, body)
  const session = await openSession(app, orderUUID)
  app.wire.hasLostWebhooks = true
  await payOnPage(app, session)
  const { json } = await app.call('GET', `/sandbox/stripe/v1/checkout/sessions/${session}`, stripeKey())
  await refundAtStripe(String(json.payment_intent), 2500)
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).toBe('UNPAID')
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
  const { facts } = rowOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', orderUUID)
  expect(JSON.parse(String(facts))).toEqual({ about: 'refund_apart', amount: '25.00 EUR' })
  await payRest(orderUUID, '25.00')
  await check(app, orderUUID)
  expect(await statusOf(orderUUID)).toBe('PAID')
})

/** An expired order with a card payment of half its amount. Returns the ID of the unmatched payment. */
async function givenUnmatchedCard(): Promise<{ orderUUID: string; id: string }> {
  const { orderUUID } = await givenHalves('pending')
  for (let day = 0; day < 9; day++) await app.advance(24 * 60 * MINUTE_MS)
  expect(await statusOf(orderUUID)).toBe('EXPIRED')
  return { orderUUID, id: unmatchedOf(orderUUID) }
}

const sendBack = (id: string) => refundUnmatched({ ...app.context, origin: serverOrigin }, shop.id, id)
const accept = (id: string) =>
  acceptUnmatched({ ...app.context, origin: serverOrigin }, shop.id, [id], { by: 'Bob', reason: null })

test('a payment is not accepted while it is sent back', async () => {
  await ownApp()
  const { orderUUID, id } = await givenUnmatchedCard()
  app.wire.faults.push(['POST refunds', status(400, { error: { type: 'invalid_request_error' } })])
  await expect(sendBack(id)).rejects.toThrow('cannot be refunded')
  app.wire.faults.push(['POST refunds', status(500)])
  await expect(sendBack(id)).rejects.toThrow('does not answer')
  await expect(accept(id)).rejects.toThrow('sent back')
  app.wire.faults.push([
    'POST refunds',
    async (_, pass) => {
      await expect(accept(id)).rejects.toThrow('sent back')
      return pass()
    },
  ])
  await sendBack(id)
  expect(app.wire.faults).toEqual([])
  expect(await statusOf(orderUUID)).toBe('EXPIRED')
  expect(app.audit()).toEqual([])
})

test('a payment can be accepted if its provider refused to send it back', async () => {
  await ownApp()
  const { orderUUID, id } = await givenUnmatchedCard()
  const refused = status(400, { error: { type: 'invalid_request_error', message: 'no' } })
  const credits = () => attemptsOf(app, orderUUID).map(({ credited }) => credited)
  const before = credits()
  const failed = status(200, {
    ...{ id: 're_failed', object: 'refund', status: 'failed', amount: 1250, currency: 'eur' },
    ...{ payment_intent: cardPaymentOf(orderUUID), metadata: { florin_refund: `unmatched-${id}` } },
  })
  for (const answer of [refused, refused, failed]) {
    app.wire.faults.push(['POST refunds', answer])
    await expect(sendBack(id)).rejects.toThrow(/cannot be refunded|refused the refund/)
    expect(credits()).toEqual(before)
  }
  await accept(id)
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect(app.audit()).toEqual([])
})

test('of an unmatched payment that was refunded in part, what is left is sent back', async () => {
  await ownApp()
  const { orderUUID, id } = await givenUnmatchedCard()
  const owner = await signInAs(app, 'owner', shop.id)
  await refundAtStripe(cardPaymentOf(orderUUID), 250)
  expect(rowOf(app, 'SELECT value FROM unmatched_payments WHERE id = ?', id)).toEqual({ value: '12.50' })
  const { text } = await owner.get('/dashboard/unmatched')
  expect(text).toContain('Send €10.00 back</button>')
  expect(text).toContain('A part of this payment was already refunded or disputed')
  expect((await owner.post(`/dashboard/unmatched/${id}/refund`, {})).status).toBe(303)
  const { note } = rowOf(app, 'SELECT note FROM unmatched_payments WHERE id = ?', id)
  expect(String(note)).toStartWith('10.00 EUR: stripe re_')
  await app.advance(24 * 60 * MINUTE_MS)
  const amounts = rowsOf(app, 'SELECT amount FROM reversals WHERE order_id = ? ORDER BY amount', orderUUID)
  expect(amounts).toEqual([{ amount: '10.00' }, { amount: '2.50' }])
})

test('an unmatched payment that was refunded in full is not sent back again', async () => {
  await ownApp()
  const { orderUUID, id } = await givenUnmatchedCard()
  const owner = await signInAs(app, 'owner', shop.id)
  await refundAtStripe(cardPaymentOf(orderUUID), 1250)
  const { text } = await owner.get('/dashboard/unmatched')
  for (const way of ['refund', 'accept']) expect(text).not.toContain(`/dashboard/unmatched/${id}/${way}`)
  expect(text).toContain('This payment was already refunded or disputed')
  await expect(sendBack(id)).rejects.toThrow('nothing is left of it')
  expect((await owner.get(`/dashboard/orders/${orderUUID}`)).text).not.toContain('/accept"')
  await expect(acceptUnmatched(app.context, shop.id, [id], { by: 'Ann', reason: null })).rejects.toThrow()
})

test('the page of a bank debit says that it is not confirmed, and later that it failed', async () => {
  await ownApp()
  const orderUUID = await newOrder()
  const session = await openSession(app, orderUUID)
  await payOnPage(app, session, { by: 'debit' })
  const pending = await pageOf(orderUUID)
  expect(pending).toContain('<title>Payment detected')
  expect(pending).toContain('Stripe hasn’t confirmed the payment yet.')
  for (const untrue of ['Waiting for Stripe', 'Open Stripe again', 'Pay another way'])
    expect(pending).not.toContain(untrue)
  await payOnPage(app, session, { by: 'return' })
  const [notified] = rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', orderUUID)
  expect(said(notified!)).toContain('Stripe reports that a pending payment failed: pi_')
  const failed = await pageOf(orderUUID)
  expect(failed.match(/<h2>Stripe declined the payment|<p>Stripe declined the payment/g)).toHaveLength(1)
  await openOnly(app, orderUUID, 'btc')
  const other = await pageOf(orderUUID)
  expect(other).toContain('Stripe declined the payment')
  await app.advance(9 * 24 * 60 * MINUTE_MS)
  const expired = await pageOf(orderUUID)
  expect(expired).toContain('This order has expired')
  expect(expired).toContain('Stripe declined the payment')
  const owner = await signInAs(app, 'owner', shop.id)
  const order = (await owner.get(`/dashboard/orders/${orderUUID}`)).text
  expect(order).toContain('€25.00 was seen, and then failed')
  for (const page of [failed, other, expired, order]) {
    for (const untrue of ['The network no longer shows', 'in your wallet', 'blockchain'])
      expect(page).not.toContain(untrue)
  }
})

test('a part in a coin is not called too little while a bank debit for the rest is in progress', async () => {
  await ownApp()
  const orderUUID = await newOrder()
  const btc = await openOnly(app, orderUUID, 'btc')
  await sendCoins(app, btc, BigInt(String(btc.due_atomic)) / 2n)
  await check(app, orderUUID)
  const session = await openSession(app, orderUUID)
  await payOnPage(app, session, { by: 'debit' })
  await app.advance(2 * 60 * MINUTE_MS)
  const pending = await pageOf(orderUUID)
  for (const text of ['Received €25.00 of €25.00', 'Stripe hasn’t confirmed']) expect(pending).toContain(text)
  for (const untrue of ['cover this order', 'We received']) expect(pending).not.toContain(untrue)
  await payOnPage(app, session, { by: 'return' })
  const failed = await pageOf(orderUUID)
  expect(failed).toContain('Your payment doesn’t cover this order')
})

test('the journal books each part of an order where it arrived, at what it was worth', async () => {
  const { orderUUID } = await givenHalves('confirmed')
  const owner = await signInAs(app, 'owner', shop.id)
  const journal = async () => (await owner.get('/dashboard/reports/books?format=hledger')).text
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect(await journal()).toMatch(/ {4}assets:crypto:btc {2}0[.][0-9]+ BTC @@ 12[.]50 EUR\n/)
  expect(await journal()).toContain('    assets:provider:stripe  12.50 EUR\n')
  // The row of the export has the amount of the part that completed the order, and the value of all parts.
  const { text } = await owner.get('/dashboard/reports/export.csv')
  expect(text).toMatch(/\npayment,.*,25[.]00,EUR,.*,stripe,.*,12[.]50,EUR,.*,25[.]00,/)
  await givenCardThenCoin()
  expect(await journal()).toContain(' BTC @@ 15.00 EUR\n')
  expect((await journal()).match(/assets:provider:stripe {2}12[.]50 EUR\n/g)).toHaveLength(2)
})
