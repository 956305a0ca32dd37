import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createKey } from '../../src/operations/keys/manage.ts'
import { START, startApp } from '../support/app.ts'
import { givenShop } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { refundProblems } from './expected-settled-shapes.ts'
import { orderProblems } from './expected-shapes.ts'
import { freshKey, givenPaid, partsOf, refundOf, refundPath, tryRefund, withKey } from './refunding.ts'
import { ask, data } from './request.ts'
import { changeRows, countOf, rowOf, rowsOf, snapshotOf, sumsOfDay } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app, '2.5'))
once(() => app.jobs.settle())

const DAY_MS = 24 * 3600_000
const timestamp = (at: number): string => new Date(at).toISOString()
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

test('a partial refund changes order, transaction and record', async () => {
  const metadata = { cart: [1, { a: null }] }
  const made = await givenPaid(app, shop, { externalId: 'cart-7', metadata, paymentMethodsKeys: ['*'] })
  const before = await data(app, 'GET', `/v1/orders/${made.orderUUID}`, { key: shop.live })
  app.time.now += 60_000
  const at = timestamp(app.time.now)
  const { order, transaction, refund } = await refundOf(app, shop, made.orderUUID, {
    amount: '5',
    reason: 'one cup was broken',
  })
  const refunded = {
    refundStatus: 'PARTIAL',
    refundedAmount: '5.00',
    refundCount: '1',
    lastRefundedAt: at,
  }
  expect(order).toEqual({ ...before, ...refunded, updatedAt: at })
  expect(order.status).toBe('PAID')
  expect(transaction).toMatchObject({ ...refunded, status: 'PARTIALLY_REFUNDED', updatedAt: at, metadata })
  expect(transaction).not.toHaveProperty('refundedAt')
  expect(refund).toEqual({
    merchantId: shop.id,
    refundId: expect.any(String),
    orderUUID: made.orderUUID,
    transactionId: before.paidTransactionUUID,
    amount: '5.00',
    amountMinor: '500',
    currency: 'USD',
    paymentMethodKey: 'crypto',
    reason: 'one cup was broken',
    status: 'RECORDED',
    createdBy: `key:${shop.liveKeyId}`,
    createdAt: at,
    updatedAt: at,
  })
  const { order: read } = {
    order: await data(app, 'GET', `/v1/orders/${made.orderUUID}`, { key: shop.live }),
  }
  expect(read).toEqual(order)
  app.time.now = START
})

test('a refund without an amount is for the whole remaining balance', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  await refundOf(app, shop, orderUUID, { amount: '0.01' })
  app.time.now += 1000
  const at = timestamp(app.time.now)
  const { order, transaction, refund } = await refundOf(app, shop, orderUUID)
  const end = {
    refundStatus: 'FULL',
    refundedAmount: '25.00',
    refundCount: '2',
    lastRefundedAt: at,
    refundedAt: at,
  }
  expect(refund).toMatchObject({ amount: '24.99', amountMinor: '2499' })
  expect(order).toMatchObject({ ...end, status: 'PAID' })
  expect(transaction).toMatchObject({ ...end, status: 'REFUNDED' })
  app.time.now = START
})

const spellings: [currency: string, total: string, asked: string, amount: string, minor: string][] = [
  ['USD', '25.00', '25', '25.00', '2500'],
  ['USD', '25.00', '0025.0', '25.00', '2500'],
  ['USD', '25.00', '0.01', '0.01', '1'],
  ['JPY', '1500', '1499', '1499', '1499'],
  ['EUR', '10.50', '10.5', '10.50', '1050'],
]

test.each(spellings)(
  'a refund in %s of %s: %s is normalised to %s',
  async (currency, total, asked, amount, minor) => {
    const { orderUUID } = await givenPaid(app, shop, { currency, amount: total })
    const { refund, order } = await refundOf(app, shop, orderUUID, { amount: asked })
    expect(refund).toMatchObject({ amount, amountMinor: minor, currency })
    expect(order.refundStatus).toBe(amount === total ? 'FULL' : 'PARTIAL')
  },
)

const reasons = ['abc', '😀😀😀', 'x'.repeat(500), '😀'.repeat(500), '  padded  ', '<b>"\'&\n\t']

test.each(reasons)('a reason is stored unchanged (3 to 500 characters)', async reason => {
  const { orderUUID } = await givenPaid(app, shop)
  expect((await refundOf(app, shop, orderUUID, { reason })).refund.reason).toBe(reason)
})

test.each(['a'.repeat(8), 'A.b_c:1-2', 'z'.repeat(128)])('%s is a valid Idempotency-Key', async key => {
  const { orderUUID } = await givenPaid(app, shop)
  expect((await tryRefund(app, shop, orderUUID, {}, key)).status).toBe(201)
})

test('a refund has the payment method of its payment', async () => {
  const { orderUUID } = await givenPaid(app, shop, { paymentMethodsKeys: ['stripe', 'crypto'] })
  expect((await refundOf(app, shop, orderUUID)).refund.paymentMethodKey).toBe('crypto')
})

test('any key of the merchant with the scope orders:manage can record a refund, even a test key', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const made = await createKey(app.context, { merchantId: shop.id, mode: 'test', scopes: ['orders:manage'] })
  const { refund } = await refundOf(app, { ...shop, live: made.text }, orderUUID, { amount: '1' })
  expect(refund.createdBy).toBe(`key:${made.key.id}`)
})

test('a replay returns the first refund with 200, and the current order and transaction', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const first = await tryRefund(app, shop, orderUUID, { amount: '1.00' }, key)
  const before = snapshotOf(app)
  const same = await tryRefund(app, shop, orderUUID, { amount: '1.00' }, key)
  expect([first.status, same.status, same.json.data]).toEqual([201, 200, first.json.data])
  expect(snapshotOf(app)).toEqual(before)
  app.time.now += 5000
  await refundOf(app, shop, orderUUID)
  const later = partsOf(await tryRefund(app, shop, orderUUID, { amount: '1.00' }, key))
  expect(later.refund).toEqual(first.json.data.refund)
  expect(later.order).toMatchObject({ refundedAmount: '25.00', refundStatus: 'FULL', refundCount: '2' })
  app.time.now = START
})

test('a full refund can be replayed when nothing remains', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const answers = [
    await tryRefund(app, shop, orderUUID, {}, key),
    await tryRefund(app, shop, orderUUID, {}, key),
    await ask(app, 'POST', refundPath(orderUUID), withKey(shop, key, '{ "reason" :\n"returned" }')),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
  expect(new Set(answers.map(({ json }) => json.data.refund.refundId)).size).toBe(1)
})

test('another API key of the merchant can replay a refund; createdBy stays the same', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const first = await refundOf(app, shop, orderUUID, {}, key)
  const made = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
  const again = await tryRefund(app, { live: made.text }, orderUUID, {}, key)
  expect([again.status, again.json.data.refund]).toEqual([200, first.refund])
})

test('refundId is a hash of merchant and key: stable, and different for each refund', async () => {
  const elsewhere = await startApp()
  const there = await givenShop(elsewhere)
  const key = freshKey()
  const [here, other] = [await givenPaid(app, shop), await givenPaid(elsewhere, there)]
  const one = (await refundOf(app, shop, here.orderUUID, { amount: '1' }, key)).refund
  const foreign = (await refundOf(elsewhere, there, other.orderUUID, { amount: '1' }, key)).refund
  const upper = (await refundOf(app, shop, here.orderUUID, { amount: '1' }, key.toUpperCase())).refund
  expect(new Set([one.refundId, foreign.refundId, upper.refundId]).size).toBe(3)
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(['florin refund', shop.id, key]))
  expect(one.refundId).toBe(digest.digest('hex'))
  expect(elsewhere.audit()).toEqual([])
  await elsewhere.close()
})

test('two merchants can use the same Idempotency-Key, each for its own refund', async () => {
  const other = await givenShop(app)
  const key = freshKey()
  const [mine, theirs] = [await givenPaid(app, shop), await givenPaid(app, other)]
  const one = await refundOf(app, shop, mine.orderUUID, {}, key)
  const two = await refundOf(app, other, theirs.orderUUID, {}, key)
  expect([one.refund.merchantId, two.refund.merchantId]).toEqual([shop.id, other.id])
})

test('gross stays, net decreases, and the refund counts on its own day', async () => {
  const merchant = await givenShop(app, '2.5')
  const { orderUUID } = await givenPaid(app, merchant, { amount: '100.00' })
  app.time.now += DAY_MS
  await refundOf(app, merchant, orderUUID, { amount: '30' })
  await refundOf(app, merchant, orderUUID)
  const none = { pending: '0', cancelled: '0', forced: '0' }
  expect(sumsOfDay(app, merchant.id, '2026-03-01')).toMatchObject({
    ...{ ...none, gross: '10000', net: '9750', paid_count: 1, refunded: '0', refunded_count: 0 },
  })
  expect(sumsOfDay(app, merchant.id, '2026-03-02')).toMatchObject({
    ...{ ...none, gross: '0', net: '-10000', paid_count: 0, refunded: '10000', refunded_count: 2 },
  })
  app.time.now = START
})

test('the merchant is notified of a refund, and no event or request is sent', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const events = countOf(app, 'events', orderUUID)
  await refundOf(app, shop, orderUUID, { amount: '7.5' })
  const notified = rowOf(
    app,
    "SELECT merchant_id, facts FROM notifications WHERE order_id = ? AND kind = 'refund_recorded'",
    orderUUID,
  )
  expect([notified.merchant_id, said(notified)]).toEqual([shop.id, 'Refund recorded: 7.50 USD.'])
  expect(countOf(app, 'events', orderUUID)).toBe(events)
})

test('refunds are append-only, even with direct access to the database', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  await refundOf(app, shop, orderUUID, { amount: '1' })
  expect(() => changeRows(app, "UPDATE refunds SET amount = '2.00' WHERE order_id = ?", orderUUID)).toThrow()
  expect(() => changeRows(app, 'DELETE FROM refunds WHERE order_id = ?', orderUUID)).toThrow()
})

test('a list of refunds is newest first and has pages', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  await refundOf(app, shop, (await givenPaid(app, shop)).orderUUID)
  const made: object[] = []
  for (let i = 0; i < 25; i++) {
    if (i % 3 > 0) app.time.now += 1000
    made.push((await refundOf(app, shop, orderUUID, { amount: '0.5' })).refund)
  }
  const list = (query = '') => data(app, 'GET', `${refundPath(orderUUID)}${query}`, { key: shop.test })
  const [page, all] = [await list(), await list('?pageSize=100')]
  const { items: rest, ...end } = await list(`?pageToken=${page.nextPageToken}`)
  expect([page.items.length, [...page.items, ...rest], end, 'nextPageToken' in all]).toEqual([
    20,
    all.items,
    {},
    false,
  ])
  expect(all.items.flatMap(refundProblems)).toEqual([])
  const times = all.items.map(({ createdAt }: { createdAt: string }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  const id = (refund: object) => (refund as { refundId: string }).refundId
  expect(all.items.map(id).sort()).toEqual(made.map(id).sort())
  app.time.now = START
})

test('20 requests at once with one Idempotency-Key record one refund', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const answers = await times(20, () => tryRefund(app, shop, orderUUID, { amount: '1.00' }, key))
  expect(statusesOf(answers)).toEqual([...Array(19).fill(200), 201])
  expect(new Set(answers.map(({ json }) => JSON.stringify(json.data.refund))).size).toBe(1)
  expect(countOf(app, 'refunds', orderUUID)).toBe(1)
})

test('of 20 different refunds at once with one Idempotency-Key, one is recorded', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const answers = await times(20, i => tryRefund(app, shop, orderUUID, { amount: `${i + 1}` }, key))
  expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(409)])
  expect(countOf(app, 'refunds', orderUUID)).toBe(1)
})

test('of 20 refunds of 20 orders at once with one Idempotency-Key, one is recorded', async () => {
  const orders = await times(20, () => givenPaid(app, shop))
  const key = freshKey()
  const answers = await Promise.all(orders.map(({ orderUUID }) => tryRefund(app, shop, orderUUID, {}, key)))
  expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(409)])
})

test('20 different refunds at once never exceed the balance', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const answers = await times(20, () => tryRefund(app, shop, orderUUID, { amount: '2.40' }))
  expect(statusesOf(answers)).toEqual([...Array(10).fill(201), ...Array(10).fill(422)])
  const order = await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  expect(order).toMatchObject({ refundedAmount: '24.00', refundCount: '10', refundStatus: 'PARTIAL' })
})

test('of 20 refunds of the whole balance at once, one is recorded', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const answers = await times(20, () => tryRefund(app, shop, orderUUID, {}))
  expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(409)])
  expect(rowsOf(app, 'SELECT amount FROM refunds WHERE order_id = ?', orderUUID)).toEqual([
    { amount: '25.00' },
  ])
})

/** One currency for each number of decimals, with the amount paid in minor units. */
const currencies: [currency: string, decimals: number][] = [
  ['JPY', 0],
  ['USD', 2],
  ['KWD', 3],
]

test.each(currencies)('refunds in %s, in any order and size, add up exactly', async (currency, decimals) => {
  const decimal = (minor: number) => (minor / 10 ** decimals).toFixed(decimals)
  const parts = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 5000, max: 9000 }), async (minors, total) => {
      const { orderUUID } = await givenPaid(app, shop, { currency, amount: decimal(total) })
      let left = total
      for (const minor of minors) {
        const answer = await tryRefund(app, shop, orderUUID, { amount: decimal(minor) })
        expect(answer.status).toBe(minor <= left ? 201 : 422)
        if (answer.status === 422) continue
        left -= minor
        const { order, transaction } = partsOf(answer)
        expect([order.refundedAmount, transaction.refundedAmount]).toEqual(
          Array(2).fill(decimal(total - left)),
        )
      }
      const last = await tryRefund(app, shop, orderUUID, {})
      expect([last.status, last.json.data?.refund.amount]).toEqual(
        left > 0 ? [201, decimal(left)] : [409, undefined],
      )
      const order = await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })
      expect([orderProblems(order), order.refundStatus, order.refundedAmount]).toEqual([
        [],
        'FULL',
        order.amount,
      ])
    }),
    { numRuns: 10 },
  )
})
