import { afterAll, describe, expect, test } from 'bun:test'
import { testOutcomes } from '../../src/domain/test-shop.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { startApp } from '../support/app.ts'
import {
  givenMerchant,
  givenOrder,
  givenProduct,
  givenShop,
  orderBody,
  paidInCash,
} from '../support/given.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { data, listen, refused } from './request.ts'
import { rowsOf } from './rows.ts'

const [live, tests, both] = [startReceiver(), startReceiver(), startReceiver()]
const receivers = [live, tests, both]
const { app, once, each } = suite({
  start: () =>
    startApp({
      FLORIN_OUTBOUND_ALLOW: receivers.map(({ host }) => host).join(),
      FLORIN_SANDBOX: 'false',
      FLORIN_GREENFIELD: 'on',
    }),
})
afterAll(() => Promise.all(receivers.map(receiver => receiver.stop())))
const shop = once(() => givenShop(app))
each(async () => {
  for (const receiver of receivers) receiver.received.length = 0
})

const create = (change: object = {}, key = shop.test) =>
  data(app, 'POST', '/v1/test/orders', { key, body: orderBody(change) }, 201)
const read = (path: string, key = shop.test) => data(app, 'GET', path, { key })
const play = (orderUUID: string, outcome: string) =>
  app.call('POST', `/pay/${orderUUID}/test`, { form: { outcome } })
const page = (path: string) => app.call('GET', path, { headers: { accept: 'text/html' } })

async function played(outcomes: string[], change: object = {}) {
  const { orderUUID } = await create(change)
  for (const outcome of outcomes) {
    app.time.now += 1000
    expect((await play(orderUUID, outcome)).status).toBe(303)
  }
  await app.jobs.settle()
  return read(`/v1/orders/${orderUUID}`)
}

describe('a test order', () => {
  test.each([
    [['paid'], { status: 'PAID', receivedAmount: '25.00', receivedCurrency: 'USD' }],
    [['underpaid'], { status: 'UNPAID', provisioningStatus: 'READY' }],
    [['underpaid', 'paid'], { status: 'PAID', provisioningStatus: 'SETTLED' }],
    [['overpaid'], { status: 'PAID', receivedAmount: '50.00' }],
    [['pending'], { status: 'UNPAID', provisioningStatus: 'READY' }],
    [['pending', 'paid'], { status: 'PAID', receivedAmount: '25.00' }],
    [['pending', 'failed', 'paid'], { status: 'PAID', receivedAmount: '25.00' }],
    [['failed'], { status: 'UNPAID' }],
    [['expired'], { status: 'EXPIRED', provisioningStatus: 'EXPIRED' }],
    [['late'], { status: 'PAID', provisioningStatus: 'SETTLED' }],
    [['failed', 'expired', 'late'], { status: 'PAID' }],
    [['cancelled'], { status: 'CANCELLED', cancelledBy: 'test page' }],
    [['paid', 'refunded'], { status: 'PAID', refundStatus: 'FULL', refundedAmount: '25.00' }],
  ])('that is %p on its page changes as a live order would', async (outcomes, expected) => {
    expect(await played(outcomes)).toMatchObject({ ...expected, livemode: false, merchantId: shop.id })
  })

  test('fails for good if it offers only one method', async () => {
    expect(await played(['failed'], { paymentMethodsKeys: ['stripe'] })).toMatchObject({ status: 'FAILED' })
  })

  test('needs no payout wallet, and uses the products of its shop', async () => {
    const bare = await givenMerchant(app)
    const { id: productUUID } = await givenProduct(app, bare)
    const body = { productUUID, customer: { email: 'buyer@example.com' } }
    const made = await data(app, 'POST', '/v1/test/orders', { key: bare.test, body }, 201)
    expect(made).toMatchObject({ productUUID, amount: '12.50', merchantName: bare.name, livemode: false })
    expect(made).not.toHaveProperty('receivingWallet')
  })

  test('is made once for each idempotency key', async () => {
    const headers = { 'idempotency-key': 'test-order-1' }
    const options = { key: shop.test, body: orderBody(), headers }
    const made = await data(app, 'POST', '/v1/test/orders', options, 201)
    expect((await data(app, 'POST', '/v1/test/orders', options)).orderUUID).toBe(made.orderUUID)
  })

  test('needs a test key with the scope, and a test key still creates no live order', async () => {
    const options = { key: shop.live, body: orderBody() }
    await refused(app, { status: 403, code: 'test_key_required' }, 'POST', '/v1/test/orders', options)
    const live = { key: shop.test, body: orderBody() }
    await refused(app, { status: 403, code: 'live_key_required' }, 'POST', '/v1/orders', live)
  })

  test('is read, refunded and cancelled by its ID, but only by its own shop', async () => {
    const { orderUUID } = await played(['paid'])
    const [transaction] = (await read(`/v1/transactions?livemode=false&orderUUID=${orderUUID}`)).items
    expect(transaction).toMatchObject({ livemode: false, merchantId: shop.id, tenantId: shop.email })
    expect(await read(`/v1/transactions/${transaction.transactionId}`)).toEqual(transaction)
    const headers = { 'idempotency-key': `refund-${orderUUID}` }
    const refund = { key: shop.test, headers, body: { amount: '5.00', reason: 'one cup was cold' } }
    const recorded = await data(app, 'POST', `/v1/orders/${orderUUID}/refunds`, refund, 201)
    expect(recorded).toMatchObject({ refund: { merchantId: shop.id }, order: { refundStatus: 'PARTIAL' } })
    expect((await read(`/v1/orders/${orderUUID}/refunds`)).items).toEqual([recorded.refund])
    expect((await page(`/pay/${orderUUID}/test`)).text).toContain('<strong>Paid</strong>')
    await play(orderUUID, 'refunded')
    expect((await page(`/pay/${orderUUID}/test`)).text).toContain('<strong>Refunded</strong>')
    const other = await create()
    const cancel = `/v1/orders/${other.orderUUID}/cancel`
    const code = 'live_key_required'
    await refused(app, { status: 403, code }, 'POST', cancel, { key: shop.test, body: {} })
    const cancelled = await data(app, 'POST', cancel, { key: shop.live, body: {} })
    expect(cancelled.order).toMatchObject({ status: 'CANCELLED', livemode: false })
    const stranger = await givenMerchant(app)
    for (const key of [stranger.live, stranger.test]) {
      expect((await app.call('GET', `/v1/orders/${orderUUID}`, { key })).status).toBe(404)
    }
  })

  test('offers no real method: every payment method links to its own page', async () => {
    const { orderUUID } = await create({ paymentMethodsKeys: ['*'] })
    const own = `/pay/${orderUUID}/test`
    expect((await page(`/pay/${orderUUID}`)).headers.get('location')).toBe(own)
    for (const path of [`/payment/process/${orderUUID}?method=stripe`, `/pay/${orderUUID}/receipt`]) {
      expect((await page(path)).headers.get('location')).toBe(`/pay/${orderUUID}`)
    }
    for (const { id: asset } of app.context.networks.assets) {
      expect((await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })).status).toBe(422)
    }
    expect(rowsOf(app, 'SELECT id FROM attempts WHERE order_id = ?', orderUUID)).toEqual([])
  })

  test('has a page that says in each language that nothing is charged', async () => {
    const { orderUUID } = await played(['underpaid'])
    const shown = await page(`/pay/${orderUUID}/test`)
    expect(shown.text).toContain('Test order: no money is charged.')
    expect(shown.text).toContain('Received $12.50 of $25.00 · $12.50 left')
    expect((await page(`/pay/${orderUUID}/test?lang=de`)).text).toContain('Es wird nichts berechnet.')
  })

  test('has a page, unlike a live order', async () => {
    const { orderUUID } = await givenOrder(app, shop)
    expect((await page(`/pay/${orderUUID}/test`)).status).toBe(404)
    for (const outcome of testOutcomes) expect((await play(orderUUID, outcome)).status).toBe(404)
    expect((await read(`/v1/orders/${orderUUID}`)).status).toBe('UNPAID')
  })

  test('offers on its page only what its state allows', async () => {
    const { orderUUID } = await played(['paid'])
    for (const outcome of ['paid', 'underpaid', 'pending', 'failed', 'expired', 'late', 'cancelled']) {
      expect((await play(orderUUID, outcome)).status).toBe(409)
    }
    const { orderUUID: begun } = await played(['failed'])
    expect((await play(begun, 'cancelled')).status).toBe(409)
    expect((await play(orderUUID, 'everything')).status).toBe(400)
    expect((await read(`/v1/orders/${orderUUID}`)).receivedAmount).toBe('25.00')
  })

  test('of a suspended shop has no page', async () => {
    const closed = await givenMerchant(app)
    const { orderUUID } = await create({}, closed.test)
    await changeMerchant(app.context, closed.id, { status: 'suspended' })
    expect((await page(`/pay/${orderUUID}/test`)).status).toBe(404)
  })
})

describe('the events of test orders', () => {
  const all = ['order.paid', 'payment.created', 'payment.processing', 'payment.paid', 'payment.failed']
  const secrets = once(async () => {
    const first = await listen(app, shop, live.url)
    const added = await Promise.all(
      (
        [
          [tests.url, 'test'],
          [both.url, 'both'],
          [live.url, undefined],
        ] as const
      ).map(([url, mode]) => {
        const body = { url, events: [...all, 'payment.expired'], ...(mode && { mode }) }
        return data(app, 'POST', '/v1/webhooks', { key: shop.live, body }, 201)
      }),
    )
    return {
      first,
      test: added[0].signingSecret,
      both: added[1].signingSecret,
      modes: added.map(w => w.mode),
    }
  })
  const typesAt = ({ received }: typeof live) => received.map(({ json }) => json.type).toSorted()

  test('reach the webhooks that want them, never the first webhook or one for live events', async () => {
    expect(secrets.modes).toEqual(['test', 'both', 'live'])
    await played(['pending', 'paid'])
    const types = ['order.paid', 'payment.created', 'payment.paid', 'payment.processing']
    expect([live, tests, both].map(typesAt)).toEqual([[], types, types])
    expect(tests.received.map(one => isSigned(one, secrets.test))).toEqual([true, true, true, true])
    for (const { headers, json } of tests.received) {
      expect(headers.get('x-service-livemode')).toBe('false')
      // The specification defines the body of order.paid, which has no `livemode`.
      expect(json.livemode).toBe(json.type === 'order.paid' ? undefined : false)
    }
  })

  test.each([
    [['paid'], false, 'exact'],
    [['late'], true, 'late'],
    [['failed', 'expired', 'late'], true, 'late'],
    [['pending', 'late'], false, 'exact'],
  ])('say whether an order that is %p was paid late', async (outcomes, late, settlement) => {
    expect(secrets.modes).toHaveLength(3)
    const { orderUUID } = await played(outcomes)
    const eventOf = (type: string) =>
      tests.received.find(({ json }) => json.type === type && json.orderUUID === orderUUID)
    expect(eventOf('payment.paid')?.json.late).toBe(late)
    expect(eventOf('order.paid')?.headers.get('x-service-settlement')).toBe(settlement)
  })

  test('are separate from those of live orders: a webhook for test orders gets no live event', async () => {
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    await app.jobs.settle()
    expect([tests, both].map(typesAt)).toEqual([[], ['order.paid']])
    expect(both.received[0]?.headers.get('x-service-livemode')).toBe('true')
    expect(typesAt(live)).toEqual(['order.paid', 'order.paid'])
  })

  test.each([
    ['failed', ['payment.created', 'payment.failed']],
    ['overpaid', ['order.paid', 'payment.created', 'payment.paid']],
    ['late', ['order.paid', 'payment.created', 'payment.expired', 'payment.paid']],
  ])('of an order that is %s are sent like those of a live one', async (outcome, types) => {
    await played([outcome])
    expect(typesAt(tests)).toEqual(types)
  })

  test('are listed and read separately from live ones', async () => {
    const { orderUUID } = await played(['paid'])
    const listed = await read('/v1/events?livemode=false&type=order.paid')
    const event = listed.items.find((one: { orderUUID: string }) => one.orderUUID === orderUUID)
    expect(event).toMatchObject({ type: 'order.paid', livemode: false, status: 'delivered' })
    expect(await read(`/v1/events/${event.id}`)).toEqual(event)
    tests.received.length = 0
    const redeliver = { key: shop.test }
    await data(app, 'POST', `/v1/events/${event.id}/redeliver`, redeliver, 202)
    await app.jobs.settle()
    expect(tests.received.map(({ json }) => json.id)).toEqual([event.id])
    const liveOnes = (await read('/v1/events')).items as { livemode?: boolean }[]
    expect(liveOnes.filter(({ livemode }) => livemode !== undefined)).toEqual([])
  })

  test('are sent again in a shop with a single webhook for them', async () => {
    const one = await givenMerchant(app)
    const body = { url: tests.url, events: ['order.paid'], mode: 'test' }
    await data(app, 'POST', '/v1/webhooks', { key: one.live, body }, 201)
    const { orderUUID } = await create({}, one.test)
    await play(orderUUID, 'paid')
    await app.jobs.settle()
    const [{ id }] = (await read('/v1/events?livemode=false&type=order.paid', one.test)).items
    await data(app, 'POST', `/v1/events/${id}/redeliver`, { key: one.test }, 202)
    await app.jobs.settle()
    expect(tests.received.map(({ json }) => json.id)).toEqual([id, id])
  })

  test('from before a webhook existed are sent on request, except to webhooks for live events', async () => {
    const one = await givenMerchant(app)
    const { orderUUID } = await create({}, one.test)
    const eventsSince = new Date(app.time.now).toISOString()
    await play(orderUUID, 'paid')
    for (const [{ url }, mode] of [
      [live, 'live'],
      [tests, 'test'],
      [both, 'both'],
    ] as const)
      await data(app, 'POST', '/v1/webhooks', { key: one.live, body: { url, mode, eventsSince } }, 201)
    await app.jobs.settle()
    expect(receivers.map(typesAt)).toEqual([[], ['order.paid'], ['order.paid']])
  })

  test('are all listed in a shop without webhooks', async () => {
    const bare = await givenMerchant(app)
    const { orderUUID } = await create({}, bare.test)
    await play(orderUUID, 'paid')
    const { items } = await read('/v1/events?livemode=false', bare.test)
    expect(items.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      ...['order.paid', 'payment.created', 'payment.paid'],
    ])
  })

  test('are not in BTCPay Server’s API, whose plugins find no test order', async () => {
    const { orderUUID } = await played(['paid'])
    const headers = { authorization: `token ${shop.live}` }
    const invoices = `/api/v1/stores/${shop.id}/invoices`
    expect((await app.call('GET', `${invoices}/${orderUUID}`, { headers })).status).toBe(404)
    expect((await app.call('GET', invoices, { headers })).text).not.toContain(orderUUID)
    const { orderUUID: liveOrder } = await givenOrder(app, shop)
    expect((await app.call('GET', `${invoices}/${liveOrder}`, { headers })).status).toBe(200)
  })

  test('cannot be requested for the webhook of the specification', async () => {
    const [first] = (await data(app, 'GET', '/v1/webhooks', { key: shop.live })).items
    const options = { key: shop.live, body: { mode: 'both' } }
    const expected = { status: 400, code: 'validation_error', path: '/mode' }
    await refused(app, expected, 'PATCH', `/v1/webhooks/${first.endpointId}`, options)
  })
})
