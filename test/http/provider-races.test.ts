import { expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { givenOrder, givenShop, openCrypto, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import {
  callBack,
  callUrl,
  enter,
  newTx,
  openProvider,
  PROVIDER_PAGE,
  paymentTo,
  signed,
  simulated,
  startGatewayApp,
  urlWith,
} from './paygate.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  instant,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { data } from './request.ts'
import { countOf, rowOf, subscribe } from './rows.ts'

const ROUNDS = 8

const { app, each } = suite({ start: () => startGatewayApp() })
each(() => {
  app.wire.hold = () => undefined
})
const shop = each(() => givenShop(app, '1'))
each(async () => {
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  subscribe(app, shop.id, ['order.paid', 'payment.created', 'payment.paid', 'payment.failed'])
})

const stripe = { paymentMethodsKeys: ['stripe'] }
const order = async (change: object = stripe): Promise<string> =>
  (await givenOrder(app, shop, change)).orderUUID

async function read(orderUUID: string) {
  const found = await getOrder(app, shop, orderUUID)
  expect(orderProblems(found)).toEqual([])
  return found
}

const cancel = (orderUUID: string) =>
  app.call('POST', `/v1/orders/${orderUUID}/cancel`, { key: shop.live, body: {} })

/** Starts two operations a few turns apart, in either order, interleaved differently in each round. */
async function both<A, B>(round: number, a: () => Promise<A>, b: () => Promise<B>): Promise<[A, B]> {
  const turns = Math.floor(round / 2)
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let turn = 0; turn < turns * 3; turn++) await Promise.resolve()
    if (turns > 1) await Bun.sleep(turns - 1)
    return work()
  }
  if (round % 2 === 0) return Promise.all([a(), later(b)])
  const second = b()
  return Promise.all([later(a), second])
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => round)

test('two callbacks of one payment at the same time make one transaction and one order.paid', async () => {
  for (const round of rounds) {
    const orderUUID = await order()
    const attempt = await openProvider(app, orderUUID)
    const url = urlWith(String(attempt.callback_url), paymentTo(attempt))
    const send = () => callUrl(app, url, signed(url))
    const answers = await both(round, send, send)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await read(orderUUID)).status).toBe('PAID')
    expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
    expect(countOf(app, 'transactions', orderUUID)).toBe(1)
    expect(eventTypesOf(app, orderUUID)).toEqual(['payment.created', 'order.paid', 'payment.paid'])
    expect(unmatchedOf(app, orderUUID)).toEqual([])
  }
})

test('of 20 different payments at the same time, one pays and nineteen are unmatched', async () => {
  const orderUUID = await order()
  const attempt = await openProvider(app, orderUUID)
  const answers = await Promise.all(Array.from({ length: 20 }, () => callBack(app, attempt)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  expect(unmatchedOf(app, orderUUID)).toEqual(Array(19).fill('second_payment open'))
})

test('one transaction that is reported for two orders at once pays both, each at its address', async () => {
  for (const round of rounds) {
    const ids = [await order(), await order()]
    const [a, b] = [await openProvider(app, ids[0]!), await openProvider(app, ids[1]!)]
    const tx = { txid_in: newTx(), txid_out: newTx() }
    await both(
      round,
      () => callBack(app, a, tx),
      () => callBack(app, b, tx),
    )
    const statuses = await Promise.all(ids.map(async id => (await read(id)).status))
    expect(statuses).toEqual(['PAID', 'PAID'])
  }
})

test('a callback, the polling and a check on the page at the same time settle once', async () => {
  for (const round of rounds) {
    const orderUUID = await order()
    await openProvider(app, orderUUID)
    app.wire.isLost = true
    await simulated(app, orderUUID, 'paid')
    app.wire.isLost = false
    app.time.now += HOUR_MS
    await both(
      round,
      () => simulated(app, orderUUID, 'duplicate'),
      () => Promise.all([app.jobs.settle(), app.call('POST', `/pay/${orderUUID}/check`)]),
    )
    expect((await read(orderUUID)).status).toBe('PAID')
    expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
    expect(eventTypesOf(app, orderUUID)).toEqual(['payment.created', 'order.paid', 'payment.paid'])
  }
})

test('10 requests at once are redirected to one page, with one attempt and one event', async () => {
  const orderUUID = await order()
  const answers = await Promise.all(Array.from({ length: 10 }, () => enter(app, orderUUID)))
  const pages = new Set(answers.map(({ headers }) => headers.get('location')))
  expect([...pages]).toEqual([expect.stringContaining(PROVIDER_PAGE)])
  expect(attemptsOf(app, orderUUID)).toHaveLength(1)
  expect((await read(orderUUID)).provisioningStatus).toBe('READY')
  expect(eventTypesOf(app, orderUUID)).toEqual(['payment.created'])
})

/** Opens a provider's page by a request whose answer does not come until the returned function lets it fail. */
async function openSlowly(orderUUID: string): Promise<() => Promise<unknown>> {
  const { promise, reject } = Promise.withResolvers<void>()
  let asked = 0
  app.wire.hold = path => {
    if (!path.endsWith('/custom-affiliate.php')) return undefined
    asked += 1
    return asked === 1 ? promise : undefined
  }
  const slow = enter(app, orderUUID)
  while (asked === 0) await Bun.sleep(1)
  return () => {
    reject(new Error('the line is dead'))
    return slow
  }
}

test('of two requests at once, a failure of one does not affect the other', async () => {
  const orderUUID = await order()
  const fail = await openSlowly(orderUUID)
  await openProvider(app, orderUUID)
  expect(await simulated(app, orderUUID, 'paid')).toEqual([200])
  const before = await read(orderUUID)
  await fail()
  expect(await read(orderUUID)).toEqual(before)
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'settled' }])
})

test('a request that fails leaves open an attempt whose page another request has opened', async () => {
  const orderUUID = await order()
  const fail = await openSlowly(orderUUID)
  const { redirect_url } = await openProvider(app, orderUUID)
  await fail()
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'waiting', redirect_url }])
  expect((await read(orderUUID)).provisioningStatus).toBe('READY')
})

test('either a cancellation or an opened page succeeds, if both happen at the same time', async () => {
  const outcomes = new Set<string>()
  for (const round of rounds) {
    const orderUUID = await order()
    const [cancelled, entered] = await both(
      round,
      () => cancel(orderUUID),
      () => enter(app, orderUUID),
    )
    const found = await read(orderUUID)
    outcomes.add(found.status)
    const isSent = entered.headers.get('location')?.startsWith(PROVIDER_PAGE) ?? false
    if (found.status === 'CANCELLED') {
      expect([cancelled.status, isSent, attemptsOf(app, orderUUID)]).toEqual([200, false, []])
      expect([303, 409]).toContain(entered.status)
      expect(found.provisioningStatus).toBe('ABANDONED')
    } else {
      expect([cancelled.status, cancelled.json.error.code]).toEqual([409, 'order_not_cancellable'])
      expect([isSent, found.status, found.provisioningStatus]).toEqual([true, 'UNPAID', 'READY'])
    }
  }
  expect(outcomes).toContain('CANCELLED')
})

test('an order cannot be cancelled while its page is being opened', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  app.wire.hold = path => (path.endsWith('/custom-affiliate.php') ? promise : undefined)
  const orderUUID = await order()
  const entering = enter(app, orderUUID)
  while (attemptsOf(app, orderUUID).length === 0) await Bun.sleep(1)
  expect((await cancel(orderUUID)).status).toBe(409)
  resolve()
  expect((await entering).status).toBe(303)
  expect((await read(orderUUID)).status).toBe('UNPAID')
})

test('a page that opens after the order was paid is not shown, so that its buyer cannot pay twice', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  app.wire.hold = path => (path.endsWith('/custom-affiliate.php') ? promise : undefined)
  const orderUUID = await order()
  const entering = enter(app, orderUUID)
  while (attemptsOf(app, orderUUID).length === 0) await Bun.sleep(1)
  await paidInCash(app, shop, orderUUID)
  resolve()
  expect((await entering).headers.get('location')).toBe(`/pay/${orderUUID}`)
})

test('after a cancellation and a settlement at the same time, the order is paid', async () => {
  for (const round of rounds) {
    const orderUUID = await order()
    const attempt = await openProvider(app, orderUUID)
    const [cancelled, called] = await both(
      round,
      () => cancel(orderUUID),
      () => callBack(app, attempt),
    )
    expect([cancelled.status, called.status]).toEqual([409, 200])
    expect((await read(orderUUID)).status).toBe('PAID')
  }
})

test('either a force or a settlement succeeds, if both happen at the same time, and no payment is lost', async () => {
  for (const round of rounds) {
    const orderUUID = await order()
    const attempt = await openProvider(app, orderUUID)
    const forcing = { merchantId: shop.id, orderId: orderUUID, by: 'Ann', reason: 'paid in cash' }
    const [forced, called] = await both(
      round,
      () => forceOrder(app.context, forcing).catch(({ code }) => code),
      () => callBack(app, attempt),
    )
    expect(called.status).toBe(200)
    const found = await read(orderUUID)
    expect(found.status).toBe('PAID')
    expect(eventTypesOf(app, orderUUID).filter(type => type === 'order.paid')).toHaveLength(1)
    const isForced = found.forced === true
    if (!isForced) expect(forced).toBe('order_not_forcible')
    expect(countOf(app, 'transactions', orderUUID)).toBe(isForced ? 0 : 1)
    expect(unmatchedOf(app, orderUUID)).toEqual(isForced ? ['order_closed open'] : [])
  }
})

test('after an expiry and a settlement at the same time, the order is paid', async () => {
  for (const round of rounds) {
    const orderUUID = await order({ ...stripe, expiresAt: instant(app.time.now + HOUR_MS) })
    const attempt = await openProvider(app, orderUUID)
    app.time.now += HOUR_MS
    await both(
      round,
      () => app.jobs.settle(),
      () => callBack(app, attempt),
    )
    expect(await read(orderUUID)).toMatchObject({ status: 'PAID', provisioningStatus: 'SETTLED' })
    expect(unmatchedOf(app, orderUUID)).toEqual([])
  }
})

test('an expiry and an opened page at the same time leave no open attempt on an expired order', async () => {
  for (const round of rounds) {
    const orderUUID = await order({ ...stripe, expiresAt: instant(app.time.now + HOUR_MS) })
    app.time.now += HOUR_MS - 1
    await both(
      round,
      async () => {
        app.time.now += 1
        await app.jobs.settle()
      },
      () => enter(app, orderUUID),
    )
    await app.jobs.settle()
    expect((await read(orderUUID)).status).toBe('EXPIRED')
    expect(attemptsOf(app, orderUUID).filter(({ state }) => state === 'waiting')).toEqual([])
  }
})

test('after a decline and a payment at the same time, the payment pays or is unmatched', async () => {
  for (const round of rounds) {
    const orderUUID = await order()
    const attempt = await openProvider(app, orderUUID)
    const failed = `${attempt.callback_url}&status=failed&address_in=${attempt.address}`
    await both(
      round,
      () => callUrl(app, failed),
      () => callBack(app, attempt),
    )
    const found = await read(orderUUID)
    expect(['PAID', 'FAILED']).toContain(found.status)
    expect(unmatchedOf(app, orderUUID)).toEqual(found.status === 'PAID' ? [] : ['order_closed open'])
  }
})

test('of a card and a coin payment at the same time, one pays and the other is unmatched', async () => {
  for (const round of rounds) {
    const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
    const card = await openProvider(app, orderUUID, 'stripe')
    await openCrypto(app, orderUUID, 'btc')
    const coin = attemptsOf(app, orderUUID).at(-1)!
    await sendCoins(app, coin, BigInt(String(coin.due_atomic)))
    app.time.now += HOUR_MS / 6
    await both(
      round,
      () => callBack(app, card),
      () => app.jobs.settle(),
    )
    await app.advance(HOUR_MS)
    expect((await read(orderUUID)).status).toBe('PAID')
    expect(countOf(app, 'transactions', orderUUID)).toBe(1)
    expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
    expect(rowOf(app, 'SELECT kind FROM notifications WHERE order_id = ?', orderUUID)).toEqual({
      kind: 'unmatched_payment',
    })
  }
})
