import { describe, expect, test } from 'bun:test'
import { CaptureStatus, CheckoutPaymentIntent, OrderStatus, RefundStatus } from '@paypal/paypal-server-sdk'
import { getProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  MINUTE_MS,
  notificationsOf,
} from './payments.ts'
import {
  accountOf,
  crash,
  givenPayPalShop,
  keysOf,
  onPayPal,
  openAtPayPal,
  type PayPalApp,
  payPalClient,
  startPayPalApp,
} from './paypals.ts'
import { freshKey, refundOf } from './refunding.ts'
import { countOf, rowsOf, snapshotOf } from './rows.ts'
import { altered, lostAnswer, status } from './stripes.ts'

const { app, each, ownApp } = suite<PayPalApp>({ start: startPayPalApp })
const shop = each(() => givenPayPalShop(app))
each(() => {
  app.wire.requests.length = 0
  app.wire.faults.length = 0
  app.wire.hasLostWebhooks = false
})
const terms = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['paypal'] }
const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { ...terms, ...change })).orderUUID
const statusOf = async (orderUUID: string): Promise<string> => (await getOrder(app, shop, orderUUID)).status
const sent = (name: string): number => app.wire.requests.filter(one => one === name).length

const CREATE = 'POST 2/checkout/orders'
const LOOK = 'GET 2/checkout/orders/ID'
const TAKE = 'POST 2/checkout/orders/ID/capture'
const REFUND = 'POST 2/payments/captures/ID/refund'

/** An order whose buyer approved it, or did something else at PayPal, without Florin knowing of it. */
async function givenSilent(does = 'balance'): Promise<{ orderUUID: string; id: string }> {
  const orderUUID = await order()
  const id = await openAtPayPal(app, orderUUID)
  app.wire.hasLostWebhooks = true
  await onPayPal(app, id, does)
  app.wire.requests.length = 0
  return { orderUUID, id }
}

/** Sends an event, as PayPal or as an attacker. */
async function notify(id: string, type = 'CHECKOUT.ORDER.APPROVED', resource: object = { id }) {
  const body = JSON.stringify({ id: 'WH-1', event_type: type, resource })
  return (await app.call('POST', '/callback/paypal', { body })).status
}

const about = (id: string) => ({ supplementary_data: { related_ids: { order_id: id } } })

/** Expects one payment, which PayPal was asked to take once, and one notification for everyone. */
async function expectPaidOnce(orderUUID: string): Promise<void> {
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect([incomingPaymentsOf(app, orderUUID).length, countOf(app, 'transactions', orderUUID)]).toEqual([1, 1])
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
}

describe('an event from PayPal', () => {
  test.each(['', '{}', '[]', '{"event_type":"CHECKOUT.ORDER.APPROVED"}', '\uD800'])(
    'with the body %p is refused and changes nothing',
    async body => {
      const before = snapshotOf(app)
      expect((await app.call('POST', '/callback/paypal', { body })).status).toBe(403)
      expect([snapshotOf(app), app.wire.requests]).toEqual([before, []])
    },
  )

  test.each<[string, string, object]>([
    ['an unknown order', 'CHECKOUT.ORDER.APPROVED', { id: 'UNKNOWN' }],
    ['an order with a path in its ID', 'CHECKOUT.ORDER.APPROVED', { id: '../webhooks' }],
    ['an unknown payment', 'PAYMENT.CAPTURE.COMPLETED', { id: 'UNKNOWN' }],
    ['a subscription', 'BILLING.SUBSCRIPTION.CREATED', { id: 'UNKNOWN' }],
    ['a dispute of an unknown payment', 'CUSTOMER.DISPUTE.CREATED', { disputed_transactions: [{}] }],
  ])('about %s is ignored without a request to PayPal', async (_, type, resource) => {
    expect([await notify('', type, resource), app.wire.requests]).toEqual([200, []])
  })

  test('that claims more than PayPal confirms pays nothing', async () => {
    const orderUUID = await order()
    const id = await openAtPayPal(app, orderUUID)
    expect(await notify(id)).toBe(200)
    expect(await notify(id, 'PAYMENT.CAPTURE.COMPLETED', { ...about(id), amount: { value: '25.00' } })).toBe(
      200,
    )
    expect([await statusOf(orderUUID), sent(TAKE)]).toEqual(['UNPAID', 0])
  })

  test('that arrives five times, out of order, and after it a stale one, counts once', async () => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    await notify(id, 'PAYMENT.CAPTURE.DENIED', about(id))
    await Promise.all([1, 2, 3, 4, 5].map(() => notify(id)))
    await notify(id, 'CHECKOUT.PAYMENT-APPROVAL.REVERSED', { order_id: id })
    await expectPaidOnce(orderUUID)
  })
})

describe('a look-up that answers with', () => {
  const unit = (change: object) =>
    altered(({ purchase_units: units }) => ({ purchase_units: [{ ...(units as object[])[0], ...change }] }))
  const capture = (change: object) =>
    altered(({ purchase_units: units }) => {
      const [{ payments, ...rest }] = units as [{ payments: { captures: object[] } }]
      return {
        purchase_units: [{ ...rest, payments: { captures: [{ ...payments.captures[0], ...change }] } }],
      }
    })

  test.each<[string, ReturnType<typeof altered>]>([
    ['another order', altered(() => ({ id: 'OTHER' }))],
    ['an order to be authorized only', altered(() => ({ intent: 'AUTHORIZE' }))],
    ['an order of another payment', unit({ custom_id: 'other' })],
    ['an order without a shop', unit({ custom_id: null })],
    ['an order of another account', unit({ payee: { merchant_id: 'OTHER' } })],
    ['an order of nobody', unit({ payee: null })],
    ['429', status(429, {}, { 'retry-after': '1' })],
    ['500', status(500)],
    ['a page', async () => new Response('<html>', { status: 200 })],
    ['nothing', () => Promise.reject(new TypeError('closed'))],
  ])('%s captures and pays nothing, and the next one does', async (_, fault) => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    app.wire.faults.push([LOOK, fault])
    expect(await notify(id)).toBe(502)
    expect([await statusOf(orderUUID), sent(TAKE)]).toEqual(['UNPAID', 0])
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
  })

  test.each<[string, ReturnType<typeof altered>]>([
    ['an amount that is a number', capture({ amount: { value: 25, currency_code: 'EUR' } })],
    ['an unknown state', capture({ status: 'SHIPPED' })],
    ['no capture of a completed order', unit({ payments: { captures: [] } })],
  ])('%s pays nothing, and the next one does', async (_, fault) => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    app.wire.faults.push([LOOK, (_request, pass) => pass()], [LOOK, fault])
    expect(await notify(id)).toBe(502)
    expect(incomingPaymentsOf(app, orderUUID)).toEqual([])
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
  })

  test.each([
    ['less than the amount', { value: '24.00', currency_code: 'EUR' }],
    ['another currency', { value: '25.00', currency_code: 'JPY' }],
  ])('%s does not pay the order', async (_, amount) => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    app.wire.faults.push([LOOK, (_request, pass) => pass()], [LOOK, capture({ amount })])
    expect(await notify(id)).toBe(200)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
  })

  test('an expired token fetches another token, and pays', async () => {
    const { orderUUID, id } = await givenSilent()
    app.wire.faults.push([LOOK, status(401, { name: 'AUTHENTICATION_FAILURE' })])
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
    expect(sent('POST 1/oauth2/token')).toBe(1)
  })

  test('404, after PayPal has forgotten a paid order, asks for its payment', async () => {
    await ownApp()
    const { orderUUID, id } = await givenSilent('echeck')
    await notify(id)
    await onPayPal(app, id, 'COMPLETED')
    app.wire.faults.push([LOOK, status(404, { name: 'RESOURCE_NOT_FOUND' })])
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
  })
})

const issue = (name: string) => status(422, { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: name }] })

describe('capturing a payment meets', () => {
  test.each<[string, ReturnType<typeof status>, number]>([
    ['500 before the effect', status(500), 502],
    ['429', status(429), 502],
    ['409, since the same request is running', status(409, { name: 'RESOURCE_CONFLICT' }), 502],
    ['an answer that was lost after the effect', lostAnswer, 502],
    ['PAYER_ACTION_REQUIRED', issue('PAYER_ACTION_REQUIRED'), 200],
    ['ORDER_NOT_APPROVED', issue('ORDER_NOT_APPROVED'), 200],
  ])('%s: the next look-up continues', async (_, fault, answer) => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    app.wire.faults.push([TAKE, fault])
    expect(await notify(id)).toBe(answer)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
  })

  test('PAYER_ACTION_REQUIRED: only after another approval has the request another ID', async () => {
    const { id } = await givenSilent()
    const ids: (string | null)[] = []
    const refuse: ReturnType<typeof status> = (request, pass) => {
      ids.push(new Headers(request.init.headers).get('paypal-request-id'))
      return issue('PAYER_ACTION_REQUIRED')(request, pass)
    }
    for (const hour of ['10', '10', '11']) {
      const approved = altered(() => ({ update_time: `2026-03-01T${hour}:00:00Z` }))
      app.wire.faults.push([LOOK, approved], [TAKE, refuse])
      expect(await notify(id)).toBe(200)
    }
    expect([ids.length, ids[1] === ids[0], ids[2] === ids[0]]).toEqual([3, true, false])
  })

  test('ORDER_ALREADY_CAPTURED because another server was faster: it counts', async () => {
    const { orderUUID, id } = await givenSilent()
    const refusal = issue('ORDER_ALREADY_CAPTURED')
    app.wire.faults.push([TAKE, (request, pass) => pass().then(() => refusal(request, pass))])
    expect(await notify(id)).toBe(200)
    await expectPaidOnce(orderUUID)
  })

  test.each(['before', 'after'])('a crash %s the effect: the payment is captured once', async when => {
    await ownApp()
    const { orderUUID, id } = await givenSilent()
    if (when === 'after') {
      app.wire.faults.push([TAKE, lostAnswer])
      await notify(id)
    }
    await crash(app)
    await app.advance(10 * MINUTE_MS)
    await expectPaidOnce(orderUUID)
  })
})

test.each([
  ['500 before the effect', status(500)],
  ['429', status(429)],
  ['a refusal', issue('PAYEE_ACCOUNT_RESTRICTED')],
  ['an answer that was lost after the effect', lostAnswer],
  ['an order of another payment', altered(() => ({ purchase_units: [{ custom_id: 'other' }] }))],
])('opening a page meets %s: the buyer tries again, and pays once', async (_, fault) => {
  await ownApp()
  const orderUUID = await order()
  app.wire.faults.push([CREATE, fault])
  expect((await app.call('GET', `/payment/process/${orderUUID}?method=paypal`)).status).toBe(502)
  await crash(app)
  await onPayPal(app, await openAtPayPal(app, orderUUID), 'balance')
  await expectPaidOnce(orderUUID)
})

describe('a refund', () => {
  const givenPaid = async (): Promise<{ orderUUID: string; id: string }> => {
    const orderUUID = await order()
    const id = await openAtPayPal(app, orderUUID)
    await onPayPal(app, id, 'balance')
    return { orderUUID, id }
  }
  const send = (orderId: string, amount: string, reason = 'returned') =>
    executeRefund(app.context, {
      ...{ merchantId: shop.id, orderId, idempotencyKey: freshKey(), by: 'Ann' },
      body: { amount, reason },
    })
  const reversalsOf = (orderUUID: string) =>
    rowsOf(app, 'SELECT kind, status, amount FROM reversals WHERE order_id = ? ORDER BY amount', orderUUID)

  test.each([
    ['the answer is lost', lostAnswer],
    ['PayPal fails', status(500)],
    ['there are too many requests', status(429)],
  ])('is made once, even if %s', async (_, fault) => {
    await ownApp()
    const { orderUUID } = await givenPaid()
    app.wire.faults.push([REFUND, fault])
    app.wire.hasLostWebhooks = true
    expect(await send(orderUUID, '10.00')).toMatchObject({ status: 'asked' })
    await crash(app)
    await app.advance(10 * MINUTE_MS)
    expect(await getOrder(app, shop, orderUUID)).toMatchObject({ refundedAmount: '10.00', refundCount: '1' })
    expect(reversalsOf(orderUUID)).toEqual([{ kind: 'refund', status: 'succeeded', amount: '10.00' }])
  })

  test('of a dispute is refused by PayPal, and what is left can be refunded', async () => {
    const { orderUUID } = await givenPaid()
    app.wire.faults.push([REFUND, issue('TRANSACTION_DISPUTED')])
    await send(orderUUID, '10.00')
    expect(notificationsOf(app, orderUUID)).toEqual(['refund_failed'])
    expect(await send(orderUUID, '25.00')).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    ['COMPLETED', 'succeeded'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
  ])('that PayPal answers with %s is %s', async (answer, state) => {
    const { orderUUID } = await givenPaid()
    app.wire.faults.push([REFUND, altered(() => ({ status: answer }))])
    app.wire.hasLostWebhooks = true
    expect((await send(orderUUID, '10.00')).status).toBe(state as 'pending')
  })

  test('gives its reason to the buyer, and a long reason is not cut inside a character', async () => {
    const { orderUUID } = await givenPaid()
    let body = ''
    const listen: (typeof app.wire.faults)[number][1] = ({ init }, pass) => {
      body = String(init.body)
      return pass()
    }
    app.wire.faults.push([REFUND, listen])
    await send(orderUUID, '10.00', `${'a'.repeat(254)}🙂🙂`)
    expect(JSON.parse(body)).toMatchObject({ note_to_payer: 'a'.repeat(254) })
  })

  test('that was made at PayPal is found, and matched to a record of its amount', async () => {
    await ownApp()
    const { orderUUID } = await givenPaid()
    const { transactionRef: captureId } = await getOrder(app, shop, orderUUID)
    const { payments } = payPalClient(app, keysOf(accountOf(shop)))
    const refund = (value: string) =>
      payments.refundCapturedPayment({ captureId, body: { amount: { currencyCode: 'EUR', value } } })
    await refund('5.00')
    expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
    await refundOf(app, shop, orderUUID, { amount: '5.00' })
    await refund('7.00')
    expect(rowsOf(app, 'SELECT refund_id IS NULL AS open FROM reversals ORDER BY amount')).toEqual([
      { open: 0 },
      { open: 1 },
    ])
    await expect(send(orderUUID, '15.00')).rejects.toThrow('13.00')
  })

  test('and a dispute that are no longer looked up are found by the daily search, once', async () => {
    await ownApp()
    const { orderUUID, id } = await givenPaid()
    await send(orderUUID, '3.00')
    await app.advance(40 * DAY_MS)
    app.wire.hasLostWebhooks = true
    const { transactionRef: captureId } = await getOrder(app, shop, orderUUID)
    const { payments } = payPalClient(app, keysOf(accountOf(shop)))
    const custom = attemptsOf(app, orderUUID)[0]?.id as string
    for (const [value, customId] of [
      ['5.00', custom],
      ['6.00', undefined],
    ] as const) {
      const amount = { currencyCode: 'EUR', value }
      await payments.refundCapturedPayment({ captureId, body: { amount, ...(customId && { customId }) } })
    }
    await onPayPal(app, id, 'CANCELED_BY_BUYER')
    const refunds = ['3.00', '5.00', '6.00'].map(amount => ({ kind: 'refund', amount, status: 'succeeded' }))
    const dispute = { kind: 'dispute', amount: '25.00' }
    app.wire.faults.push(['GET 1/reporting/transactions', status(500)])
    await app.advance(DAY_MS)
    expect(reversalsOf(orderUUID)).toEqual(refunds.slice(0, 1))
    await app.advance(HOUR_MS)
    expect(reversalsOf(orderUUID)).toEqual([{ ...dispute, status: 'pending' }, ...refunds])
    await onPayPal(app, id, 'CANCELED_BY_BUYER')
    // Disputes are also found for an app without the right to search transactions.
    app.wire.faults.push(['GET 1/reporting/transactions', status(403)])
    await app.advance(DAY_MS)
    expect(reversalsOf(orderUUID)).toEqual([{ ...dispute, status: 'failed' }, ...refunds])
    expect(notificationsOf(app, orderUUID)).toEqual(['refund_recorded', ...Array(4).fill('payment_reversed')])
  })

  test('and a dispute are found on every page and in every month of a long search', async () => {
    const searched: [from: string, to: string, page: string][] = []
    const transactions: (typeof app.wire.faults)[number][1] = async ({ url }) => {
      const query = new URL(url).searchParams
      const [from, to, page] = ['start_date', 'end_date', 'page'].map(name => query.get(name) ?? '')
      searched.push([from ?? '', to ?? '', page ?? ''])
      const info = {
        ...{ transaction_id: `R${searched.length}`, paypal_reference_id: 'C1' },
        transaction_status: 'SPDVSS'[searched.length - 1],
        transaction_amount: { currency_code: 'EUR', value: '-5.00' },
      }
      return Response.json({ transaction_details: [{ transaction_info: info }], total_pages: 2 })
    }
    const disputes: (typeof app.wire.faults)[number][1] = async ({ url }) => {
      const token = new URL(url).searchParams.get('next_page_token')
      const next = { rel: 'next', href: 'https://elsewhere.example/disputes?next_page_token=two' }
      return Response.json({
        items: [{ dispute_id: token === 'two' ? 'D2' : 'D1' }],
        links: token === null ? [next] : [],
      })
    }
    const lost = { status: 'RESOLVED', dispute_outcome: { outcome_code: 'ACCEPTED' } }
    const about = { disputed_transactions: [{ seller_transaction_id: 'C1' }] }
    const dispute = { ...lost, ...about, dispute_amount: { currency_code: 'EUR', value: '5.00' } }
    const readOne: (typeof app.wire.faults)[number][1] = async ({ url }) =>
      Response.json({ ...dispute, dispute_id: new URL(url).pathname.split('/').at(-1) })
    for (let at = 0; at < 6; at++) app.wire.faults.push(['GET 1/reporting/transactions', transactions])
    for (let at = 0; at < 2; at++) app.wire.faults.push(['GET 1/customer/disputes', disputes])
    for (const id of ['D1', 'D2']) app.wire.faults.push([`GET 1/customer/disputes/${id}`, readOne])
    const account = await getProviderAccount(app.context, shop.id, 'paypal')
    const { charge } = app.context.providers.find('paypal') ?? {}
    const from = app.time.now - 70 * DAY_MS
    const found = await charge?.listReversals?.(account?.credentials ?? null, from)
    expect(found?.map(({ reference, status: state }) => `${reference} ${state}`)).toEqual([
      ...['R1 succeeded', 'R2 pending', 'R3 failed', 'R4 failed', 'R5 succeeded', 'R6 succeeded'],
      ...['D1 succeeded', 'D2 succeeded'],
    ])
    const at = (day: number) => new Date(Math.min(from + day * DAY_MS, app.time.now)).toISOString()
    expect(searched).toEqual(
      [0, 31, 62].flatMap(day => ['1', '2'].map(page => [at(day), at(day + 31), page] as const)),
    )
  })

  test('is not read from malformed transactions', async () => {
    const info = {
      ...{
        transaction_id: 'R1',
        paypal_reference_id: 'C1',
        transaction_status: 'S',
        custom_field: 'order 17',
      },
      transaction_amount: { currency_code: 'EUR', value: '-5.00' },
    }
    const rows = [
      info,
      { ...info, transaction_id: 'R2', transaction_status: 'X' },
      { ...info, transaction_id: 'R3', paypal_reference_id: '../C1' },
      { ...info, transaction_id: 'R4', transaction_amount: { currency_code: 'EUR', value: '5.001' } },
      { ...info, transaction_id: 'R5', transaction_amount: null },
    ].map(one => ({ transaction_info: one }))
    app.wire.faults.push(['GET 1/reporting/transactions', altered(() => ({ transaction_details: rows }))])
    const account = await getProviderAccount(app.context, shop.id, 'paypal')
    const { charge } = app.context.providers.find('paypal') ?? {}
    const found = await charge?.listReversals?.(account?.credentials ?? null, app.time.now - HOUR_MS)
    expect(found).toEqual([
      {
        ...{ reference: 'R1', kind: 'refund', status: 'succeeded', amount: '5.00', currency: 'EUR' },
        ...{ refundId: null, paymentId: 'C1' },
      },
    ])
  })

  test.each([
    ['RESOLVED_BUYER_FAVOUR', 'succeeded'],
    ['CANCELED_BY_BUYER', 'failed'],
  ])('by a dispute that ends with %s is found: it has %s', async (end, state) => {
    const { orderUUID, id } = await givenPaid()
    await onPayPal(app, id, end)
    expect(reversalsOf(orderUUID)).toEqual([{ kind: 'dispute', status: 'pending', amount: '25.00' }])
    await onPayPal(app, id, end)
    expect(reversalsOf(orderUUID)).toEqual([{ kind: 'dispute', status: state, amount: '25.00' }])
  })
})

test('the official client understands the PayPal of the sandbox', async () => {
  const { orders, payments } = payPalClient(app, keysOf('A123456789012'))
  const { result: made } = await orders.createOrder({
    prefer: 'return=representation',
    paypalRequestId: freshKey(),
    body: {
      intent: CheckoutPaymentIntent.Capture,
      purchaseUnits: [{ customId: 'order-17', amount: { currencyCode: 'EUR', value: '25.00' } }],
      paymentSource: {
        paypal: {
          experienceContext: { returnUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/' },
        },
      },
    },
  })
  const id = made.id ?? ''
  const page = made.links?.find(({ rel }) => rel === 'payer-action')?.href
  expect([made.status, page?.endsWith(`token=${id}`)]).toEqual([OrderStatus.PayerActionRequired, true])
  await expect(orders.captureOrder({ id })).rejects.toHaveProperty('statusCode', 422)
  await onPayPal(app, id, 'balance')
  const { result: taken } = await orders.captureOrder({ id, paypalRequestId: freshKey() })
  const { result: read } = await orders.getOrder({ id })
  expect([taken.status, read.purchaseUnits?.[0]?.payee?.merchantId]).toEqual([
    OrderStatus.Completed,
    'A123456789012',
  ])
  const captureId = read.purchaseUnits?.[0]?.payments?.captures?.[0]?.id ?? ''
  const body = { amount: { currencyCode: 'EUR', value: '5.00' }, customId: 'refund-1' }
  const { result: refund } = await payments.refundCapturedPayment({ captureId, body })
  const { result: capture } = await payments.getCapturedPayment({ captureId })
  expect([refund.status, refund.customId, capture.status]).toEqual([
    RefundStatus.Completed,
    'refund-1',
    CaptureStatus.PartiallyRefunded,
  ])
  expect((await payments.getRefund({ refundId: refund.id ?? '' })).result.amount?.value).toBe('5.00')
  await expect(orders.captureOrder({ id })).rejects.toHaveProperty('statusCode', 422)
  const revoked = payPalClient(app, keysOf('A123456789012', 'revoked'))
  await expect(revoked.orders.getOrder({ id })).rejects.toThrow()
})
