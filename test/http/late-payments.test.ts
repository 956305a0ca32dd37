import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { recordPayments } from '../../src/operations/settlement/record.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { check, givenOrder, simulate, statusOf as status } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  incomingPaymentsOf,
  instant,
  LOCK_MS,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  outage,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { ask, data } from './request.ts'
import { type Row, rowOf, rowsOf } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenCoinShop(app))
each(() => priceIs('3000'))

// The sandbox price of ETH is 3,000 USD, so that an order of 300 USD asks for 0.1 ETH.
const DUE = 10n ** 17n

async function opened(change: object = {}): Promise<{ orderUUID: string; attempt: Row }> {
  const { orderUUID } = await givenOrder(app, shop, { amount: '300.00', ...change })
  const attempt = await openOnly(app, orderUUID, 'ethereum/eth')
  expect(attempt.due_atomic).toBe(DUE.toString())
  return { orderUUID, attempt }
}

/** Sets the price of ETH in US dollars. Florin uses it a minute later. */
async function priceIs(rate: string) {
  await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'ethereum/eth', currency: 'USD', rate } })
  await app.advance(2 * MINUTE_MS)
}

/** Pays, and makes the page check. Returns the status of the order. */
async function pay({ orderUUID, attempt }: { orderUUID: string; attempt: Row }, atomic: bigint) {
  await sendCoins(app, attempt, atomic)
  app.time.now += 10_000
  await check(app, orderUUID)
  return statusOf(orderUUID)
}

const statusOf = async (orderUUID: string) => (await getOrder(app, shop, orderUUID)).status
const verdictOf = (orderUUID: string) =>
  rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID).verdict
const valuesOf = (orderUUID: string) =>
  rowsOf(
    app,
    `SELECT reason, status, value, shortfall FROM unmatched_payments WHERE order_id = ?
     ORDER BY created_at, id`,
    orderUUID,
  )
const textsOf = (orderUUID: string) =>
  rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ? ORDER BY created_at, id', orderUUID).map(
    said,
  )

describe('a price that falls after the lock', () => {
  test.each<[sentence: string, expiresAfterMs: number, status: string]>([
    ['UNPAID', 30 * DAY_MS, 'UNPAID'],
    ['EXPIRED', DAY_MS, 'EXPIRED'],
  ])(
    'the amount of an old quote does not complete an order that is %s',
    async (_, expiresAfterMs, status) => {
      const payment = await opened({ expiresAt: instant(app.time.now + expiresAfterMs) })
      await app.advance(2 * HOUR_MS)
      await app.advance(6 * DAY_MS)
      await priceIs('2250')
      expect(await pay(payment, DUE)).toBe(status)
      expect(valuesOf(payment.orderUUID)).toEqual([
        { reason: 'late', status: 'open', value: '225.00', shortfall: '75.00' },
      ])
      expect(notificationsOf(app, payment.orderUUID)).toEqual(['unmatched_payment'])
      for (const part of ['0.1 ETH on Ethereum', 'worth 225.00 USD', '75.00 of 300.00 USD is missing']) {
        expect(textsOf(payment.orderUUID)[0]).toContain(part)
      }
      expect(eventTypesOf(app, payment.orderUUID)).toEqual([])
    },
  )

  test('a payment that covers the order at the price of its block settles, and is reported as late', async () => {
    const payment = await opened()
    await app.advance(3 * HOUR_MS)
    await priceIs('2250')
    expect(await pay(payment, (DUE * 4n) / 3n + 1n)).toBe('PAID')
    expect(verdictOf(payment.orderUUID)).toBe('late')
    // The buyer sends more coins than were due at first, but of the same value: that is not too much.
    expect(notificationsOf(app, payment.orderUUID)).toEqual(['payment_late'])
    expect(textsOf(payment.orderUUID)[0]).toContain('worth 300.00 USD')
  })

  test('payments that are late add up, each at its own price, until they cover the order', async () => {
    const payment = await opened()
    expect(await pay(payment, DUE / 2n)).toBe('UNPAID')
    await app.advance(3 * HOUR_MS)
    expect(valuesOf(payment.orderUUID)).toEqual([
      { reason: 'underpaid', status: 'open', value: '150.00', shortfall: '150.00' },
    ])
    await priceIs('1500')
    expect(await pay(payment, DUE / 2n)).toBe('UNPAID')
    expect(valuesOf(payment.orderUUID)).toEqual([
      { reason: 'underpaid', status: 'open', value: '150.00', shortfall: '75.00' },
      { reason: 'late', status: 'open', value: '75.00', shortfall: '75.00' },
    ])
    await priceIs('3000')
    expect(await pay(payment, DUE / 4n)).toBe('PAID')
    expect(unmatchedOf(app, payment.orderUUID)).toEqual(['underpaid resolved', 'late resolved'])
    expect(verdictOf(payment.orderUUID)).toBe('late')
  })
})

describe('a part of a payment still counts when the rates of its day are deleted, after eight days,', () => {
  /** Pays the rest of an order that has 150.00 of 300.00 USD, with a new payment on a later day. */
  async function payRest(orderUUID: string, days: number) {
    await app.advance(days * DAY_MS)
    expect(await status(app, orderUUID)).toMatchObject({ credited: '150.00', left: { amount: '150.00' } })
    const attempt = await openOnly(app, orderUUID, 'ethereum/eth')
    expect(await pay({ orderUUID, attempt }, BigInt(String(attempt.due_atomic)))).toBe('PAID')
  }

  test('if it came late', async () => {
    const payment = await opened({ expiresAt: instant(app.time.now + 30 * DAY_MS) })
    await app.advance(3 * HOUR_MS)
    expect(await pay(payment, DUE / 2n)).toBe('UNPAID')
    await payRest(payment.orderUUID, 10)
    expect(verdictOf(payment.orderUUID)).toBe('late')
  })

  test('if it came in another coin', async () => {
    const { orderUUID } = await opened({ expiresAt: instant(app.time.now + 30 * DAY_MS) })
    const body = { orderUUID, outcome: 'paid', assetId: 'ethereum/usdc', amount: '150' }
    expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
    await check(app, orderUUID)
    await payRest(orderUUID, 10)
  })
})

describe('a part that counted still counts, and the rest pays the order, if the shop then', () => {
  async function payRestByCard(orderUUID: string) {
    await app.advance(2 * HOUR_MS)
    expect(await status(app, orderUUID)).toMatchObject({ credited: '150.00', left: { amount: '150.00' } })
    expect((await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)).status).toBe(303)
    await simulate(app, orderUUID, 'paid')
    await app.advance(MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect(unmatchedOf(app, orderUUID).filter(row => !String(row).endsWith('resolved'))).toEqual([])
  }

  test('asks for a decision about late payments', async () => {
    const payment = await opened({ expiresAt: instant(app.time.now + 30 * DAY_MS) })
    await app.advance(3 * HOUR_MS)
    expect(await pay(payment, DUE / 2n)).toBe('UNPAID')
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    await payRestByCard(payment.orderUUID)
  })

  test('offers no coins any more', async () => {
    const { orderUUID } = await opened({ expiresAt: instant(app.time.now + 30 * DAY_MS) })
    const body = { orderUUID, outcome: 'paid', assetId: 'ethereum/usdc', amount: '150' }
    expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
    await check(app, orderUUID)
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { includeCrypto: false } })
    await payRestByCard(orderUUID)
  })
})

test('a price that has risen: fewer coins than were due pay late, if they are worth enough', async () => {
  const payment = await opened()
  await app.advance(3 * HOUR_MS)
  await priceIs('6000')
  expect(await pay(payment, DUE / 2n)).toBe('PAID')
  expect(verdictOf(payment.orderUUID)).toBe('late')
  expect(notificationsOf(app, payment.orderUUID)).toEqual(['payment_late'])
})

describe('the grace after the lock', () => {
  const withinGrace = LOCK_MS + 50 * MINUTE_MS

  test('the quoted amount still settles, exactly', async () => {
    const payment = await opened()
    await app.advance(withinGrace)
    await priceIs('1500')
    expect(await pay(payment, DUE)).toBe('PAID')
    expect(verdictOf(payment.orderUUID)).toBe('exact')
    expect(notificationsOf(app, payment.orderUUID)).toEqual([])
  })

  test('does not settle an hour after the lock', async () => {
    const payment = await opened()
    await app.advance(LOCK_MS + 59 * MINUTE_MS)
    await priceIs('1500')
    expect(await pay(payment, DUE)).toBe('UNPAID')
    expect(unmatchedOf(app, payment.orderUUID)).toEqual(['late open'])
  })

  test('FLORIN_LATE_GRACE changes the length of the grace', async () => {
    await ownApp({ FLORIN_LATE_GRACE: '0m' })
    const payment = await opened()
    await app.advance(LOCK_MS)
    await priceIs('1500')
    expect(await pay(payment, DUE)).toBe('UNPAID')
    expect(unmatchedOf(app, payment.orderUUID)).toEqual(['late open'])
  })

  test('belongs to the newest payment of the order, in any coin', async () => {
    const payment = await opened()
    await app.advance(5 * MINUTE_MS)
    await openOnly(app, payment.orderUUID, 'btc')
    await app.advance(LOCK_MS)
    await priceIs('1500')
    expect(await pay(payment, DUE)).toBe('UNPAID')
    expect(unmatchedOf(app, payment.orderUUID)).toEqual(['late open'])
  })

  test('a payment in the grace counts, although the buyer opens another one after it', async () => {
    const payment = await opened()
    await app.advance(LOCK_MS + 20 * MINUTE_MS)
    await priceIs('1500')
    await sendCoins(app, payment.attempt, DUE)
    app.time.now += MINUTE_MS
    await openOnly(app, payment.orderUUID, 'btc')
    expect(attemptsOf(app, payment.orderUUID)[0]).toMatchObject({ grace_until: app.time.now })
    await app.advance(MINUTE_MS)
    expect(await statusOf(payment.orderUUID)).toBe('PAID')
    expect(verdictOf(payment.orderUUID)).toBe('exact')
  })

  test('a card payment does not end the grace', async () => {
    const payment = await opened()
    const page = `/payment/process/${payment.orderUUID}?method=stripe`
    expect((await app.call('GET', page)).status).toBe(303)
    await app.advance(withinGrace)
    await priceIs('1500')
    expect(await pay(payment, DUE)).toBe('PAID')
  })

  test('payment.expired waits for the grace, the expiry of the order does not', async () => {
    await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
    await chooseEvents(app.context, shop.id, ['payment.expired'])
    const { orderUUID } = await opened({ expiresAt: instant(app.time.now + 10 * MINUTE_MS) })
    await app.advance(LOCK_MS - 1000)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
    await app.advance(2 * MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('EXPIRED')
    expect(eventTypesOf(app, orderUUID)).toEqual([])
    await app.advance(56 * MINUTE_MS)
    expect(eventTypesOf(app, orderUUID)).toEqual([])
    await app.advance(4 * MINUTE_MS)
    expect(eventTypesOf(app, orderUUID)).toEqual(['payment.expired'])
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'expired' }])
  })
})

describe('a payment that was seen before the end of the lock', () => {
  async function seen(amount = '300.00') {
    const { orderUUID } = await givenOrder(app, shop, { amount })
    await openOnly(app, orderUUID, 'ethereum/eth')
    await app.advance(20 * MINUTE_MS)
    await simulate(app, orderUUID, 'pending')
    expect((await check(app, orderUUID)).attempt.state).toBe('confirming')
    await priceIs('1500')
    return { orderUUID }
  }

  test.each([
    ['of its own order', false],
    ['of an order that is paid', true],
  ])('and is mined after the watch waits for the shop: %s', async (_, isPaid) => {
    const { orderUUID, attempt } = await opened()
    if (isPaid) expect(await pay({ orderUUID, attempt }, DUE)).toBe('PAID')
    await sendCoins(app, attempt, DUE / 2n, 'pending')
    await check(app, orderUUID)
    for (let day = 0; day < 8; day++) await app.advance(DAY_MS)
    expect(unmatchedOf(app, orderUUID)).toEqual([])
    await simulate(app, orderUUID, 'paid')
    await app.advance(2 * HOUR_MS)
    expect(incomingPaymentsOf(app, orderUUID)).not.toContainEqual(expect.objectContaining({ state: 'seen' }))
    expect(valuesOf(orderUUID)).toContainEqual(expect.objectContaining({ status: 'open' }))
  })

  test('is in time if it is mined within six hours of it', async () => {
    const { orderUUID } = await seen()
    await app.advance(6 * HOUR_MS)
    await simulate(app, orderUUID, 'paid')
    await app.advance(MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('PAID')
    expect(verdictOf(orderUUID)).toBe('exact')
  })

  test('is late if it is mined after that, and its attempt was not reported as unpaid', async () => {
    await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
    await chooseEvents(app.context, shop.id, ['payment.expired'])
    const { orderUUID } = await seen()
    await app.advance(6 * HOUR_MS + 10 * MINUTE_MS)
    expect(eventTypesOf(app, orderUUID)).not.toContain('payment.expired')
    await simulate(app, orderUUID, 'paid')
    await app.advance(HOUR_MS)
    expect(await statusOf(orderUUID)).toBe('UNPAID')
    expect(valuesOf(orderUUID)).toEqual([
      { reason: 'late', status: 'open', value: '150.00', shortfall: '150.00' },
    ])
  })

  test.each([
    ['1000.00', 'PAID'],
    ['1000.01', 'UNPAID'],
  ])('leaves an order for %s USD %s if it is mined three hours after that', async (amount, status) => {
    const { orderUUID } = await seen(amount)
    await app.advance(3 * HOUR_MS)
    await simulate(app, orderUUID, 'paid')
    await app.advance(MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe(status)
  })
})

describe('a late payment waits for the merchant', () => {
  test('if the merchant asks for that', async () => {
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const payment = await opened()
    await app.advance(3 * HOUR_MS)
    expect(await pay(payment, DUE)).toBe('UNPAID')
    expect(valuesOf(payment.orderUUID)).toEqual([
      { reason: 'late', status: 'open', value: '300.00', shortfall: null },
    ])
    const { credited, left } = await status(app, payment.orderUUID)
    expect([credited, left.amount]).toEqual(['0.00', '300.00'])
  })

  test('and all of the order is asked for again once the merchant has sent it back', async () => {
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const payment = await opened({ expiresAt: instant(app.time.now + 30 * DAY_MS) })
    const { orderUUID } = payment
    await app.advance(3 * HOUR_MS)
    expect(await pay(payment, DUE / 2n)).toBe('UNPAID')
    expect(await openOnly(app, orderUUID, 'btc')).toMatchObject({ priced: '150.00' })
    const [row] = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderUUID)
    await resolveUnmatched(app.context, shop.id, String(row?.id), 'sent back')
    expect(await openOnly(app, orderUUID, 'ltc')).toMatchObject({ priced: '300.00' })
  })

  test.each(['ethereum/usdc', 'polygon/usdc'])(
    'if the merchant asks for that, and %s arrives',
    async assetId => {
      await changeMerchant(app.context, shop.id, { late: 'ask' })
      const { orderUUID } = await opened()
      await app.advance(3 * HOUR_MS)
      const body = { orderUUID, outcome: 'paid', assetId }
      expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
      await app.advance(2000)
      const asks = { form: { elsewhere: '1' }, headers: { accept: 'text/html' } }
      await app.call('POST', `/pay/${orderUUID}/check`, asks)
      await app.advance(2 * HOUR_MS)
      expect(await statusOf(orderUUID)).toBe('UNPAID')
      expect(valuesOf(orderUUID)).toEqual([
        { reason: 'late', status: 'open', value: '300.00', shortfall: null },
      ])
    },
  )

  test('if no rate is known within ten minutes of its block', async () => {
    const payment = await opened()
    await app.advance(3 * HOUR_MS)
    await outage(app, 'rates', true)
    await app.advance(16 * MINUTE_MS)
    expect(await pay(payment, DUE)).toBe('UNPAID')
    expect(valuesOf(payment.orderUUID)).toEqual([
      { reason: 'late', status: 'open', value: null, shortfall: null },
    ])
    await outage(app, 'rates', false)
    await app.advance(3 * HOUR_MS)
    expect(await statusOf(payment.orderUUID)).toBe('UNPAID')
  })
})

test('a late payment is valued by the rate of its block, however late it is found', async () => {
  const payment = await opened()
  await app.advance(3 * HOUR_MS)
  await outage(app, 'chain', true)
  await simulate(app, payment.orderUUID, 'late')
  await app.advance(MINUTE_MS)
  await priceIs('30000')
  await app.advance(5 * HOUR_MS)
  await priceIs('1500')
  await outage(app, 'chain', false)
  await app.advance(2 * HOUR_MS)
  expect(await statusOf(payment.orderUUID)).toBe('PAID')
  const evidence = JSON.parse(
    String(rowOf(app, 'SELECT evidence FROM settlements WHERE order_id = ?', payment.orderUUID).evidence),
  )
  expect(evidence.incomingPayments).toMatchObject([{ lateRate: '3000' }])
})

test('rates are kept for each minute, and not longer than eight days', async () => {
  await ownApp()
  await opened()
  for (let minute = 0; minute < 3; minute++) await app.advance(MINUTE_MS)
  const kept = () => rowsOf(app, 'SELECT * FROM rates ORDER BY at')
  expect(kept().length).toBeGreaterThanOrEqual(3)
  expect(kept().filter(({ asset_id }) => asset_id === 'ethereum/eth')[0]).toMatchObject({
    currency: 'USD',
    value: '3000',
  })
  await app.advance(9 * DAY_MS)
  expect(kept()).toEqual([])
})

test('a clock that is far ahead for a moment leaves the rates that late payments need', async () => {
  await opened()
  for (let hours = 0; hours < 3; hours++) await app.advance(HOUR_MS)
  const { now } = app.time
  const kept = () =>
    rowsOf(app, "SELECT * FROM rates WHERE asset_id = 'ethereum/eth' AND at <= ? ORDER BY at DESC", now)
  const [newest] = kept()
  await app.advance(30 * DAY_MS)
  expect(newest).toBeDefined()
  expect(kept()[0]).toEqual(newest)
  app.time.now = now
  await app.advance(11 * MINUTE_MS)
  expect(kept()[0]).toEqual(newest)
  const after = rowsOf(app, 'SELECT * FROM rates WHERE at > ? AND at < ?', now, now + HOUR_MS)
  expect(after.filter(({ asset_id }) => asset_id === 'ethereum/eth')).toMatchObject([{ currency: 'USD' }])
})

test.each<[sentence: string, body: object]>([
  ['an unknown asset', { assetId: 'gold', currency: 'USD', rate: '1' }],
  ['an unknown currency', { assetId: 'btc', currency: 'XXX', rate: '1' }],
  ['zero', { assetId: 'btc', currency: 'USD', rate: '0' }],
  ['a number', { assetId: 'btc', currency: 'USD', rate: 1 }],
])('the sandbox refuses a rate of %s', async (_, body) => {
  expect((await ask(app, 'POST', '/sandbox/rates', { body })).status).toBe(400)
})

test('a late payment that was accepted keeps its value if its block is replaced', async () => {
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  const payment = await opened()
  await app.advance(2 * HOUR_MS)
  await priceIs('2700')
  expect(await pay(payment, DUE)).toBe('UNPAID')
  const id = String(payment.attempt.id)
  const known = async () => (await app.context.storage.read(tables => tables.incomingPayments.listOf(id)))[0]!
  const row = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', payment.orderUUID)
  await acceptUnmatched(app.context, shop.id, [String(row.id)], { by: 'Ann', reason: null })
  const creditOf = () => attemptsOf(app, payment.orderUUID)[0]!.settled_credit
  const credited = creditOf()
  const paid = await known()
  app.time.now += MINUTE_MS
  const again = { ...paid, final: true, height: paid.height! + 1, paidAt: paid.paidAt + MINUTE_MS }
  await recordPayments(app.context, id, {
    source: paid.source,
    askedAt: app.time.now,
    completeFrom: 0,
    detectedPayments: [again],
  })
  expect([(await known()).minedAt, creditOf()]).toEqual([again.paidAt, credited])
})
