import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { getProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  incomingPaymentsOf,
  MINUTE_MS,
  notificationsOf,
} from './payments.ts'
import { freshKey, refundOf } from './refunding.ts'
import { countOf, rowsOf, snapshotOf } from './rows.ts'
import {
  altered,
  crash,
  givenStripeShop,
  lostAnswer,
  openSession,
  payOnPage,
  type StripeApp,
  startStripeApp,
  status,
} from './stripes.ts'

const { app, each, ownApp } = suite<StripeApp>({ start: startStripeApp })
const shop = each(() => givenStripeShop(app))
each(() => {
  app.wire.faults.length = 0
  app.wire.hasLostWebhooks = false
})
const card = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['stripe'] }
const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { ...card, ...change })).orderUUID
const statusOf = async (orderUUID: string): Promise<string> => (await getOrder(app, shop, orderUUID)).status

/** An order whose session was paid without Florin knowing of it. */
async function givenSilent(): Promise<{ orderUUID: string; session: string }> {
  const orderUUID = await order()
  const session = await openSession(app, orderUUID)
  app.wire.hasLostWebhooks = true
  await payOnPage(app, session)
  app.wire.hasLostWebhooks = false
  return { orderUUID, session }
}

interface Endpoint {
  url: string
  secret: string
}

const endpoint = async (): Promise<Endpoint> => {
  const { Database } = await import('bun:sqlite')
  const file = new Database(`${app.dataDir}/sandbox.sqlite`, { readonly: true })
  const rows = file
    .query<{ value: string }, []>("SELECT value FROM state WHERE kind = 'stripe.endpoint'")
    .all()
  file.close()
  const account = `acct_${shop.id.replaceAll('-', '').slice(-12)}`
  const found = rows.map(({ value }) => JSON.parse(value)).find(one => one.account === account)
  return found as Endpoint
}

interface Notice {
  session: string
  type?: string
  secret?: string
  at?: number
  livemode?: boolean
  header?: (signature: string, at: number) => string
  metadata?: object
}

/** Sends an event about a session, as Stripe or as an attacker. */
async function notify({ session, type, secret, at, livemode = false, header, metadata }: Notice) {
  const object = { id: session, metadata: metadata ?? { florin_attempt: 'x' } }
  const name = type ?? 'checkout.session.completed'
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: name, livemode, data: { object } })
  const time = Math.floor((at ?? app.time.now) / 1000)
  const key = secret ?? (await endpoint()).secret
  const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
  const signed = header ? header(signature, time) : `t=${time},v1=${signature}`
  return (await app.call('POST', '/callback/stripe', { body, headers: { 'stripe-signature': signed } }))
    .status
}

describe('an event from Stripe', () => {
  const refusedOnes: [sentence: string, change: Partial<Notice>][] = [
    ['with the secret of another account', { secret: 'whsec_other' }],
    ['without a signature', { header: () => '' }],
    ['with the signature of an old scheme', { header: (signature, at) => `t=${at},v0=${signature}` }],
    ['with a time that was not signed', { header: (signature, at) => `t=${at + 1},v1=${signature}` }],
    ['of real money', { livemode: true }],
  ]

  test.each(refusedOnes)('%s is refused and changes nothing', async (_, change) => {
    const { session } = await givenSilent()
    const before = snapshotOf(app)
    expect(await notify({ session, ...change })).toBe(403)
    expect(snapshotOf(app)).toEqual(before)
  })

  test('that is older than five minutes is refused, and one of exactly five minutes counts', async () => {
    const { orderUUID, session } = await givenSilent()
    expect(await notify({ session, at: app.time.now - 301_000 })).toBe(403)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
    expect(await notify({ session, at: app.time.now - 299_000 })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('PAID')
  })

  test('counts with one of two signatures, while its secret is rotated', async () => {
    const { orderUUID, session } = await givenSilent()
    const header = (signature: string, at: number) => `t=${at},v1=${'0'.repeat(64)},v1=${signature}`
    expect(await notify({ session, header })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('PAID')
  })

  test('that claims more than Stripe confirms pays nothing', async () => {
    const orderUUID = await order()
    const session = await openSession(app, orderUUID)
    expect(await notify({ session })).toBe(200)
    expect([await statusOf(orderUUID), incomingPaymentsOf(app, orderUUID)]).toEqual(['UNPAID', []])
  })

  test('about an unknown session of Florin is requested again, and one of another shop is ignored', async () => {
    expect(await notify({ session: 'cs_test_unknown' })).toBe(404)
    expect(await notify({ session: 'cs_test_unknown', metadata: {} })).toBe(200)
  })

  test('that arrives five times, and after an expiry, counts once', async () => {
    const { orderUUID, session } = await givenSilent()
    await notify({ session, type: 'checkout.session.expired' })
    await Promise.all([1, 2, 3, 4, 5].map(() => notify({ session })))
    await notify({ session, type: 'checkout.session.async_payment_failed' })
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect([incomingPaymentsOf(app, orderUUID).length, countOf(app, 'transactions', orderUUID)]).toEqual([
      1, 1,
    ])
    expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  })
})

describe('a look-up that answers with', () => {
  const wrong: [sentence: string, change: object][] = [
    ['another session', { id: 'cs_test_other' }],
    ['a session of another payment', { client_reference_id: 'other' }],
    ['a session of real money', { livemode: true }],
    ['no payment', { payment_intent: null }],
    ['an amount that is no number', { amount_total: '2500' }],
    ['a payment that has not succeeded', { payment_intent: { id: 'pi_1', status: 'processing' } }],
  ]

  test.each(wrong)('%s pays nothing, and the next look-up pays', async (_, change) => {
    const { orderUUID, session } = await givenSilent()
    app.wire.faults.push(['GET checkout/sessions/ID', altered(() => change)])
    expect(await notify({ session })).toBe(502)
    expect([await statusOf(orderUUID), incomingPaymentsOf(app, orderUUID)]).toEqual(['UNPAID', []])
    expect(await notify({ session })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('PAID')
  })

  const paid = (change: object) =>
    altered(({ payment_intent: intent }) => ({ payment_intent: { ...(intent as object), ...change } }))

  test('less than the amount pays nothing', async () => {
    const { orderUUID, session } = await givenSilent()
    app.wire.faults.push(['GET checkout/sessions/ID', paid({ amount_received: 2400 })])
    expect(await notify({ session })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
  })

  test('another currency pays nothing', async () => {
    const { orderUUID, session } = await givenSilent()
    app.wire.faults.push(['GET checkout/sessions/ID', paid({ currency: 'jpy' })])
    expect(await notify({ session })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
  })

  const away: [sentence: string, fault: ReturnType<typeof status>][] = [
    ['429', status(429, {}, { 'retry-after': '1' })],
    ['500', status(500)],
    ['a page', async () => new Response('<html>', { status: 200 })],
    ['nothing', () => Promise.reject(new TypeError('closed'))],
  ]

  test.each(away)('%s asks Stripe to send the event again', async (_, fault) => {
    const { orderUUID, session } = await givenSilent()
    app.wire.faults.push(['GET checkout/sessions/ID', fault])
    expect(await notify({ session })).toBe(502)
    expect(await notify({ session })).toBe(200)
    expect(await statusOf(orderUUID)).toBe('PAID')
  })
})

describe('opening a page', () => {
  const enter = (orderUUID: string) => app.call('GET', `/payment/process/${orderUUID}?method=stripe`)

  test.each([
    ['500 before the effect', status(500)],
    ['429', status(429)],
    ['409, since the same request is running', status(409, { error: { type: 'idempotency_error' } })],
    ['an answer that was lost after the effect', lostAnswer],
    ['a session of another payment', altered(() => ({ client_reference_id: 'other' }))],
  ])('meets %s: the buyer tries again, and there is one session', async (_, fault) => {
    await ownApp()
    const orderUUID = await order()
    app.wire.faults.push(['POST checkout/sessions', fault])
    expect((await enter(orderUUID)).status).toBe(502)
    const session = await openSession(app, orderUUID)
    await payOnPage(app, session)
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect(attemptsOf(app, orderUUID)).toHaveLength(1)
  })

  test('continues after a crash between Stripe’s answer and its record', async () => {
    await ownApp()
    const orderUUID = await order()
    app.wire.faults.push(['POST checkout/sessions', lostAnswer])
    await enter(orderUUID)
    await crash(app)
    await payOnPage(app, await openSession(app, orderUUID))
    expect(await statusOf(orderUUID)).toBe('PAID')
  })

  test('continues after a crash between the payment and its event', async () => {
    await ownApp()
    const { orderUUID } = await givenSilent()
    await crash(app)
    await app.advance(10 * MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  })
})

describe('a refund', () => {
  const givenPaid = async (form: Record<string, string> = {}): Promise<string> => {
    const orderUUID = await order()
    await payOnPage(app, await openSession(app, orderUUID), form)
    return orderUUID
  }
  const send = (orderId: string, amount: string, idempotencyKey = freshKey()) =>
    executeRefund(app.context, {
      ...{ merchantId: shop.id, orderId, idempotencyKey, by: 'Ann' },
      body: { amount, reason: 'returned' },
    })
  const sent = () => app.wire.requests.filter(name => name === 'POST refunds').length

  test.each([
    ['the answer is lost', lostAnswer],
    ['Stripe fails', status(500)],
    ['there are too many requests', status(429)],
  ])('is made once, even if %s', async (_, fault) => {
    await ownApp()
    const orderUUID = await givenPaid()
    app.wire.faults.push(['POST refunds', fault])
    app.wire.hasLostWebhooks = true
    expect(await send(orderUUID, '10.00')).toMatchObject({ status: 'asked' })
    await crash(app)
    await app.advance(10 * MINUTE_MS)
    expect(await getOrder(app, shop, orderUUID)).toMatchObject({ refundedAmount: '10.00', refundCount: '1' })
    expect(rowsOf(app, 'SELECT status FROM reversals')).toEqual([{ status: 'succeeded' }])
  })

  test('that is pending is recorded once it has succeeded', async () => {
    await ownApp()
    const orderUUID = await givenPaid({ card: '4000000000007726' })
    expect(await send(orderUUID, '10.00')).toMatchObject({ status: 'pending', refundId: null })
    expect((await getOrder(app, shop, orderUUID)).refundedAmount).toBeUndefined()
    await app.advance(7 * 60 * MINUTE_MS)
    expect(await getOrder(app, shop, orderUUID)).toMatchObject({ refundedAmount: '10.00' })
  })

  test('that fails later is reported, and its amount can be refunded again', async () => {
    await ownApp()
    const orderUUID = await givenPaid({ card: '4000000000005126' })
    await send(orderUUID, '25.00')
    await app.advance(7 * 60 * MINUTE_MS)
    expect(notificationsOf(app, orderUUID)).toEqual(['refund_failed'])
    expect(await send(orderUUID, '25.00')).toMatchObject({ status: 'pending' })
  })

  test('that was made at Stripe is found, and matched to a record of its amount', async () => {
    await ownApp()
    const orderUUID = await givenPaid()
    const { transactionRef } = await getOrder(app, shop, orderUUID)
    const key = `sk_test_${shop.id.replaceAll('-', '').slice(-12)}`
    const client = stripeClient(key)
    await client.refunds.create({ payment_intent: transactionRef, amount: 500 })
    expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
    await refundOf(app, shop, orderUUID, { amount: '5.00' })
    await client.refunds.create({ payment_intent: transactionRef, amount: 700 })
    expect(rowsOf(app, 'SELECT refund_id IS NULL AS open FROM reversals ORDER BY amount')).toEqual([
      { open: 0 },
      { open: 1 },
    ])
    expect(sent()).toBe(0)
    await expect(send(orderUUID, '15.00')).rejects.toThrow('13.00')
  })

  test('and a dispute that no event and no look-up reports are found by the daily search', async () => {
    await ownApp()
    const orderUUID = await order()
    const session = await openSession(app, orderUUID)
    await payOnPage(app, session)
    await app.advance(40 * 24 * 60 * MINUTE_MS)
    app.wire.hasLostWebhooks = true
    const { transactionRef } = await getOrder(app, shop, orderUUID)
    const client = stripeClient(`sk_test_${shop.id.replaceAll('-', '').slice(-12)}`)
    await client.refunds.create({ payment_intent: transactionRef, amount: 500 })
    await client.refunds.create({ payment_intent: transactionRef, amount: 600 })
    await payOnPage(app, session, { by: 'dispute' })
    const reversals = () => rowsOf(app, 'SELECT kind, amount, status FROM reversals ORDER BY amount')
    expect(reversals()).toEqual([])
    app.wire.faults.push(['GET refunds', status(500)])
    await app.advance(24 * 60 * MINUTE_MS)
    expect(reversals()).toEqual([])
    await app.advance(60 * MINUTE_MS)
    const refunds = ['5.00', '6.00'].map(amount => ({ kind: 'refund', amount, status: 'succeeded' }))
    const dispute = { kind: 'dispute', amount: '25.00', status: 'pending' }
    expect(reversals()).toEqual([dispute, ...refunds])
    expect(notificationsOf(app, orderUUID)).toEqual(Array(3).fill('payment_reversed'))
    await payOnPage(app, session, { by: 'won' })
    await app.advance(24 * 60 * MINUTE_MS)
    expect(reversals()).toEqual([{ ...dispute, status: 'failed' }, ...refunds])
    await app.advance(24 * 60 * MINUTE_MS)
    expect(notificationsOf(app, orderUUID)).toHaveLength(4)
  })

  test('is found on every page of the list', async () => {
    const orderUUID = await givenPaid()
    const { transactionRef } = await getOrder(app, shop, orderUUID)
    const client = stripeClient(`sk_test_${shop.id.replaceAll('-', '').slice(-12)}`)
    for (let at = 0; at < 3; at++)
      await client.refunds.create({ payment_intent: transactionRef, amount: 100 })
    const small: (typeof app.wire.faults)[number][1] = async ({ url, init }) =>
      app.florin.http.handle(new Request(url.replace('limit=100', 'limit=2'), init))
    app.wire.faults.push(['GET refunds', small], ['GET refunds', small])
    const account = await getProviderAccount(app.context, shop.id, 'stripe')
    const { charge } = app.context.providers.find('stripe') ?? {}
    const found = (await charge?.listReversals?.(account?.credentials ?? null, 0)) ?? []
    expect([found.length, new Set(found.map(({ reference }) => reference)).size]).toEqual([3, 3])
  })

  test('and a dispute are found in the state that their status stands for', async () => {
    const row = { payment_intent: 'pi_1', amount: 500, currency: 'eur', metadata: {} }
    const withStatuses = (states: Record<string, string>) =>
      altered(() => ({ data: Object.keys(states).map(one => ({ ...row, id: one, status: one })) }))
    const refunds = { pending: 'pending', requires_action: 'pending', succeeded: 'succeeded' }
    const ended = { failed: 'failed', canceled: 'failed' }
    // An inquiry takes no money, unless it becomes a dispute that the shop loses.
    const inquiries = { warning_needs_response: 'pending', warning_closed: 'failed', prevented: 'failed' }
    const disputes = { ...inquiries, under_review: 'pending', won: 'failed', lost: 'succeeded' }
    app.wire.faults.push(['GET refunds', withStatuses({ ...refunds, ...ended })])
    app.wire.faults.push(['GET disputes', withStatuses(disputes)])
    const account = await getProviderAccount(app.context, shop.id, 'stripe')
    const { charge } = app.context.providers.find('stripe') ?? {}
    const found = (await charge?.listReversals?.(account?.credentials ?? null, 0)) ?? []
    const states = found.map(({ reference, status: state }) => [reference, state])
    expect(Object.fromEntries(states)).toEqual({ ...refunds, ...ended, ...disputes })
  })

  test('of a disputed payment: the dispute is found and reported', async () => {
    const orderUUID = await givenPaid({ card: '4000000000000259' })
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
    expect(rowsOf(app, 'SELECT kind, status FROM reversals WHERE order_id = ?', orderUUID)).toEqual([
      { kind: 'dispute', status: 'pending' },
    ])
  })
})

/** The official client, which sends its requests to this process. */
const stripeClient = (key: string) => {
  const httpClient = Stripe.createFetchHttpClient(((url: string, init: RequestInit) =>
    app.florin.http.handle(
      new Request(String(url).replace('https://api.stripe.com', 'http://localhost/sandbox/stripe'), init),
    )) as typeof fetch)
  return new Stripe(key, { httpClient, maxNetworkRetries: 0 })
}

test('the official client understands the Stripe of the sandbox, and accepts what Florin accepts', async () => {
  const client = stripeClient('sk_test_judge')
  const made = await client.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'eur', unit_amount: 2500, product_data: { name: 'Order 17' } } },
    ],
    success_url: 'https://shop.example/',
  })
  expect([made.status, made.payment_status, made.amount_total, made.livemode]).toEqual([
    'open',
    'unpaid',
    2500,
    false,
  ])
  await payOnPage(app, made.id)
  const read = await client.checkout.sessions.retrieve(made.id, { expand: ['payment_intent.latest_charge'] })
  const intent = read.payment_intent as Stripe.PaymentIntent
  expect([read.payment_status, intent.amount_received]).toEqual(['paid', 2500])
  const refund = await client.refunds.create({ payment_intent: intent.id, amount: 500 })
  expect(refund.status).toBe('succeeded')
  expect((await client.refunds.list({ payment_intent: intent.id })).data).toHaveLength(1)
  await expect(client.checkout.sessions.expire(made.id)).rejects.toThrow('open')
  await expect(stripeClient('sk_test_judge_revoked').accounts.retrieveCurrent()).rejects.toThrow('API Key')
  const { secret } = await endpoint()
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'refund.created',
    livemode: false,
    data: {},
  })
  const timestamp = Math.floor(app.time.now / 1000)
  const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp })
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  expect(header).toContain(`v1=${expected}`)
})
