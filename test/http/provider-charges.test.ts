import { beforeEach, describe, expect, test } from 'bun:test'
import { setProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { sendRefund } from '../../src/operations/refunds/send.ts'
import { recordPayments } from '../../src/operations/settlement/record.ts'
import { OWN_URL } from '../support/app.ts'
import { givenMerchant, givenOrder, type Shop } from '../support/given.ts'
import { isSigned } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { givenChargeShop, startChargeApp } from './charges.ts'
import { orderPaidProblems } from './expected-shapes.ts'
import { enter } from './paygate.ts'
import { attemptsOf, eventTypesOf, getOrder, incomingPaymentsOf, MINUTE_MS, unmatchedOf } from './payments.ts'
import { freshKey, refundOf } from './refunding.ts'
import { data, refused, send } from './request.ts'
import { countOf, rowOf, rowsOf, snapshotOf } from './rows.ts'

const { app, each, ownApp } = suite({ start: startChargeApp })
each(() => {
  app.receiver.received.length = 0
})
const shop = each(() => givenChargeShop(app))

const card = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['testcard'] }

const order = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { ...card, ...change })).orderUUID

const factsOf = (orderUUID: string) =>
  rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', orderUUID).map(({ facts }) =>
    JSON.parse(String(facts)),
  )

const read = (orderUUID: string) => getOrder(app, shop, orderUUID)

/** Opens the payment page of an order, and returns the processor's ID of the charge. */
async function openCharge(orderUUID: string, method = 'testcard'): Promise<string> {
  const answer = await enter(app, orderUUID, method)
  expect([answer.status, answer.text]).toEqual([303, ''])
  const { id } = app.processor.lastCharge()
  expect(answer.headers.get('location')).toBe(`${app.processor.url}/pay/${id}`)
  return id
}

async function givenPaid(change: object = {}): Promise<string> {
  const orderUUID = await order(change)
  const charge = await openCharge(orderUUID)
  app.processor.pay(charge)
  expect(await app.processor.notify(charge)).toEqual({ status: 200, text: 'received' })
  return orderUUID
}

test('a page of the shop’s own account warns neither of another company nor of a fee', async () => {
  const page = (await app.call('GET', `/pay/${await order()}`)).text
  expect(page).toContain('Continue to')
  expect(page).not.toContain('ask for ID')
})

test('an order is paid by a charge, from the checkout to the webhook of the merchant', async () => {
  const unpaid = await givenOrder(app, shop, card)
  const { orderUUID } = unpaid
  expect(unpaid.receivingWallet).toBeUndefined()
  const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('Test Card')

  const charge = await openCharge(orderUUID)
  expect(app.processor.lastCharge()).toMatchObject({
    amount: 2500,
    currency: 'EUR',
    method: 'testcard',
    notifyUrl: `${app.url}/callback/fakecard`,
  })
  expect(attemptsOf(app, orderUUID)).toMatchObject([
    {
      kind: 'redirect',
      provider: 'fakecard',
      provider_ref: charge,
      asset_id: 'fiat/eur',
      decimals: 2,
      due_atomic: '2500',
      threshold_atomic: '2500',
      address: null,
      callback_secret: null,
    },
  ])

  const payment = app.processor.pay(charge)
  expect(await app.processor.notify(charge)).toEqual({ status: 200, text: 'received' })
  expect(await read(orderUUID)).toMatchObject({
    status: 'PAID',
    transactionRef: payment.id,
    providerTxIn: payment.id,
    providerPayoutAddress: `acct_${shop.id}`,
    receivedAmount: '25.00',
    receivedCurrency: 'EUR',
    feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
  })
  const { items } = await data(app, 'GET', '/v1/transactions', { key: shop.live })
  expect(items).toMatchObject([
    { orderUUID, receivingWallet: `acct_${shop.id}`, receivedAmount: '25.00', receivedCurrency: 'EUR' },
  ])

  await app.jobs.settle()
  const [delivery, ...more] = app.receiver.received
  expect(more).toEqual([])
  expect(orderPaidProblems(delivery!.json)).toEqual([])
  expect(delivery!.json).toMatchObject({ type: 'order.paid', orderUUID, transactionRef: payment.id })
  const { secret } = rowOf(app, 'SELECT secret FROM webhooks WHERE merchant_id = ?', shop.id)
  expect(isSigned(delivery!, String(secret))).toBe(true)
})

const currencies: [currency: string, amount: string, minor: number][] = [
  ['EUR', '0.01', 1],
  ['JPY', '2500', 2500],
  ['KWD', '12.345', 12345],
  ['USD', '1000000.00', 100_000_000],
]

test.each(currencies)(
  'a charge in %s of %s settles with the currency’s decimals',
  async (currency, amount, minor) => {
    const orderUUID = await givenPaid({ currency, amount })
    expect(app.processor.lastCharge()).toMatchObject({ currency, amount: minor })
    expect(await read(orderUUID)).toMatchObject({
      status: 'PAID',
      receivedAmount: amount,
      receivedCurrency: currency,
    })
    const { verdict, rule } = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', orderUUID)
    expect([verdict, rule]).toEqual([
      'exact',
      `final payments count for ${amount} ${currency} of ${amount} ${currency}`,
    ])
  },
)

test('a charge that paid one order cannot pay another', async () => {
  const [paid, other] = [await givenPaid(), await order()]
  await openCharge(other)
  const [id, otherId] = [paid, other].map(one => String(attemptsOf(app, one)[0]!.id))
  const [charge] = await app.context.storage.read(tables => tables.incomingPayments.listOf(id!))
  await recordPayments(app.context, otherId!, {
    ...{ source: charge!.source, askedAt: app.time.now, completeFrom: null },
    detectedPayments: [{ ...charge!, final: true }],
  })
  expect(unmatchedOf(app, other)).toEqual(['second_payment open'])
  expect(await read(other)).toMatchObject({ status: 'UNPAID' })
})

test('a charge of less than the amount settles nothing, whatever share other providers accept', async () => {
  const orderUUID = await order()
  const charge = await openCharge(orderUUID)
  app.processor.pay(charge, 2499)
  expect((await app.processor.notify(charge)).status).toBe(200)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  app.processor.pay(charge, 1)
  expect((await app.processor.notify(charge)).status).toBe(200)
  expect(await read(orderUUID)).toMatchObject({ status: 'PAID', receivedAmount: '25.00' })
})

test('a payment in another currency settles nothing', async () => {
  const orderUUID = await order()
  const charge = await openCharge(orderUUID)
  app.processor.pay(charge, 2500, 'JPY')
  expect((await app.processor.notify(charge)).status).toBe(200)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
  expect(incomingPaymentsOf(app, orderUUID)).toMatchObject([{ asset_id: 'fiat/jpy', amount_atomic: '2500' }])
})

describe('a callback', () => {
  let orderUUID: string
  let charge: string

  beforeEach(async () => {
    orderUUID = await order()
    charge = await openCharge(orderUUID)
    app.processor.pay(charge)
  })

  const forgeries: [sentence: string, change: () => object][] = [
    ['with the signature of another secret', () => ({ secret: 'guessed' })],
    ['without a signature', () => ({ headers: { 'X-Fake-Signature': '' } })],
    ['signed for another body', () => ({ headers: { 'X-Fake-Signature': 'a'.repeat(64) } })],
    ['about an unknown charge', () => ({ body: { charge: { id: 'ch_0', status: 'paid' } } })],
  ]

  test.each(forgeries)('%s is a 403 and changes nothing', async (_, change) => {
    const before = snapshotOf(app)
    expect((await app.processor.notify(charge, change())).status).toBe(403)
    expect(snapshotOf(app)).toEqual(before)
  })

  test('signed by another merchant for this order is a 403 and changes nothing', async () => {
    const other = app.processor.openAccount('acct_other')
    const before = snapshotOf(app)
    expect((await app.processor.notify(charge, { secret: other.webhookSecret })).status).toBe(403)
    expect(snapshotOf(app)).toEqual(before)
  })

  test('that is not JSON is a 403', async () => {
    const answer = await app.call('POST', '/callback/fakecard', { body: 'charge=1' })
    expect([answer.status, answer.json.error.code]).toEqual([403, 'forbidden'])
  })

  test('about no charge is acknowledged and ignored', async () => {
    const before = snapshotOf(app)
    const change = { body: { type: 'account.updated', charge: undefined } }
    expect(await app.processor.notify(charge, change)).toEqual({ status: 200, text: 'received' })
    expect(snapshotOf(app)).toEqual(before)
  })

  test('that arrives three times is acknowledged each time and counts once', async () => {
    for (let time = 0; time < 3; time++) {
      expect(await app.processor.notify(charge)).toEqual({ status: 200, text: 'received' })
    }
    expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
    expect(countOf(app, 'transactions', orderUUID)).toBe(1)
    expect([eventTypesOf(app, orderUUID), unmatchedOf(app, orderUUID)]).toEqual([['order.paid'], []])
  })

  test('is verified byte by byte, as it was sent', async () => {
    expect(await app.processor.notify(charge, { space: ' \t' })).toEqual({ status: 200, text: 'received' })
    expect((await read(orderUUID)).status).toBe('PAID')
  })

  test('that is lost is replaced by a status look-up within ten minutes', async () => {
    await app.advance(10 * MINUTE_MS)
    expect(await read(orderUUID)).toMatchObject({ status: 'PAID', receivedAmount: '25.00' })
    expect(await app.processor.notify(charge)).toEqual({ status: 200, text: 'received' })
    expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
    expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  })

  test('that declines the payment fails the order of this one method', async () => {
    app.processor.decline(charge)
    expect((await app.processor.notify(charge)).status).toBe(200)
    expect((await read(orderUUID)).status).toBe('FAILED')
  })
})

describe('the callback URL', () => {
  const post = (path: string, body: Uint8Array<ArrayBuffer>) =>
    send(app, new Request(`${OWN_URL}${path}`, { method: 'POST', body }))

  test.each([
    ['POST', '/callback/nobody'],
    ['POST', '/callback/gateway'],
    ['POST', '/callback/__proto__'],
    ['GET', '/callback/fakecard'],
    ['GET', '/callback/nobody'],
    ['HEAD', '/callback/fakecard'],
  ])('%s %s is a 404', async (method, path) => {
    const answer = await app.call(method, path, method === 'POST' ? { body: '{}' } : {})
    expect(answer.status).toBe(404)
  })

  test.each([
    [64 * 1024, 403],
    [64 * 1024 + 1, 413],
    [5 * 1024 * 1024, 413],
  ])('with a body of %i bytes is a %i', async (size, status) => {
    expect((await post('/callback/fakecard', new Uint8Array(size).fill(0x20))).status).toBe(status)
  })

  test('with a body that never says its length is a 413 as soon as it is too large', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 1024
        controller.enqueue(new Uint8Array(1024))
      },
    })
    const request = new Request(`${OWN_URL}/callback/fakecard`, { method: 'POST', body })
    expect((await send(app, request)).status).toBe(413)
    expect(sent).toBeLessThan(1024 * 1024)
  })

  test('of an unknown provider reads no body', async () => {
    expect((await post('/callback/nobody', new Uint8Array(5 * 1024 * 1024))).status).toBe(404)
  })
})

describe('the offer of methods', () => {
  const keysOf = async (merchant: Shop): Promise<string[]> =>
    (await data(app, 'GET', '/v1/payment-methods', { key: merchant.live })).paymentMethodsKeys

  test('has the methods of the merchant’s account', async () => {
    const stranger = await givenMerchant(app)
    expect(await keysOf(shop)).toEqual(['testcard', 'testbank', 'crypto'])
    expect(await keysOf(stranger)).toEqual(['crypto'])
  })

  test('needs an account: without one, an order for the method is a 422', async () => {
    const stranger = await givenMerchant(app)
    const { orderUUID } = await givenOrder(app, stranger, card)
    const expected = { status: 422, code: 'method_not_offered' }
    await refused(app, expected, 'GET', `/payment/process/${orderUUID}?method=testcard`)
  })

  test.each([
    ['testbank', '5.00', 'EUR', 303],
    ['testbank', '4.99', 'EUR', 422],
    ['testbank', '25.00', 'USD', 422],
    ['testcard', '25.00', 'USD', 303],
  ])('%s for %s %s is a %i: its currencies and its minimum', async (method, amount, currency, status) => {
    const orderUUID = await order({ amount, currency, paymentMethodsKeys: ['testcard', 'testbank'] })
    expect((await enter(app, orderUUID, method)).status).toBe(status)
  })

  const wallets: [keys: string[], status: number][] = [
    [['testcard'], 201],
    [['testcard', 'testbank'], 201],
    [['*'], 201],
    [['unknown'], 422],
    [['testcard', 'unknown'], 422],
  ]

  test.each(wallets)(
    'in an order for %j without an EVM wallet is a %i',
    async (paymentMethodsKeys, status) => {
      const body = { ...card, paymentMethodsKeys, customer: { email: 'a@shop.example', fullName: 'A' } }
      const answer = await app.call('POST', '/v1/orders', { key: shop.live, body })
      expect(answer.status).toBe(status)
      if (status === 422) expect(answer.json.error.code).toBe('payout_wallet_required')
    },
  )

  test('is unavailable while the processor is down, and then opens the same charge', async () => {
    await ownApp()
    const orderUUID = await order()
    app.processor.wire.isDown = true
    const answer = await enter(app, orderUUID, 'testcard')
    expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable'])
    app.processor.wire.isDown = false
    const charge = await openCharge(orderUUID)
    expect(await openCharge(orderUUID)).toBe(charge)
    expect(attemptsOf(app, orderUUID)).toHaveLength(1)
  })

  test('is unavailable if the processor answers with the charge of another order', async () => {
    await ownApp()
    const [first, second] = [await order(), await order()]
    const charge = await openCharge(first)
    app.processor.wire.repeatsItself = true
    expect((await enter(app, second, 'testcard')).status).toBe(502)
    app.processor.pay(charge)
    expect((await app.processor.notify(charge)).status).toBe(200)
    expect([(await read(first)).status, (await read(second)).status]).toEqual(['PAID', 'UNPAID'])
  })
})

const wrongAccounts: [sentence: string, change: object][] = [
  ['credentials that the adapter cannot use', { credentials: {} }],
  ['no credentials', { credentials: null }],
  ['a provider that takes no charges', { providerId: 'nobody' }],
  ['an unknown merchant', { merchantId: 'nobody' }],
]

test.each(wrongAccounts)('an account with %s is refused and not stored', async (_, change) => {
  const credentials = app.processor.openAccount('another')
  const account = { merchantId: shop.id, providerId: 'fakecard', credentials, ...change }
  const before = snapshotOf(app)
  await expect(setProviderAccount(app.context, account)).rejects.toThrow()
  expect(snapshotOf(app)).toEqual(before)
})

describe('a refund', () => {
  const sent = () => app.processor.refunds.map(({ payment, amount }) => [payment, amount])
  const jobs = () => rowsOf(app, "SELECT subject FROM jobs WHERE kind = 'refund.send'")
  const execute = (
    orderId: string,
    amount: string | null,
    idempotencyKey = freshKey(),
    reason = 'returned',
  ) => {
    const body = { reason, ...(amount !== null && { amount }) }
    const request = { merchantId: shop.id, orderId, idempotencyKey, by: 'Ann', body }
    return executeRefund(app.context, request)
  }

  test('that is recorded moves no money', async () => {
    const orderUUID = await givenPaid()
    await refundOf(app, shop, orderUUID, { amount: '10.00' })
    await app.jobs.settle()
    expect([sent(), jobs()]).toEqual([[], []])
  })

  test('that is executed is paid back by the provider, once, and recorded', async () => {
    const orderUUID = await givenPaid()
    const { transactionRef } = await read(orderUUID)
    const key = freshKey()
    const first = await execute(orderUUID, '10.00', key)
    expect(first).toMatchObject({ status: 'succeeded', amount: '10.00', refundId: first.id })
    expect(await execute(orderUUID, '10.00', key)).toEqual(first)
    expect(sent()).toEqual([[transactionRef, 1000]])
    await expect(execute(orderUUID, '9.00', key)).rejects.toThrow('Idempotency-Key')
    await expect(execute(orderUUID, '10.00', key, 'broken')).rejects.toThrow('Idempotency-Key')
    await expect(execute(orderUUID, '15.01')).rejects.toThrow('15.00')
    await execute(orderUUID, null)
    await app.jobs.settle()
    expect(sent()).toEqual([
      [transactionRef, 1000],
      [transactionRef, 1500],
    ])
    expect(await read(orderUUID)).toMatchObject({ refundStatus: 'FULL', refundedAmount: '25.00' })
    await expect(execute(orderUUID, null)).rejects.toThrow('in full')
    // The processor ignores a repeated request, so only the list of jobs can show one.
    expect(jobs()).toEqual([])
    const body = { amount: '10.00', reason: 'returned' }
    const headers = { 'idempotency-key': key }
    const again = await data(app, 'POST', `/v1/orders/${orderUUID}/refunds`, {
      key: shop.live,
      body,
      headers,
    })
    expect(again).toMatchObject({ refund: { refundId: first.id } })
  })

  test('that is executed after one was recorded pays back at most the rest', async () => {
    const orderUUID = await givenPaid()
    await refundOf(app, shop, orderUUID, { amount: '10.00' })
    await expect(execute(orderUUID, '15.01')).rejects.toThrow('15.00')
  })

  test('is not recorded before the processor has answered, and is made when it works again', async () => {
    await ownApp()
    const orderUUID = await givenPaid()
    app.processor.wire.isDown = true
    const asked = await execute(orderUUID, null)
    expect(asked).toMatchObject({ status: 'asked', refundId: null })
    expect((await read(orderUUID)).refundStatus).toBeUndefined()
    await expect(execute(orderUUID, '1.00')).rejects.toThrow('in full')
    app.processor.wire.isDown = false
    await app.advance(10 * MINUTE_MS)
    expect(app.processor.refunds).toMatchObject([{ amount: 2500 }])
    await app.advance(60 * MINUTE_MS)
    expect(app.processor.refunds).toHaveLength(1)
    expect(await read(orderUUID)).toMatchObject({ refundStatus: 'FULL' })
  })

  test('that the processor refuses is not tried again, and the merchant is notified', async () => {
    await ownApp()
    const orderUUID = await givenPaid()
    app.processor.wire.refusesRefunds = true
    expect(await execute(orderUUID, null)).toMatchObject({ status: 'failed' })
    expect(factsOf(orderUUID)).toMatchObject([{ about: 'refund_refused', amount: '25.00 EUR' }])
    app.processor.wire.refusesRefunds = false
    await app.advance(60 * MINUTE_MS)
    expect(sent()).toEqual([])
    expect(await execute(orderUUID, null)).toMatchObject({ status: 'succeeded' })
  })

  test('with a provider that is not configured is given up after an hour, with a notification', async () => {
    await ownApp()
    const orderUUID = await givenPaid()
    app.processor.wire.isDown = true
    const { id } = await execute(orderUUID, null)
    const context = { ...app.context, providers: { ...app.context.providers, find: () => undefined } }
    expect(await sendRefund(context, id)).toBe(app.time.now + 10 * MINUTE_MS)
    app.time.now += 60 * MINUTE_MS
    expect(await sendRefund(context, id)).toBeNull()
    expect(factsOf(orderUUID)).toMatchObject([{ about: 'refund_unsent', amount: '25.00 EUR' }])
    app.processor.wire.isDown = false
    await app.jobs.settle()
  })
})
