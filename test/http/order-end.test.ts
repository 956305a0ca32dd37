import { expect, test } from 'bun:test'
import { cancelOrder } from '../../src/operations/orders/cancel.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { stopOrder } from '../../src/operations/orders/stop.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, givenShop, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { enter, openProvider, startGatewayApp } from './paygate.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  instant,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  outage,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { ask, data } from './request.ts'
import { type Row, rowOf, rowsOf, sumsOfDay } from './rows.ts'

const { app, each, ownApp } = suite({ start: startGatewayApp })
const shop = each(() => givenCoinShop(app))

const newOrder = async (change: object = {}): Promise<string> =>
  (await givenOrder(app, shop, { expiresAt: instant(app.time.now + DAY_MS), ...change })).orderUUID
const end = (id: string, of = shop) => endOrder(app.context, of.id, id)
const pageOf = async (id: string): Promise<string> => (await app.call('GET', `/pay/${id}`)).text
const newest = (id: string): Row => attemptsOf(app, id).at(-1)!
const dueOf = (attempt: Row): bigint => BigInt(String(attempt.due_atomic))
const verdictOf = (id: string) => rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id).verdict
const halvePrice = (assetId: string, rate: string) =>
  data(app, 'POST', '/sandbox/rates', { body: { assetId, currency: 'USD', rate } })

/** An order with an open payment in Bitcoin to which nothing was sent. */
async function opened(): Promise<string> {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  app.time.now += 5 * MINUTE_MS
  return id
}

test('an order that is ended expires at once, with its locks and graces', async () => {
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  await chooseEvents(app.context, shop.id, ['payment.expired'])
  const id = await opened()
  await openOnly(app, id, 'ltc')
  const { order } = await end(id)
  expect(order).toMatchObject({ status: 'EXPIRED', expiresAt: app.time.now, expiredAt: app.time.now })
  expect(await getOrder(app, shop, id)).toMatchObject({
    status: 'EXPIRED',
    provisioningStatus: 'EXPIRED',
    expiresAt: instant(app.time.now),
  })
  for (const attempt of attemptsOf(app, id)) {
    expect(attempt).toMatchObject({ locked_until: app.time.now, grace_limit: app.time.now })
    expect(Number(attempt.watch_until)).toBeGreaterThan(app.time.now + 7 * DAY_MS)
  }
  expect(sumsOfDay(app, shop.id)).toMatchObject({ pending: '0', pending_count: 0, cancelled: '0' })
  await app.advance(2 * MINUTE_MS)
  expect(attemptsOf(app, id).map(({ state }) => state)).toEqual(['expired', 'expired'])
  expect(eventTypesOf(app, id)).toEqual(['payment.expired', 'payment.expired'])
  expect(notificationsOf(app, id)).toEqual([])
})

test('the page of an ended order shows no address, and opens no payment', async () => {
  const id = await opened()
  const { address } = newest(id)
  expect(await pageOf(id)).toContain(String(address))
  await end(id)
  const page = await pageOf(id)
  expect(page).toContain('This order was closed')
  expect(page).toContain('closed it before it was paid. If you have already paid, don’t order again')
  expect(page).not.toContain(String(address))
  expect((await statusOf(app, id)).attempt.isLocked).toBe(false)
  for (const asset of ['btc', 'ltc']) {
    const answer = await ask(app, 'POST', `/pay/${id}/crypto`, { form: { asset } })
    expect([answer.status, answer.json.error.code]).toEqual([409, 'order_not_payable'])
  }
  expect((await enter(app, id, 'stripe')).headers.get('location')).toBe(`/pay/${id}`)
  expect(attemptsOf(app, id)).toHaveLength(1)
})

test('an order that no buyer has started to pay can also be ended', async () => {
  const id = await newOrder()
  expect((await end(id)).order.status).toBe('EXPIRED')
  expect(await getOrder(app, shop, id)).toMatchObject({ provisioningStatus: 'EXPIRED' })
  expect(await pageOf(id)).toContain('closed it before it was paid. Go back to the shop and order again.')
})

test('an order that is stopped is ended if its buyer chose a method that could not be opened', async () => {
  const id = await newOrder()
  app.wire.hold = path => (path.endsWith('/wallet.php') ? Promise.reject(new Error('down')) : undefined)
  expect((await enter(app, id, 'stripe')).status).toBe(502)
  app.wire.hold = () => undefined
  expect((await stopOrder(app.context, shop.id, id)).order.status).toBe('EXPIRED')
  expect((await stopOrder(app.context, shop.id, await newOrder())).order.status).toBe('CANCELLED')
})

test('the page of an order that was not paid by its expiry does not say that the shop closed it', async () => {
  const expiresAt = app.time.now + HOUR_MS
  const id = await newOrder({ expiresAt: instant(expiresAt) })
  await app.advance(HOUR_MS)
  expect(await end(id).catch(({ code }) => code)).toBe('order_not_endable')
  expect(rowOf(app, 'SELECT expired_at FROM orders WHERE id = ?', id).expired_at).toBe(expiresAt)
  expect(await pageOf(id)).toContain('It wasn’t paid in time.')
})

test('a payment that was seen before the end pays at its quoted amount', async () => {
  await ownApp()
  const id = await opened()
  await simulate(app, id, 'pending')
  expect((await check(app, id)).attempt.state).toBe('confirming')
  await end(id)
  expect(await statusOf(app, id)).toMatchObject({ status: 'EXPIRED', attempt: { state: 'confirming' } })
  const page = await pageOf(id)
  expect(page).toContain('0 of 1 confirmations')
  expect(page).not.toContain('doesn’t cover this order')
  expect(page).not.toContain(String(newest(id).address))
  await halvePrice('btc', '30000')
  await app.advance(HOUR_MS)
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  expect([verdictOf(id), eventTypesOf(app, id)]).toEqual(['exact', ['order.paid']])
})

test('a payment that was mined before the end counts as in time, even if it is found later', async () => {
  await ownApp()
  const id = await opened()
  await sendCoins(app, newest(id), dueOf(newest(id)))
  app.time.now += MINUTE_MS
  expect((await end(id)).order.status).toBe('EXPIRED')
  await halvePrice('btc', '30000')
  await app.advance(2 * MINUTE_MS)
  expect([(await statusOf(app, id)).status, verdictOf(id)]).toEqual(['PAID', 'exact'])
})

test('a payment after the end counts at its value', async () => {
  await ownApp()
  const id = await opened()
  await end(id)
  await halvePrice('btc', '30000')
  await app.advance(5 * MINUTE_MS)
  await sendCoins(app, newest(id), dueOf(newest(id)))
  await check(app, id)
  expect((await statusOf(app, id)).left.amount).toBe('12.50')
  expect(unmatchedOf(app, id)).toEqual(['late open'])
  await sendCoins(app, newest(id), dueOf(newest(id)))
  expect((await check(app, id)).status).toBe('PAID')
  expect(verdictOf(id)).toBe('late')
})

test('time in which the chain could not be read does not reopen an ended order', async () => {
  await ownApp()
  const id = await opened()
  await check(app, id)
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  await end(id)
  const endedAt = app.time.now
  await app.advance(20 * MINUTE_MS)
  await outage(app, 'chain', false)
  await app.advance(2 * MINUTE_MS)
  expect(newest(id)).toMatchObject({ locked_until: endedAt, grace_limit: endedAt, state: 'expired' })
})

test('a part that arrived before the end waits for the merchant, who is notified', async () => {
  const id = await opened()
  await simulate(app, id, 'underpaid')
  await check(app, id)
  await end(id)
  expect(unmatchedOf(app, id)).toEqual(['underpaid open'])
  expect(notificationsOf(app, id)).toEqual(['unmatched_payment'])
})

test('an order that is open only because of a lock after its expiry can be ended', async () => {
  const id = await newOrder({ expiresAt: instant(app.time.now + 10 * MINUTE_MS) })
  await openOnly(app, id, 'btc')
  await app.advance(15 * MINUTE_MS)
  expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
  expect((await end(id)).order.status).toBe('EXPIRED')
})

test('an open page of a provider can still be used, as after an expiry', async () => {
  const id = await newOrder({ paymentMethodsKeys: ['stripe'] })
  await openProvider(app, id)
  await end(id)
  expect(newest(id)).toMatchObject({ state: 'expired', locked_until: app.time.now })
  await app.advance(HOUR_MS)
  await simulate(app, id, 'paid')
  expect([(await getOrder(app, shop, id)).status, verdictOf(id)]).toEqual(['PAID', 'late'])
})

test('ending an order again changes nothing', async () => {
  const id = await opened()
  await end(id)
  const stored = () => [
    rowOf(app, 'SELECT * FROM orders WHERE id = ?', id),
    attemptsOf(app, id).map(({ locked_until, grace_limit }) => [locked_until, grace_limit]),
    rowsOf(app, 'SELECT * FROM audit_log WHERE subject = ?', `order:${id}`),
  ]
  const before = stored()
  app.time.now += HOUR_MS
  expect((await end(id)).order.status).toBe('EXPIRED')
  expect(stored()).toEqual(before)
})

test('an order that is not unpaid, or of another shop, cannot be ended', async () => {
  const paid = await opened()
  await simulate(app, paid, 'paid')
  await check(app, paid)
  const cancelled = await newOrder()
  await cancelOrder(app.context, shop.id, cancelled, 'cli', null)
  const expired = await newOrder({ expiresAt: instant(app.time.now + MINUTE_MS) })
  await app.advance(MINUTE_MS)
  for (const [id, status] of [
    [paid, 'PAID'],
    [cancelled, 'CANCELLED'],
    [expired, 'EXPIRED'],
  ] as const) {
    await expect(end(id)).rejects.toMatchObject({
      code: 'order_not_endable',
      message: `Only an unpaid order can be ended. This one is ${status}.`,
    })
  }
  const open = await newOrder()
  const other = await givenShop(app)
  await expect(end(open, other)).rejects.toMatchObject({ code: 'not_found' })
  expect((await getOrder(app, shop, open)).status).toBe('UNPAID')
})

test('staff end an order that a customer has started to pay, instead of cancelling it', async () => {
  const [staff, viewer] = [await signInAs(app, 'staff', shop.id), await signInAs(app, 'viewer', shop.id)]
  const stranger = await signInAs(app, 'owner', (await givenShop(app)).id)
  const page = (id: string, person = staff) => person.get(`/dashboard/orders/${id}`)
  const untouched = await page(await newOrder())
  expect(untouched.text).not.toContain('/end"')
  const id = await opened()
  const { text } = await page(id)
  expect(text).not.toContain(`action="/dashboard/orders/${id}/cancel"`)
  expect(text).toContain(`action="/dashboard/orders/${id}/end" data-ask="End this order now?"`)
  expect((await page(id, viewer)).text).not.toContain('/end"')
  expect((await viewer.post(`/dashboard/orders/${id}/end`)).status).toBe(403)
  expect((await stranger.post(`/dashboard/orders/${id}/end`)).status).toBe(404)
  const done = await staff.post(`/dashboard/orders/${id}/end`)
  expect([done.status, done.headers.get('location')]).toEqual([303, `/dashboard/orders/${id}?done=ended`])
  expect((await getOrder(app, shop, id)).status).toBe('EXPIRED')
  const ended = (await page(id)).text
  expect(ended).toContain(`Ended by ${staff.email}`)
  expect(ended).not.toContain('The order expired')
  expect(ended).not.toContain(`action="/dashboard/orders/${id}/end"`)
  expect((await staff.get(`/dashboard/orders/${id}?lang=de`)).text).toContain(`Beendet von ${staff.email}`)
  const paid = await opened()
  await simulate(app, paid, 'paid')
  await check(app, paid)
  const refused = await staff.post(`/dashboard/orders/${paid}/end`)
  expect([refused.status, refused.text.includes('Only an unpaid order can be ended.')]).toEqual([409, true])
})

test('time in which the chain could not be read does not extend a grace that was ended', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await app.advance(80 * MINUTE_MS)
  await outage(app, 'chain', true)
  await app.advance(2 * HOUR_MS)
  await end(id)
  const endedAt = app.time.now
  expect(newest(id).grace_limit).toBe(endedAt)
  await app.advance(HOUR_MS)
  await outage(app, 'chain', false)
  await app.advance(2 * HOUR_MS)
  expect(newest(id)).toMatchObject({ state: 'expired', grace_limit: endedAt })
})
