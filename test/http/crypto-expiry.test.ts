import { describe, expect, test } from 'bun:test'
import { check, givenOrder, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
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
import { ask } from './request.ts'
import { countOf, rowOf, sumsOfDay } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenCoinShop(app))

/** An order that expires after this time. */
const expiringIn = async (ms: number): Promise<string> => {
  const { orderUUID } = await givenOrder(app, shop, { expiresAt: instant(app.time.now + ms) })
  return orderUUID
}

/** An order with an open Bitcoin payment. */
async function opened(expiryMs: number): Promise<string> {
  const orderUUID = await expiringIn(expiryMs)
  await openOnly(app, orderUUID, 'btc')
  return orderUUID
}

async function read(orderUUID: string) {
  const order = await getOrder(app, shop, orderUUID)
  expect(orderProblems(order)).toEqual([])
  return order
}

const statusOf = async (orderUUID: string): Promise<string> => (await read(orderUUID)).status
const stateOf = (orderUUID: string) => attemptsOf(app, orderUUID).at(-1)?.state
const dueOf = (orderUUID: string): bigint => BigInt(String(attemptsOf(app, orderUUID)[0]?.due_atomic))

test('an unpaid order expires at its expiry, and not before', async () => {
  const orderUUID = await expiringIn(HOUR_MS)
  await app.advance(HOUR_MS - 1)
  expect(await statusOf(orderUUID)).toBe('UNPAID')
  await app.advance(1)
  expect(await read(orderUUID)).toMatchObject({ status: 'EXPIRED', provisioningStatus: 'EXPIRED' })
  expect(sumsOfDay(app, shop.id)).toMatchObject({
    pending: '0',
    pending_count: 0,
    cancelled: '0',
    gross: '0',
  })
  expect(eventTypesOf(app, orderUUID)).toEqual([])
})

test('an order without an expiry of its own expires after FLORIN_ORDER_EXPIRY', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await app.advance(24 * HOUR_MS - 1)
  expect(await statusOf(orderUUID)).toBe('UNPAID')
  await app.advance(1)
  expect(await statusOf(orderUUID)).toBe('EXPIRED')
})

test('an expired order opens no more payments', async () => {
  const orderUUID = await expiringIn(MINUTE_MS)
  await app.advance(MINUTE_MS)
  for (const request of [
    () => ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } }),
    () => ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'ltc' } }),
  ]) {
    expect((await request()).status).toBe(409)
  }
  expect(attemptsOf(app, orderUUID)).toEqual([])
})

test('an attempt inside its lock keeps its order open beyond the expiry', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  for (let minute = 0; minute < 29; minute++) {
    await app.advance(MINUTE_MS)
    expect([minute, await statusOf(orderUUID)]).toEqual([minute, 'UNPAID'])
  }
  await app.advance(3 * MINUTE_MS)
  expect(await read(orderUUID)).toMatchObject({ status: 'EXPIRED', provisioningStatus: 'EXPIRED' })
  expect(stateOf(orderUUID)).toBe('waiting')
  await app.advance(HOUR_MS)
  expect(stateOf(orderUUID)).toBe('expired')
})

test('a payment inside the lock pays an order that is past its expiry', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(20 * MINUTE_MS)
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID)).toEqual({
    verdict: 'exact',
  })
})

describe.each([
  ['the only payment', []],
  ['an older payment', ['ltc']],
])('%s, of which a part has arrived', (_, others) => {
  /** An order that has expired while the grace of a payment is running. */
  async function partPaid() {
    const orderUUID = await opened(40 * MINUTE_MS)
    const [attempt] = attemptsOf(app, orderUUID)
    await simulate(app, orderUUID, 'underpaid')
    for (const asset of others) await openOnly(app, orderUUID, asset)
    await app.advance(50 * MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('EXPIRED')
    return { orderUUID, attempt: attempt! }
  }
  const verdictOf = (orderUUID: string) =>
    rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID).verdict

  test.each([
    ['by a job', 15],
    ['by its page', 1],
  ])('is looked at %s in its grace, although its order has expired', async (by, minutes) => {
    const { orderUUID, attempt } = await partPaid()
    const [part] = incomingPaymentsOf(app, orderUUID)
    await sendCoins(app, attempt, dueOf(orderUUID) - BigInt(String(part!.amount_atomic)))
    for (let minute = 0; minute < minutes; minute++) {
      if (by === 'by its page') await app.call('GET', `/pay/${orderUUID}`)
      await app.advance(MINUTE_MS)
    }
    expect([await statusOf(orderUUID), verdictOf(orderUUID)]).toEqual(['PAID', 'exact'])
    expect(app.audit()).toEqual([])
  })
})

test('an unconfirmed payment keeps its order open until it is confirmed', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(20 * MINUTE_MS)
  await simulate(app, orderUUID, 'pending')
  for (let i = 0; i < 8; i++) {
    await app.advance(HOUR_MS)
    // After six hours, the payment no longer counts as in time, but it may still be mined.
    expect([i, await statusOf(orderUUID)]).toEqual([i, 'UNPAID'])
    if (i < 5) expect(stateOf(orderUUID)).toBe('confirming')
  }
  await simulate(app, orderUUID, 'paid')
  await app.advance(HOUR_MS)
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
})

test('an unconfirmed payment that vanishes lets its order expire', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await simulate(app, orderUUID, 'pending')
  await app.advance(2 * HOUR_MS)
  expect(await statusOf(orderUUID)).toBe('UNPAID')
  await simulate(app, orderUUID, 'failed')
  await app.advance(12 * MINUTE_MS)
  expect([await statusOf(orderUUID), stateOf(orderUUID)]).toEqual(['EXPIRED', 'expired'])
  expect(unmatchedOf(app, orderUUID)).toEqual([])
})

test('an unpaid attempt ends with its grace, and its order stays open', async () => {
  const orderUUID = await opened(DAY_MS)
  await app.advance(LOCK_MS + HOUR_MS - MINUTE_MS)
  expect(stateOf(orderUUID)).toBe('waiting')
  await app.advance(2 * MINUTE_MS)
  expect([stateOf(orderUUID), await statusOf(orderUUID)]).toEqual(['expired', 'UNPAID'])
})

test('a late payment of an UNPAID order pays it', async () => {
  const orderUUID = await opened(DAY_MS)
  await app.advance(LOCK_MS + HOUR_MS + 5 * MINUTE_MS)
  await simulate(app, orderUUID, 'late')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID)).toEqual({
    verdict: 'late',
  })
  expect(unmatchedOf(app, orderUUID)).toEqual([])
})

const lateDays = [
  ['an hour', HOUR_MS],
  ['two days', 2 * DAY_MS],
  ['six days and 23 hours', 6 * DAY_MS + 23 * HOUR_MS],
] as const

test.each(lateDays)('%s late, a payment of an EXPIRED order pays it', async (_, ms) => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(LOCK_MS + ms)
  expect(await statusOf(orderUUID)).toBe('EXPIRED')
  await simulate(app, orderUUID, 'late')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(await read(orderUUID)).toMatchObject({
    provisioningStatus: 'SETTLED',
    paidAt: instant(app.time.now),
  })
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
})

test('a late payment is found within about an hour without an open page', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(2 * DAY_MS)
  await simulate(app, orderUUID, 'late')
  await app.advance(2 * HOUR_MS)
  expect(await statusOf(orderUUID)).toBe('PAID')
})

test('a late payment is shown as confirming until it is confirmed, and then pays', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(DAY_MS)
  await simulate(app, orderUUID, 'pending')
  expect(await check(app, orderUUID)).toMatchObject({ status: 'EXPIRED', attempt: { state: 'confirming' } })
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
})

test('after seven days a payment settles nothing, and is unmatched when it is detected', async () => {
  await ownApp()
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(6 * DAY_MS)
  await outage(app, 'chain', true)
  await app.advance(2 * DAY_MS)
  await simulate(app, orderUUID, 'late')
  await outage(app, 'chain', false)
  await app.advance(2 * HOUR_MS)
  expect(await statusOf(orderUUID)).toBe('EXPIRED')
  expect(unmatchedOf(app, orderUUID)).toEqual(['too_late open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  expect(eventTypesOf(app, orderUUID)).toEqual([])
})

test('a payment on the sixth day while the chain is unavailable settles once the chain is available again', async () => {
  await ownApp()
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(6 * DAY_MS)
  await outage(app, 'chain', true)
  await simulate(app, orderUUID, 'late')
  await app.advance(2 * DAY_MS)
  await outage(app, 'chain', false)
  await app.advance(2 * HOUR_MS)
  expect([await statusOf(orderUUID), unmatchedOf(app, orderUUID)]).toEqual(['PAID', []])
})

test('an underpayment at the end of the grace is unmatched, and the merchant is notified', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(LOCK_MS + HOUR_MS + 2 * MINUTE_MS)
  expect([stateOf(orderUUID), await statusOf(orderUUID)]).toEqual(['expired', 'EXPIRED'])
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
})

test('a late payment of too little is unmatched', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(DAY_MS)
  await simulate(app, orderUUID, 'underpaid')
  expect((await check(app, orderUUID)).status).toBe('EXPIRED')
  expect(unmatchedOf(app, orderUUID)).toEqual(['late open'])
})

test('the rest that comes late completes the order, and the unmatched payment is resolved', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(DAY_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid open'])
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid resolved'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment', 'payment_late'])
})

test('a late payment of another asset is unmatched', async () => {
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(DAY_MS)
  await simulate(app, orderUUID, 'wrong_asset')
  expect((await check(app, orderUUID)).status).toBe('EXPIRED')
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
})

test('a late payment to an old attempt pays, and one to the new attempt is then a second payment', async () => {
  const orderUUID = await opened(DAY_MS)
  await app.advance(LOCK_MS)
  await openOnly(app, orderUUID, 'btc')
  const [old, fresh] = attemptsOf(app, orderUUID)
  await sendCoins(app, old!, BigInt(String(old!.due_atomic)))
  expect((await check(app, orderUUID)).status).toBe('PAID')
  await sendCoins(app, fresh!, BigInt(String(fresh!.due_atomic)))
  await app.advance(10 * MINUTE_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test('an unavailable chain opens no address, and the error does not blame the buyer', async () => {
  await ownApp()
  const orderUUID = await expiringIn(DAY_MS)
  await outage(app, 'chain', true)
  const answer = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
  expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable'])
  expect(attemptsOf(app, orderUUID)).toEqual([])
  await outage(app, 'chain', false)
  await openOnly(app, orderUUID, 'btc')
})

test('an attempt does not expire before the chain was checked once after the lock', async () => {
  await ownApp()
  const orderUUID = await opened(10 * MINUTE_MS)
  await outage(app, 'chain', true)
  await app.call('POST', `/pay/${orderUUID}/check`)
  await app.advance(LOCK_MS + 3 * HOUR_MS)
  expect([stateOf(orderUUID), await statusOf(orderUUID)]).toEqual(['waiting', 'UNPAID'])
  await outage(app, 'chain', false)
  // The outage lasts until the chain is read again, and does not count towards the lock and the grace.
  await app.advance(HOUR_MS)
  await app.advance(LOCK_MS + 6 * HOUR_MS)
  expect([stateOf(orderUUID), await statusOf(orderUUID)]).toEqual(['expired', 'EXPIRED'])
})

test('a payment made in time while the chain was unavailable counts as in time', async () => {
  await ownApp()
  const orderUUID = await opened(10 * MINUTE_MS)
  await app.advance(MINUTE_MS)
  await outage(app, 'chain', true)
  await simulate(app, orderUUID, 'paid')
  await app.advance(5 * HOUR_MS)
  expect(await statusOf(orderUUID)).toBe('UNPAID')
  await outage(app, 'chain', false)
  await app.advance(12 * MINUTE_MS)
  expect(await statusOf(orderUUID)).toBe('PAID')
  expect(rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID)).toEqual({
    verdict: 'exact',
  })
})

test('an unavailable chain is logged, and the buyer sees no internal details', async () => {
  await ownApp()
  const orderUUID = await opened(DAY_MS)
  await outage(app, 'chain', true)
  const answer = await app.call('POST', `/pay/${orderUUID}/check`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
  expect(app.logged.some(({ sentence }) => sentence === 'upstream.unavailable')).toBe(true)
})

const offersCoins = async (orderUUID: string): Promise<boolean> => {
  const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  return page.text.includes('name="asset"')
}

test('without recent rates the assets are hidden, with a reason in the log, and return later', async () => {
  await ownApp()
  const orderUUID = await expiringIn(DAY_MS)
  expect(await offersCoins(orderUUID)).toBe(true)
  await outage(app, 'rates', true)
  app.time.now += 4 * MINUTE_MS
  expect(await offersCoins(orderUUID)).toBe(true)
  app.time.now += 2 * MINUTE_MS
  app.logged.length = 0
  expect(await offersCoins(orderUUID)).toBe(false)
  const reasons = app.logged.filter(({ fields }) => 'assetId' in fields && 'reason' in fields)
  expect(reasons).not.toBeEmpty()
  const answer = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
  expect([answer.status, answer.json.error.code]).toEqual([422, 'method_not_offered'])
  await outage(app, 'rates', false)
  expect(await offersCoins(orderUUID)).toBe(true)
  await openOnly(app, orderUUID, 'btc')
})

test('an open attempt is paid without rates: its amount was quoted', async () => {
  await ownApp()
  const orderUUID = await opened(DAY_MS)
  await outage(app, 'rates', true)
  app.time.now += 10 * MINUTE_MS
  const again = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
  expect(again.status).toBe(303)
  expect(attemptsOf(app, orderUUID)).toHaveLength(1)
  await simulate(app, orderUUID, 'paid')
  expect(await check(app, orderUUID)).toMatchObject({ status: 'PAID' })
})

test('cards are still offered without rates and without chains', async () => {
  await ownApp()
  const orderUUID = await expiringIn(DAY_MS)
  for (const upstream of ['rates', 'chain'] as const) await outage(app, upstream, true)
  app.time.now += 10 * MINUTE_MS
  const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain(`/payment/process/${orderUUID}?method=`)
  expect((await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)).status).toBe(303)
})

test('an order that expires while it is being paid is consistently either expired or paid', async () => {
  for (let i = 0; i < 5; i++) {
    const orderUUID = await opened(10 * MINUTE_MS)
    await sendCoins(app, attemptsOf(app, orderUUID)[0]!, dueOf(orderUUID))
    app.time.now += LOCK_MS
    await Promise.all([app.jobs.settle(), app.call('POST', `/pay/${orderUUID}/check`)])
    await app.advance(2 * MINUTE_MS)
    expect(await statusOf(orderUUID)).toBe('PAID')
  }
})
