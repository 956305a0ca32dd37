import { expect, test } from 'bun:test'
import type { AttemptAtProvider } from '../../src/domain/attempt.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { findReversals } from '../../src/operations/refunds/find-reversals.ts'
import { recordReversals } from '../../src/operations/refunds/record-reversals.ts'
import { type ChargeRefund, ProviderError } from '../../src/providers/port.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, getOrder, MINUTE_MS, notificationsOf } from './payments.ts'
import { freshKey, tryRefund } from './refunding.ts'
import { rowsOf } from './rows.ts'
import {
  altered,
  givenStripeShop,
  openSession,
  payOnPage,
  type StripeApp,
  startStripeApp,
} from './stripes.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

const { app, each, ownApp } = suite<StripeApp>({ start: startStripeApp })
const shop = each(() => givenStripeShop(app))
each(() => {
  app.wire.faults.length = 0
  app.wire.hasLostWebhooks = false
})

async function givenSession(): Promise<{ orderUUID: string; session: string }> {
  const body = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['stripe'] }
  const { orderUUID } = await givenOrder(app, shop, body)
  return { orderUUID, session: await openSession(app, orderUUID) }
}

async function givenPaid(): Promise<{ orderUUID: string; payment: string }> {
  const { orderUUID, session } = await givenSession()
  await payOnPage(app, session)
  const { transactionRef } = await getOrder(app, shop, orderUUID)
  return { orderUUID, payment: String(transactionRef) }
}

const refund = (id: string, payment: string, amount: number, change: object = {}) => ({
  ...{ id, object: 'refund', payment_intent: payment, amount, currency: 'eur', status: 'succeeded' },
  ...{ metadata: {}, created: Math.floor(app.time.now / 1000), ...change },
})

/** Lets the daily search find these refunds. */
async function search(...data: object[]): Promise<void> {
  app.wire.faults.push(['GET refunds', altered(() => ({ data, has_more: false }))])
  await app.advance(DAY_MS)
}

const reversalsOf = (orderUUID: string) =>
  rowsOf(app, 'SELECT status, amount FROM reversals WHERE order_id = ? ORDER BY amount', orderUUID)

test('a refund that a provider lists twice is recorded and reported once', async () => {
  await ownApp()
  const { orderUUID, payment } = await givenPaid()
  const made = refund('re_twice', payment, 500)
  for (let day = 0; day < 3; day++) await search({ ...made, status: 'pending' }, made, made)
  expect(reversalsOf(orderUUID)).toEqual([{ status: 'succeeded', amount: '5.00' }])
  expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
})

test('refunds of two payments with one ID are each recorded and reported once', async () => {
  await ownApp()
  const [one, other] = [await givenPaid(), await givenPaid()]
  const rows = [refund('re_shared', one.payment, 500), refund('re_shared', other.payment, 600)]
  for (let day = 0; day < 3; day++) await search(...rows)
  for (const [{ orderUUID }, amount] of [
    [one, '5.00'],
    [other, '6.00'],
  ] as const) {
    expect(reversalsOf(orderUUID)).toEqual([{ status: 'succeeded', amount }])
    expect(notificationsOf(app, orderUUID)).toEqual(['payment_reversed'])
  }
})

test('a refund that names a refund of Florin, but has another ID, is recorded beside it', async () => {
  await ownApp()
  const { orderUUID, payment } = await givenPaid()
  const sent = await executeRefund(app.context, {
    ...{ merchantId: shop.id, orderId: orderUUID, idempotencyKey: freshKey(), by: 'Ann' },
    body: { amount: '5.00', reason: 'returned' },
  })
  const metadata = { florin_refund: sent.id }
  const [first, second] = [
    refund(String(sent.reference), payment, 500, { metadata }),
    refund('re_second', payment, 600, { metadata }),
  ]
  for (let day = 0; day < 3; day++) await search(second, first)
  expect(reversalsOf(orderUUID).map(({ amount }) => amount)).toEqual(['5.00', '6.00'])
  expect(notificationsOf(app, orderUUID)).toEqual(['refund_recorded', 'payment_reversed'])
})

test('a refund that has succeeded stays so when its provider refuses to make it again', async () => {
  const { orderUUID } = await givenPaid()
  const attempt = await app.context.storage.read(tables => tables.attempts.listOf(orderUUID))
  const stripe = app.context.providers.find('stripe')!
  const provider = {
    ...stripe,
    charge: {
      ...stripe.charge!,
      // A webhook reports the refund that another server made at the same time.
      async refund({ refundId, amount, currency }: ChargeRefund): Promise<never> {
        const made = { reference: 're_first', kind: 'refund', status: 'succeeded' } as const
        await recordReversals(app.context, attempt[0] as AttemptAtProvider, [
          { ...made, refundId, amount, currency },
        ])
        throw new ProviderError('refused', 'The payment was refunded.')
      },
    },
  }
  const context = { ...app.context, providers: { ...app.context.providers, find: () => provider } }
  const sent = await executeRefund(context, {
    ...{ merchantId: shop.id, orderId: orderUUID, idempotencyKey: freshKey(), by: 'Ann' },
    body: { amount: '5.00', reason: 'returned' },
  })
  expect(sent.status).toBe('succeeded')
  expect(notificationsOf(app, orderUUID)).not.toContain('refund_failed')
})

test('a refund that is sent twice at once is made once', async () => {
  await ownApp()
  const { orderUUID } = await givenPaid()
  const request = {
    ...{ merchantId: shop.id, orderId: orderUUID, idempotencyKey: freshKey(), by: 'Ann' },
    body: { amount: '5.00', reason: 'returned' },
  }
  await Promise.all([1, 2].map(() => executeRefund(app.context, request)))
  await app.advance(DAY_MS)
  expect(reversalsOf(orderUUID)).toEqual([{ status: 'succeeded', amount: '5.00' }])
})

test('one record is the record of one refund: the shop is notified of another of the same amount', async () => {
  await ownApp()
  const { orderUUID, payment } = await givenPaid()
  expect((await tryRefund(app, shop, orderUUID, { amount: '5.00' })).status).toBe(201)
  await search(refund('re_first', payment, 500))
  expect(notificationsOf(app, orderUUID)).toEqual(['refund_recorded'])
  await search(refund('re_first', payment, 500), refund('re_second', payment, 500))
  expect(notificationsOf(app, orderUUID)).toEqual(['refund_recorded', 'payment_reversed'])
})

test('a refund that failed at its provider is no record’s refund: the one that is made later is', async () => {
  await ownApp()
  const { orderUUID, payment } = await givenPaid()
  await search(refund('re_failed', payment, 500, { status: 'failed' }))
  await tryRefund(app, shop, orderUUID, { amount: '5.00' })
  await search(refund('re_made', payment, 500))
  expect(
    reversalsOf(orderUUID)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(['failed', 'succeeded'])
  expect(notificationsOf(app, orderUUID)).not.toContain('payment_reversed')
})

test('a payment whose look-up fails by a bug does not stop the look-ups of others', async () => {
  app.wire.hasLostWebhooks = true
  const [broken, fine] = [await givenSession(), await givenSession()]
  await payOnPage(app, fine.session)
  const stripe = app.context.providers.find('stripe')!
  const provider: typeof stripe = {
    ...stripe,
    lookup: attempt => {
      if (attempt.reference === broken.session) throw new TypeError('a bug')
      return stripe.lookup(attempt)
    },
  }
  const context = { ...app.context, providers: { ...app.context.providers, find: () => provider } }
  const ids = [broken, fine].map(({ orderUUID }) => String(attemptsOf(app, orderUUID)[0]!.id))
  await checkAttempts(context, ids)
  expect((await getOrder(app, shop, fine.orderUUID)).status).toBe('PAID')
})

test('an account whose list fails by a bug does not stop the search in others', async () => {
  await ownApp()
  const { orderUUID, payment } = await givenPaid()
  await givenStripeShop(app)
  const stripe = app.context.providers.find('stripe')!
  const made = { reference: 're_one', paymentId: payment, kind: 'refund', status: 'succeeded' } as const
  let asked = 0
  const provider = {
    ...stripe,
    charge: {
      ...stripe.charge!,
      async listReversals() {
        asked += 1
        if (asked === 1) throw new TypeError('a bug')
        return [{ ...made, amount: '5.00', currency: 'EUR', refundId: null }]
      },
    },
  }
  const context = { ...app.context, providers: { ...app.context.providers, find: () => provider } }
  for (let look = 0; look < 2; look++) await findReversals(context, 'stripe')
  expect([asked, reversalsOf(orderUUID).length]).toEqual([4, 1])
})
