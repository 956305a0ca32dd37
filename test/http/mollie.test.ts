import { describe, expect, test } from 'bun:test'
import { ApiMode, createMollieClient, PaymentStatus, RefundStatus } from '@mollie/api-client'
import { connectAccount, removeAccount } from '../../src/operations/merchants/connect-account.ts'
import { getProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { OWN_URL, startApp } from '../support/app.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  notificationsOf,
} from './payments.ts'
import { freshKey } from './refunding.ts'
import { rowsOf } from './rows.ts'

const API = '/sandbox/mollie/v2/'

/** The sandbox with its Mollie, in this process. `wire` changes the answers to requests, by their names. */
async function startMollieApp() {
  const wire = {
    requests: [] as string[],
    altered: new Map<string, (json: object, query: URLSearchParams) => object>(),
    lost: '',
    hasLostWebhooks: false,
  }
  const app: Awaited<ReturnType<typeof startApp>> = await startApp(
    {},
    {
      async fetch(url, init = {}) {
        const { pathname, searchParams } = new URL(url)
        if (pathname === '/callback/mollie' && wire.hasLostWebhooks) throw new TypeError('lost')
        const response = await (url.startsWith(OWN_URL)
          ? app.florin.http.handle(new Request(url, init))
          : fetch(url, init))
        if (!pathname.startsWith(API)) return response
        const name = `${init.method} ${pathname.slice(API.length).replace(/tr_[a-z0-9]+/, 'ID')}`
        wire.requests.push(name)
        if (wire.lost === name) {
          wire.lost = ''
          throw new TypeError('the connection was closed')
        }
        const alter = wire.altered.get(name)
        return alter ? Response.json(alter((await response.json()) as object, searchParams)) : response
      },
    },
  )
  return { ...app, wire }
}

type MollieApp = Awaited<ReturnType<typeof startMollieApp>>

const { app, each, ownApp } = suite<MollieApp>({ start: startMollieApp })
const keyOf = (id: string): string => `test_${id.replaceAll('-', '').slice(-8)}abcdefghijklmnopqrst`
const connect = (merchantId: string, key = keyOf(merchantId)) =>
  connectAccount(app.context, { merchantId, providerId: 'mollie', key, webhookSecret: null })
const shop = each(async () => {
  const merchant = await givenMerchant(app)
  await connect(merchant.id)
  return merchant
})
const order = async (change: object = {}): Promise<string> =>
  (
    await givenOrder(app, shop, {
      amount: '25.00',
      currency: 'EUR',
      paymentMethodsKeys: ['mollie'],
      ...change,
    })
  ).orderUUID
const read = (orderUUID: string) => getOrder(app, shop, orderUUID)

/** Opens Mollie's page of an order, and returns the ID of the payment. */
async function openPayment(orderUUID: string): Promise<string> {
  const answer = await app.call('GET', `/payment/process/${orderUUID}?method=mollie`)
  expect([answer.status, answer.text]).toEqual([303, ''])
  const url = answer.headers.get('location') ?? ''
  expect(url).toMatch(/\/sandbox\/mollie\/pay\/tr_[0-9a-f]+$/)
  return url.split('/').at(-1) ?? ''
}

const onPage = (payment: string, status: string) =>
  app.call('POST', `/sandbox/mollie/pay/${payment}`, { form: { status } })
const callBack = (body: Record<string, string>) => app.call('POST', '/callback/mollie', { form: body })

test('an order is paid on the page of the shop’s own account', async () => {
  const orderUUID = await order()
  const payment = await openPayment(orderUUID)
  expect((await app.call('GET', `/sandbox/mollie/pay/${payment}`)).text).toContain('25.00 EUR')
  expect(await openPayment(orderUUID)).toBe(payment)
  const paid = await onPage(payment, 'paid')
  expect(paid.headers.get('location')).toBe(`http://localhost/pay/${orderUUID}/return`)
  expect(await read(orderUUID)).toMatchObject({
    ...{ status: 'PAID', receivedAmount: '25.00', receivedCurrency: 'EUR', transactionRef: payment },
    providerPayoutAddress: `pfl_${keyOf(shop.id).slice(5, 13)}`,
  })
  await callBack({ id: payment })
  await callBack({ id: payment })
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test.each(['failed', 'canceled'])('a payment that %s can be made again', async outcome => {
  const orderUUID = await order()
  const first = await openPayment(orderUUID)
  await onPage(first, outcome)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  const second = await openPayment(orderUUID)
  expect(second).not.toBe(first)
  await onPage(second, 'paid')
  expect((await read(orderUUID)).status).toBe('PAID')
  expect((await onPage(first, 'paid')).status).toBe(410)
})

test('a transfer that takes days pays when it arrives', async () => {
  await ownApp()
  const orderUUID = await order()
  const payment = await openPayment(orderUUID)
  await onPage(payment, 'pending')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'confirming' }])
  await app.advance(48 * HOUR_MS)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  await onPage(payment, 'paid')
  expect((await read(orderUUID)).status).toBe('PAID')
})

test('an amount that is smaller than the order’s pays a part', async () => {
  await ownApp()
  const orderUUID = await order()
  const payment = await openPayment(orderUUID)
  app.wire.altered.set('GET payments/ID', json => ({ ...json, amount: { value: '1.00', currency: 'EUR' } }))
  await onPage(payment, 'paid')
  expect((await read(orderUUID)).status).toBe('UNPAID')
})

describe('a webhook without a signature', () => {
  test('gets an empty answer for an unknown payment, and is refused without the ID of one', async () => {
    const unknown = await callBack({ id: 'tr_unknown1' })
    expect([unknown.status, unknown.text]).toEqual([200, ''])
    for (const body of [{}, { id: 'pfl_1' }, { id: '../payments' }])
      expect((await callBack(body)).status).toBe(403)
  })

  test('pays nothing that Mollie does not confirm', async () => {
    const orderUUID = await order()
    await callBack({ id: await openPayment(orderUUID) })
    expect((await read(orderUUID)).status).toBe('UNPAID')
  })
})

test.each<[string, (json: object) => object]>([
  ['another payment', json => ({ ...json, id: 'tr_other' })],
  ['another attempt', json => ({ ...json, metadata: { florin_attempt: 'other' } })],
  ['no attempt', json => ({ ...json, metadata: null })],
  ['another profile', json => ({ ...json, profileId: 'pfl_other' })],
  ['another mode', json => ({ ...json, mode: 'live' })],
  ['an unknown state', json => ({ ...json, status: 'shipped' })],
  ['an amount that is a number', json => ({ ...json, amount: { value: 25, currency: 'EUR' } })],
])('a look-up at Mollie that reports %s pays nothing', async (_, alter) => {
  await ownApp()
  const orderUUID = await order()
  const payment = await openPayment(orderUUID)
  app.wire.altered.set('GET payments/ID', alter)
  await onPage(payment, 'paid')
  expect((await read(orderUUID)).status).toBe('UNPAID')
  app.wire.altered.clear()
  await callBack({ id: payment })
  await app.advance(10 * MINUTE_MS)
  expect((await read(orderUUID)).status).toBe('PAID')
})

test.each([
  ['of Stripe', 'rk_test_corner_12345678', /not_a_key/],
  ['that is real, in the sandbox', 'live_abcdefghijklmnopqrstuvwxyz', /live_key/],
  ['of another account', `test_otheracc${'a'.repeat(20)}`, /other_account/],
])('a key of Mollie %s is refused', async (_, key, problem) => {
  await expect(connect(shop.id, key)).rejects.toThrow(problem)
})

test('a buyer is shown the methods that the shop’s account has', async () => {
  const page = async () => (await app.call('GET', `/pay/${await order()}`)).text
  expect(await page()).toContain('Pay with iDEAL')
  await removeAccount(app.context, shop.id, 'mollie')
  await connect(shop.id, `test_deshop12${'a'.repeat(20)}`)
  expect(await page()).toContain('Pay with Mollie')
})

describe('a refund', () => {
  const send = (orderId: string, idempotencyKey: string) =>
    executeRefund(app.context, {
      ...{ merchantId: shop.id, orderId, idempotencyKey, by: 'Ann' },
      body: { amount: '10.00', reason: 'returned' },
    })
  const reversalsOf = (orderUUID: string) =>
    rowsOf(
      app,
      'SELECT kind, status, amount FROM reversals WHERE order_id = ? ORDER BY kind, amount',
      orderUUID,
    )
  const paid = async () => {
    const orderUUID = await order()
    const payment = await openPayment(orderUUID)
    await onPage(payment, 'paid')
    return { orderUUID, payment }
  }

  test('is made once although the answer is lost, and done when the bank has sent it', async () => {
    await ownApp()
    const { orderUUID, payment } = await paid()
    const key = freshKey()
    app.wire.lost = 'POST payments/ID/refunds'
    await send(orderUUID, key)
    await app.advance(2 * HOUR_MS)
    await callBack({ id: payment })
    expect(app.wire.requests.filter(name => name === 'POST payments/ID/refunds')).toHaveLength(1)
    expect((await send(orderUUID, key)).status).toBe('succeeded')
    expect(await read(orderUUID)).toMatchObject({ refundStatus: 'PARTIAL', refundedAmount: '10.00' })
  })

  test.each([
    ['queued', 'pending'],
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['refunded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('that Mollie answers with %s is %s', async (answer, state) => {
    await ownApp()
    const { orderUUID } = await paid()
    app.wire.altered.set('POST payments/ID/refunds', json => ({ ...json, status: answer }))
    app.wire.altered.set('GET payments/ID', json => ({ ...json, _embedded: {} }))
    expect((await send(orderUUID, freshKey())).status).toBe(state as 'pending')
  })

  test('that Mollie does not list any more is not made again', async () => {
    await ownApp()
    const { orderUUID } = await paid()
    const key = freshKey()
    app.wire.altered.set('POST payments/ID/refunds', json => ({ ...json, status: 'queued' }))
    expect((await send(orderUUID, key)).status).toBe('pending')
    app.wire.altered.set('GET payments/ID', json => ({ ...json, _embedded: {} }))
    app.wire.altered.set('GET refunds', () => ({ _embedded: { refunds: [] } }))
    await app.advance(48 * HOUR_MS)
    expect((await send(orderUUID, key)).status).toBe('pending')
    expect(app.wire.requests.filter(name => name === 'POST payments/ID/refunds')).toHaveLength(1)
  })

  test('that the bank returns is reported, and its amount can be refunded again', async () => {
    await ownApp()
    const { orderUUID, payment } = await paid()
    await send(orderUUID, freshKey())
    await onPage(payment, 'refund_failed')
    expect(notificationsOf(app, orderUUID)).toEqual(['refund_failed'])
    expect(reversalsOf(orderUUID)).toMatchObject([{ kind: 'refund', status: 'failed', amount: '10.00' }])
    expect(await send(orderUUID, freshKey())).toMatchObject({ status: 'pending' })
  })

  test('and a chargeback that were made at Mollie are found by a look-up, without a webhook', async () => {
    await ownApp()
    const { orderUUID, payment } = await paid()
    app.wire.hasLostWebhooks = true
    await mollieClient(keyOf(shop.id), client =>
      client.paymentRefunds.create({ paymentId: payment, amount: { value: '5.00', currency: 'EUR' } }),
    )
    await onPage(payment, 'chargeback')
    expect(reversalsOf(orderUUID)).toEqual([])
    await app.advance(2 * HOUR_MS)
    expect(reversalsOf(orderUUID)).toMatchObject([
      { kind: 'dispute', amount: '25.00' },
      { kind: 'refund', amount: '5.00' },
    ])
  })

  test('and a chargeback that are no longer looked up are found by the daily search, once', async () => {
    await ownApp()
    const { orderUUID, payment } = await paid()
    await app.advance(40 * 24 * HOUR_MS)
    app.wire.hasLostWebhooks = true
    await mollieClient(keyOf(shop.id), async client => {
      for (const value of ['5.00', '6.00'])
        await client.paymentRefunds.create({ paymentId: payment, amount: { value, currency: 'EUR' } })
      const page = await client.refunds.page({ limit: 1 })
      const next = await page.nextPage?.()
      expect([page[0]?.amount.value, next?.[0]?.amount.value].sort()).toEqual(['5.00', '6.00'])
    })
    await onPage(payment, 'chargeback')
    const other = await givenMerchant(app)
    await connect(other.id, keyOf(shop.id))
    await app.advance(25 * HOUR_MS)
    const found = [
      { kind: 'dispute', amount: '25.00', status: 'succeeded' },
      { kind: 'refund', amount: '5.00', status: 'succeeded' },
      { kind: 'refund', amount: '6.00', status: 'succeeded' },
    ]
    expect(reversalsOf(orderUUID)).toMatchObject(found)
    await app.advance(25 * HOUR_MS)
    expect(notificationsOf(app, orderUUID)).toEqual(Array(3).fill('payment_reversed'))
    expect(rowsOf(app, 'SELECT merchant_id AS shop FROM reversals')).toEqual(Array(3).fill({ shop: shop.id }))
  })

  test('is found on every page of the list', async () => {
    const { payment: paymentId } = await paid()
    const createdAt = new Date(app.time.now).toISOString()
    const amount = { value: '5.00', currency: 'EUR' }
    app.wire.altered.set('GET refunds', (_, query) => {
      const id = query.get('from') ?? 're_1'
      const next = { href: `https://elsewhere.example/v2/refunds?from=re_${Number(id.slice(3)) + 1}` }
      const row = { id, status: 'queued', paymentId, createdAt, amount }
      return { _embedded: { refunds: [row] }, _links: id === 're_3' ? {} : { next } }
    })
    const account = await getProviderAccount(app.context, shop.id, 'mollie')
    const { charge } = app.context.providers.find('mollie') ?? {}
    const found = await charge?.listReversals?.(account?.credentials ?? null, app.time.now - HOUR_MS)
    app.wire.altered.delete('GET refunds')
    expect(found?.map(({ reference }) => reference)).toEqual(['re_1', 're_2', 're_3'])
  })

  test('is not read from entries that are malformed, old or of other payments', async () => {
    const { payment: paymentId } = await paid()
    const createdAt = new Date(app.time.now).toISOString()
    const row = {
      id: 're_1',
      status: 'refunded',
      paymentId,
      createdAt,
      amount: { value: '5.00', currency: 'EUR' },
    }
    const rows = [
      row,
      { ...row, id: 're_2', amount: { value: '5.001', currency: 'EUR' } },
      { ...row, id: 're_3', amount: { value: '-5.00', currency: 'EUR' } },
      { ...row, id: 're_4', status: 'unheard_of' },
      { ...row, id: 're_5', paymentId: 'ord_1' },
      { ...row, id: 're_6', createdAt: '2020-01-01T00:00:00.000Z' },
      { ...row, id: '../re_7' },
      null,
    ]
    const next = { href: 'https://elsewhere.example/v2/refunds?from=re_9' }
    app.wire.requests.length = 0
    app.wire.altered.set('GET refunds', () => ({ _embedded: { refunds: rows }, _links: { next } }))
    const account = await getProviderAccount(app.context, shop.id, 'mollie')
    const { charge } = app.context.providers.find('mollie') ?? {}
    const found = await charge?.listReversals?.(account?.credentials ?? null, app.time.now - HOUR_MS)
    app.wire.altered.delete('GET refunds')
    expect(new Set(found?.map(({ reference }) => reference))).toEqual(new Set(['re_1']))
    // An endless list is read only up to a limit.
    expect(app.wire.requests.filter(name => name === 'GET refunds')).toHaveLength(40)
  })

  test('of the customer’s bank is shown as a dispute, and ends when the bank returns it', async () => {
    await ownApp()
    const { orderUUID, payment } = await paid()
    await onPage(payment, 'chargeback')
    expect(reversalsOf(orderUUID)).toMatchObject([{ kind: 'dispute', status: 'succeeded', amount: '25.00' }])
    await onPage(payment, 'chargeback')
    expect(reversalsOf(orderUUID)).toMatchObject([{ kind: 'dispute', status: 'failed' }])
  })
})

/** Runs the official client, which needs a port of its own. */
async function mollieClient<T>(
  apiKey: string,
  run: (client: ReturnType<typeof createMollieClient>) => Promise<T>,
): Promise<T> {
  const front = Bun.serve({ port: 0, fetch: request => app.florin.http.handle(request) })
  try {
    const apiEndpoint = `http://localhost:${front.port}${API}`
    return await run(createMollieClient({ apiKey, apiEndpoint }))
  } finally {
    await front.stop(true)
  }
}

test('the official client understands the Mollie of the sandbox', () =>
  mollieClient(`test_judge123${'a'.repeat(20)}`, async client => {
    const profile = await client.profiles.getCurrent()
    expect([profile.id, profile.mode]).toEqual(['pfl_judge123', ApiMode.test])
    expect((await client.methods.list()).map(({ id }) => String(id))).toEqual(['ideal', 'creditcard'])
    const made = await client.payments.create({
      amount: { value: '25.00', currency: 'EUR' },
      description: 'Order 17',
      redirectUrl: 'https://shop.example/',
      idempotencyKey: 'order-17',
    })
    expect([made.status, made.getCheckoutUrl()?.endsWith(`/pay/${made.id}`)]).toEqual([
      PaymentStatus.open,
      true,
    ])
    await onPage(made.id, 'paid')
    const paid = await client.payments.get(made.id)
    expect([paid.status, paid.amount.value]).toEqual([PaymentStatus.paid, '25.00'])
    const amount = { value: '5.00', currency: 'EUR' }
    const refund = await client.paymentRefunds.create({ paymentId: made.id, amount })
    expect([refund.status, refund.paymentId]).toEqual([RefundStatus.pending, made.id])
    await client.paymentRefunds.cancel(refund.id, { paymentId: made.id })
    const [canceled] = await client.paymentRefunds.page({ paymentId: made.id })
    expect(canceled?.status).toBe('canceled' as RefundStatus)
    await onPage(made.id, 'chargeback')
    const [chargeback] = await client.paymentChargebacks.page({ paymentId: made.id })
    expect([chargeback?.amount.value, chargeback?.reversedAt ?? null]).toEqual(['25.00', null])
    await expect(client.payments.get('tr_unknown1')).rejects.toThrow('No payment exists')
    await expect(client.payments.create({ amount, description: '', redirectUrl: '' })).rejects.toThrow()
  }))
