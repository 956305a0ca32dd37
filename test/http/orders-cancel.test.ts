import { expect, test } from 'bun:test'
import { START } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, paidInCash, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { ask, data, MARKER, type Refused, refused } from './request.ts'
import { countOf, sumsOfDay } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
once(() => app.jobs.settle())

const emoji = (count: number): string => '😀'.repeat(count)
const path = (orderUUID: string): string => `/v1/orders/${orderUUID}/cancel`
const conflict: Refused = { status: 409, code: 'order_not_cancellable' }

const refuse = (refusal: Refused, orderUUID: string, body: unknown = {}) =>
  refused(app, refusal, 'POST', path(orderUUID), { key: shop.live, body })

async function cancelled(orderUUID: string, body: object = {}, key = shop.live) {
  const { order, ...more } = await data(app, 'POST', path(orderUUID), { key, body })
  expect(more).toEqual({})
  expect(orderProblems(order)).toEqual([])
  return order
}

const wrongBodies: [title: string, body: unknown][] = [
  ['no body', undefined],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', []],
  ['a string', `"${MARKER}"`],
  ['a reason of two characters', { reason: 'no' }],
  ['a reason of two characters outside the basic plane', { reason: emoji(2) }],
  ['an empty reason', { reason: '' }],
  ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
  ['a reason of 501 characters outside the basic plane', { reason: emoji(501) }],
  ['a reason that is null', { reason: null }],
  ['a reason that is a number', { reason: 12345 }],
  ['a reason that is a list', { reason: [MARKER] }],
  ['an extra property', { reason: 'good enough', by: MARKER }],
]

test.each(wrongBodies)('a cancellation with %s is refused', async (_, body) => {
  const { orderUUID } = await givenOrder(app, shop)
  const refusal = { status: 400, code: 'validation_error' }
  await refused(app, refusal, 'POST', path(orderUUID), { key: shop.live, body })
})

/** Events after which it is too late to cancel an order. */
const tooLate: [title: string, change: object, happen: (orderUUID: string) => Promise<unknown>][] = [
  ['was cancelled', {}, orderUUID => cancelled(orderUUID)],
  ['has a crypto attempt', {}, orderUUID => openOnce(orderUUID)],
  ['is crypto-only and has an attempt', { paymentMethodsKeys: ['crypto'] }, orderUUID => openOnce(orderUUID)],
  ['was sent to a provider', {}, orderUUID => enter(orderUUID, 303)],
  [
    'was refused by the provider',
    {},
    async orderUUID => {
      await outage('provider', true)
      await enter(orderUUID, 502)
      await outage('provider', false)
    },
  ],
  [
    'has a failed payment',
    {},
    async orderUUID => {
      await enter(orderUUID, 303)
      await simulate(app, orderUUID, 'failed')
    },
  ],
  [
    'has failed',
    { paymentMethodsKeys: ['stripe'] },
    async orderUUID => {
      await enter(orderUUID, 303)
      await simulate(app, orderUUID, 'failed')
      expect((await statusOf(app, orderUUID)).status).toBe('FAILED')
    },
  ],
  ['is paid', {}, pay],
  ['was forced', {}, orderId => paidInCash(app, shop, orderId)],
  [
    'has expired',
    { expiresAt: new Date(START + 60_000).toISOString() },
    async orderUUID => {
      await app.advance(61_000)
      expect((await statusOf(app, orderUUID)).status).toBe('EXPIRED')
      app.time.now = START
    },
  ],
]

async function enter(orderUUID: string, status: number) {
  expect((await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)).status).toBe(status)
}

const outage = (upstream: string, down: boolean) =>
  data(app, 'POST', '/sandbox/outage', { body: { upstream, down } })

async function pay(orderUUID: string) {
  await openCrypto(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  app.time.now = START
}

test.each(tooLate)('an order that %s is not cancelled', async (_, change, happen) => {
  const { orderUUID } = await givenOrder(app, shop, change)
  await happen(orderUUID)
  await app.jobs.settle()
  await refuse(conflict, orderUUID)
})

test('viewing the checkout page does not prevent a cancellation', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  await statusOf(app, orderUUID)
  await app.call('GET', `/payment/process/${orderUUID}`)
  await app.call('GET', `/payment/process/${orderUUID}?method=nothing`)
  await app.call('POST', `/pay/${orderUUID}/check`)
  await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'nothing' } })
  expect((await cancelled(orderUUID)).status).toBe('CANCELLED')
})

const reasons: [title: string, reason: string | undefined][] = [
  ['no reason', undefined],
  ['a reason of 3 characters', 'abc'],
  ['a reason of 3 characters outside the basic plane', emoji(3)],
  ['a reason of 500 characters outside the basic plane', emoji(500)],
  ['a reason of several lines', 'one\ntwo\n<b>three</b>'],
]

test.each(reasons)('an unpaid order can be cancelled with %s', async (_, reason) => {
  const order = await givenOrder(app, shop, { externalId: 'kept', metadata: { a: 1 } })
  app.time.now += 1000
  const at = new Date(app.time.now).toISOString()
  expect(await cancelled(order.orderUUID, { reason })).toEqual({
    ...order,
    status: 'CANCELLED',
    provisioningStatus: 'ABANDONED',
    cancelledAt: at,
    cancelledBy: expect.stringMatching(/\S/),
    ...(reason && { cancelReason: reason }),
    updatedAt: at,
  })
  for (const table of ['transactions', 'events', 'attempts', 'notifications']) {
    expect([table, countOf(app, table, order.orderUUID)]).toEqual([table, 0])
  }
  app.time.now = START
})

test('a crypto-only order, whose session is READY, can be cancelled too', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  expect((await cancelled(orderUUID)).provisioningStatus).toBe('ABANDONED')
})

test('cancelledBy reveals no credentials', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const { cancelledBy } = await cancelled(orderUUID)
  expect(shop.live).not.toBe(cancelledBy)
  expect(cancelledBy.length).toBeLessThan(30)
})

test('a cancelled amount leaves the pending totals and counts as cancelled, each on its own day', async () => {
  const merchant = await givenShop(app)
  const { orderUUID } = await givenOrder(app, merchant, { amount: '12.34' })
  await givenOrder(app, merchant, { amount: '1.00' })
  app.time.now += 24 * 3600_000 - 3600_000
  await cancelled(orderUUID, {}, merchant.live)
  const none = { gross: '0', net: '0', forced: '0', paid_count: 0 }
  expect(sumsOfDay(app, merchant.id)).toMatchObject({
    pending: '100',
    pending_count: 1,
    cancelled: '0',
    ...none,
  })
  expect(sumsOfDay(app, merchant.id, '2026-03-02')).toMatchObject({
    pending: '0',
    pending_count: 0,
    cancelled: '1234',
    cancelled_count: 1,
    ...none,
  })
  app.time.now = START
})

test('a cancelled order can no longer be paid', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto', 'stripe'] })
  await cancelled(orderUUID)
  const opened = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
  expect(opened.status).toBeGreaterThanOrEqual(400)
  const entered = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
  expect(entered.headers.get('location') ?? '').not.toContain('/sandbox/gateway')
  expect(countOf(app, 'attempts', orderUUID)).toBe(0)
  await app.advance(25 * 3600_000)
  expect((await statusOf(app, orderUUID)).status).toBe('CANCELLED')
  app.time.now = START
})

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

test('of 20 cancellations at once, one succeeds and counts once', async () => {
  const merchant = await givenShop(app)
  const { orderUUID } = await givenOrder(app, merchant)
  const answers = await times(20, () => ask(app, 'POST', path(orderUUID), { key: merchant.live, body: {} }))
  expect(statusesOf(answers).sort()).toEqual([200, ...Array(19).fill(409)])
  expect(sumsOfDay(app, merchant.id)).toMatchObject({ pending: '0', cancelled: '2500', cancelled_count: 1 })
})

const cancelOnce = (orderUUID: string) =>
  ask(app, 'POST', path(orderUUID), { key: shop.live, body: { reason: 'a race' } })

const openOnce = (orderUUID: string) =>
  app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })

/** Expects that the order was cancelled before a payment started, or can never be cancelled. */
async function expectOneEnd(orderUUID: string) {
  const { status } = await statusOf(app, orderUUID)
  const attempts = countOf(app, 'attempts', orderUUID)
  expect(['CANCELLED', attempts]).toEqual(status === 'CANCELLED' ? [status, 0] : ['CANCELLED', 1])
  return status
}

test('20 cancellations race 20 new crypto payments: one side wins', async () => {
  const ends = await times(10, async () => {
    const { orderUUID } = await givenOrder(app, shop)
    await times(20, i => (i % 2 ? cancelOnce(orderUUID) : openOnce(orderUUID)))
    return expectOneEnd(orderUUID)
  })
  expect(ends).toHaveLength(10)
})

test('20 cancellations race 20 settlements of one order: one side wins', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const payOnce = async (i: number) => {
    await openOnce(orderUUID)
    if (i === 0) await simulate(app, orderUUID, 'paid')
    await app.call('POST', `/pay/${orderUUID}/check`)
    return { status: 0 }
  }
  await times(40, i => (i % 2 ? payOnce((i - 1) / 2) : cancelOnce(orderUUID)))
  await check(app, orderUUID)
  const status = await expectOneEnd(orderUUID)
  expect(countOf(app, 'transactions', orderUUID)).toBe(status === 'PAID' ? 1 : 0)
  app.time.now = START
})

test('20 cancellations are too late for 20 settlements that have started', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += 6000
  const answers = await times(40, i =>
    i % 2 ? app.call('POST', `/pay/${orderUUID}/check`) : cancelOnce(orderUUID),
  )
  expect(statusesOf(answers).filter((_, i) => i % 2 === 0)).toEqual(Array(20).fill(409))
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  app.time.now = START
})

test('20 cancellations race 20 redirects to a provider: no page opens for a cancelled order', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const answers = await times(40, async i =>
    i % 2 ? app.call('GET', `/payment/process/${orderUUID}?method=stripe`) : cancelOnce(orderUUID),
  )
  const sentOn = answers.filter(({ headers }) => headers.get('location')?.includes('/sandbox/gateway'))
  const status = await expectOneEnd(orderUUID)
  expect(sentOn.length > 0).toBe(status !== 'CANCELLED')
})

test('20 cancellations race 20 forced payments: one side wins', async () => {
  const { orderUUID: orderId } = await givenOrder(app, shop)
  const force = () =>
    paidInCash(app, shop, orderId).then(
      () => ({ status: 200 }),
      () => ({ status: 409 }),
    )
  const answers = await times(40, i => (i % 2 ? force() : cancelOnce(orderId)))
  expect(statusesOf(answers).sort()).toEqual([200, ...Array(39).fill(409)])
})
