import { expect, test } from 'bun:test'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { testWebhook } from '../../src/operations/webhooks/send-test.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant, givenOrder, paidInCash, type Shop, simulate } from '../support/given.ts'
import { isSigned, type Received, startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { quickTimers } from '../support/timers.ts'
import { orderPaidProblems, paymentEventProblems } from './expected-shapes.ts'
import { DAY_MS, getOrder, HOUR_MS, MINUTE_MS, openOnly, wallets } from './payments.ts'
import { data, listen } from './request.ts'
import { changeRows, type Row, rowOf, rowsOf } from './rows.ts'

/** the addresses of host names; tests may change them */
let names: Record<string, string>
/** from 0 to below 1: the random number of the jitter */
let chance: number | null
/** the time limits of the requests; a test may let the time pass faster */
let timers: ReturnType<typeof quickTimers>

const bytesOf = (share: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, Math.floor(share * 2 ** 32))
  return bytes
}

async function start() {
  names = {}
  chance = 0.5
  timers = quickTimers()
  const [receiver, other] = [startReceiver(), startReceiver()]
  const app = await startApp(
    { FLORIN_OUTBOUND_ALLOW: `${receiver.host},${other.host}` },
    {
      random: bytes =>
        bytes === 4 && chance !== null ? bytesOf(chance) : crypto.getRandomValues(new Uint8Array(bytes)),
      lookup: async host => {
        const address = names[host]
        if (!address) throw new Error('not found')
        return [{ address }]
      },
      startTimer: timers.startTimer,
    },
  )
  return {
    ...app,
    receiver,
    other,
    async close() {
      await app.close()
      await Promise.all([receiver.stop(), other.stop()])
    },
  }
}

const { app, once, each, ownApp } = suite({ start })
const [receiver, other] = [once(() => app.receiver), once(() => app.other)]
each(() => {
  for (const { received, answerWith } of [receiver, other]) {
    received.length = 0
    answerWith(() => new Response('ok'))
  }
  names = {}
  chance = 0.5
  timers.speed = 1
  // Removes deliveries of earlier tests, which would arrive too.
  changeRows(app, "DELETE FROM jobs WHERE kind = 'event.deliver'")
  changeRows(app, "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE status = 'pending'")
})
const shop = each(() => givenPayee())
let secret: string
each(async () => {
  secret = await listen(app, shop, receiver.url)
})

async function givenPayee(): Promise<Shop> {
  const payee = await givenMerchant(app)
  await data(app, 'PUT', '/v1/wallet', { key: payee.live, body: { cryptoWallets: wallets } })
  return payee
}

/** A paid order. Does not wait for its deliveries. */
async function paidOrder(payee = shop, change: object = {}): Promise<string> {
  const { orderUUID } = await givenOrder(app, payee, { paymentMethodsKeys: ['crypto'], ...change })
  await paidInCash(app, payee, orderUUID)
  return orderUUID
}

async function settledOrder(change: object = {}): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], ...change })
  await openOnly(app, orderUUID, 'ltc')
  // Waits first: a delivery that is running when the clock jumps past its lease would be sent twice.
  await app.jobs.settle()
  await simulate(app, orderUUID, 'paid')
  await app.advance(10 * MINUTE_MS)
  return orderUUID
}

const deliveryOf = (orderUUID: string, type = 'order.paid'): Row =>
  rowOf(
    app,
    'SELECT d.* FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = ? AND e.type = ?',
    orderUUID,
    type,
  )

// biome-ignore lint/suspicious/noExplicitAny: what was tried is what the tests are about
const triesOf = (orderUUID: string): any[] => JSON.parse(String(deliveryOf(orderUUID).tries))

const webhookOf = (payee = shop): Row => rowOf(app, 'SELECT * FROM webhooks WHERE merchant_id = ?', payee.id)

const fail = () => new Response('no', { status: 500 })
const of = (orderUUID: string, at = receiver): Received[] =>
  at.received.filter(({ json }) => json.orderUUID === orderUUID)

const answers: [title: string, answer: () => Response, status: number][] = [
  ['201', () => new Response('ok', { status: 201 }), 201],
  ['202', () => new Response('ok', { status: 202 }), 202],
  ['204', () => new Response(null, { status: 204 }), 204],
  ['302', () => new Response('', { status: 302, headers: { location: other.url } }), 302],
  ['307', () => new Response('', { status: 307, headers: { location: other.url } }), 307],
  ['304', () => new Response(null, { status: 304 }), 304],
  ['400', () => new Response('', { status: 400 }), 400],
  ['404', () => new Response('', { status: 404 }), 404],
  ['410', () => new Response('', { status: 410 }), 410],
  ['500', fail, 500],
  ['503', () => new Response('', { status: 503, headers: { 'retry-after': '1' } }), 503],
]

test.each(answers)('a response of %s is a failed delivery and is retried', async (_, answer, httpStatus) => {
  receiver.answerWith(answer)
  const orderUUID = await paidOrder()
  await app.jobs.settle()
  expect([receiver.received.length, other.received.length]).toEqual([1, 0])
  expect(deliveryOf(orderUUID)).toMatchObject({ status: 'pending', next_attempt_at: app.time.now + 30_000 })
  expect(triesOf(orderUUID)).toMatchObject([{ at: app.time.now, outcome: 'refused', httpStatus }])
  receiver.answerWith(() => new Response('anything at all'))
  await app.advance(30_000)
  expect(deliveryOf(orderUUID)).toMatchObject({ status: 'delivered', next_attempt_at: null })
  expect(receiver.received).toHaveLength(2)
  await app.advance(4 * DAY_MS)
  expect([receiver.received.length, other.received.length]).toEqual([2, 0])
})

test('a delivery fails if the webhook refuses connections', async () => {
  await receiver.stop()
  const orderUUID = await paidOrder()
  await app.jobs.settle()
  expect(triesOf(orderUUID)).toMatchObject([{ httpStatus: null, outcome: 'unreachable' }])
  expect(deliveryOf(orderUUID)).toMatchObject({ status: 'pending' })
})

test('a delivery fails if the webhook does not respond in ten seconds', async () => {
  await ownApp()
  receiver.answerWith(() => Bun.sleep(60_000).then(() => new Response('late')))
  const orderUUID = await paidOrder()
  timers.asked.length = 0
  timers.speed = 50
  await app.jobs.settle()
  const [attempt] = triesOf(orderUUID)
  expect(attempt).toMatchObject({ httpStatus: null, outcome: 'timed_out' })
  expect(timers.asked).toEqual([10_000])
  expect(attempt.durationMs).toBeWithin(190, 9_000)
  expect(deliveryOf(orderUUID).status).toBe('pending')
})

test('order.paid for a verified payment has exactly the documented body', async () => {
  await ownApp()
  const metadata = { cart: { id: 7, note: 'ü "<&>" \u2028' }, list: [1, null] }
  const orderUUID = await settledOrder({ externalId: 'cart:7', metadata, amount: '0100.5' })
  const [event, ...more] = of(orderUUID)
  expect(more).toEqual([])
  const { paidTransactionUUID, transactionRef, paidAt } = await getOrder(app, shop, orderUUID)
  expect(orderPaidProblems(event!.json)).toEqual([])
  expect(event!.json).toEqual({
    id: deliveryOf(orderUUID).event_id,
    type: 'order.paid',
    createdAt: paidAt,
    orderUUID,
    transactionUUID: paidTransactionUUID,
    transactionRef,
    status: 'PAID',
    amount: '100.50',
    currency: 'USD',
    customerEmail: 'buyer@example.com',
    externalId: 'cart:7',
    metadata,
    paidAt,
  })
  const { headers } = event!
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('x-service-event')).toBe('order.paid')
  expect(headers.get('x-service-event-id')).toBe(event!.json.id)
  expect(headers.get('x-service-timestamp')).toBe(String(Math.floor(app.time.now / 1000)))
  expect(headers.get('x-service-signature')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(isSigned(event!, secret)).toBe(true)
  expect(isSigned(event!, `${secret}x`)).toBe(false)
  expect(JSON.stringify(app.logged)).not.toContain(secret)
})

test('a receiver that compares clocks accepts events after the sandbox’s clock was moved', async () => {
  await ownApp()
  await app.call('POST', '/sandbox/clock', { body: { advanceSeconds: 1800 } })
  await testWebhook(app.context, shop.id)
  const [event] = receiver.received.slice(-1)
  expect(event!.headers.get('x-service-timestamp')).toBe(String(Math.floor(app.time.now / 1000)))
  expect(isSigned(event!, secret)).toBe(true)
  expect(Date.parse(event!.json.createdAt)).toBe(app.time.now + 1_800_000)
})

test('order.paid for a forced payment has no transaction', async () => {
  const orderUUID = await paidOrder()
  await app.jobs.settle()
  const [event] = of(orderUUID)
  expect(orderPaidProblems(event!.json)).toEqual([])
  expect(Object.keys(event!.json)).not.toContain('transactionUUID')
  expect(Object.keys(event!.json)).not.toContain('transactionRef')
  expect(isSigned(event!, secret)).toBe(true)
})

/** The retries after the first attempt, up to three days. */
const pausesMs = [
  ...[30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS],
  ...Array<number>(5).fill(12 * HOUR_MS),
]

test('a failing delivery is retried on schedule for three days, and then once a day', async () => {
  receiver.answerWith(fail)
  const orderUUID = await paidOrder()
  await app.jobs.settle()
  for (const [i, pause] of pausesMs.entries()) {
    await app.advance(pause - 1)
    expect([i, receiver.received.length]).toEqual([i, i + 1])
    expect(deliveryOf(orderUUID)).toMatchObject({ status: 'pending', next_attempt_at: app.time.now + 1 })
    await app.advance(1)
    expect([i, receiver.received.length]).toEqual([i, i + 2])
  }
  expect(deliveryOf(orderUUID)).toMatchObject({ status: 'failed', next_attempt_at: null })
  expect(receiver.received).toHaveLength(pausesMs.length + 1)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers.get('x-service-event-id'))).size).toBe(1)
  const stamps = receiver.received.map(({ headers }) => Number(headers.get('x-service-timestamp')) * 1000)
  expect(stamps).toEqual(triesOf(orderUUID).map(({ at }) => at))
  expect(new Set(receiver.received.map(({ headers }) => headers.get('x-service-signature'))).size).toBe(13)
  expect(receiver.received.every(event => isSigned(event, secret))).toBe(true)
  for (let day = 0; day < 2; day++) await app.advance(DAY_MS)
  expect(receiver.received).toHaveLength(pausesMs.length + 3)
})

const jitters: [chance: number, share: number][] = [
  [0, 0.9],
  [0.25, 0.95],
  [1 - 2 ** -32, 1.1],
]

test.each(jitters)(
  'the random number %d scales every pause by %d, within 10 percent',
  async (given, share) => {
    await ownApp()
    chance = given
    receiver.answerWith(fail)
    const orderUUID = await paidOrder()
    await app.jobs.settle()
    for (const pause of pausesMs.slice(0, 8)) {
      const wait = Number(deliveryOf(orderUUID).next_attempt_at) - app.time.now
      expect(wait).toBeWithin(Math.floor(pause * share) - 1, Math.ceil(pause * share) + 2)
      await app.advance(wait)
    }
    expect(receiver.received).toHaveLength(9)
  },
)

test('the random part of a pause differs from event to event', async () => {
  chance = null
  receiver.answerWith(fail)
  const ids = await Promise.all(Array.from({ length: 8 }, () => paidOrder()))
  await app.jobs.settle()
  const waits = ids.map(id => Number(deliveryOf(id).next_attempt_at) - app.time.now)
  expect(new Set(waits).size).toBeGreaterThan(4)
  expect(waits.filter(wait => wait < 27_000 || wait > 33_000)).toEqual([])
})

test('a hanging endpoint gets four events at once and does not delay other merchants', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [open, most] = [0, 0]
  receiver.answerWith(async () => {
    open += 1
    most = Math.max(most, open)
    await promise
    open -= 1
    return new Response('ok')
  })
  const neighbour = await givenPayee()
  await listen(app, neighbour, other.url)
  for (let i = 0; i < 12; i++) await paidOrder()
  const settled = app.jobs.settle()
  while (open < 4) await Bun.sleep(1)
  for (let i = 0; i < 3; i++) await paidOrder(neighbour)
  for (let left = 3000; other.received.length < 3 && left > 0; left--) await Bun.sleep(10)
  expect([other.received.length, open, most]).toEqual([3, 4, 4])
  resolve()
  await settled
  await app.jobs.settle()
  expect(receiver.received).toHaveLength(12)
})

test('a failing event does not delay other events of its endpoint', async () => {
  const bad = await paidOrder()
  receiver.answerWith(fail)
  await app.jobs.settle()
  receiver.answerWith(({ json }) => (json.orderUUID === bad ? fail() : new Response('ok')))
  const good = await paidOrder()
  await app.jobs.settle()
  expect([deliveryOf(bad).status, deliveryOf(good).status]).toEqual(['pending', 'delivered'])
})

const disabling: [title: string, failures: number, ageMs: number, status: string][] = [
  ['19 failures in five days', 19, 5 * DAY_MS, 'active'],
  ['20 failures in less than five days', 20, 5 * DAY_MS - 1, 'active'],
  ['20 failures in five days', 20, 5 * DAY_MS, 'disabled'],
]

test.each(disabling)('after %s, the webhook has the expected status', async (_, failures, ageMs, status) => {
  receiver.answerWith(fail)
  const since = app.time.now - ageMs
  const change = 'UPDATE webhooks SET failures = ?, failing_since = ? WHERE merchant_id = ?'
  changeRows(app, change, failures - 1, since, shop.id)
  await paidOrder()
  await app.jobs.settle()
  expect(webhookOf()).toMatchObject({ status, failures, failing_since: since })
})

test('an endpoint that fails for five days is disabled, the merchant is notified, and a new URL enables it', async () => {
  receiver.answerWith(fail)
  for (let half = 0; half < 11; half++) {
    if (half % 2 === 0) await paidOrder()
    await app.advance(DAY_MS / 2)
  }
  expect(webhookOf().status).toBe('disabled')
  const notifications = "SELECT kind FROM notifications WHERE merchant_id = ? AND kind = 'webhook_disabled'"
  expect(rowsOf(app, notifications, shop.id)).toEqual([{ kind: 'webhook_disabled' }])
  const received = receiver.received.length
  const waiting = await paidOrder()
  await app.advance(HOUR_MS)
  expect(receiver.received).toHaveLength(received)
  expect(deliveryOf(waiting)).toMatchObject({ status: 'pending', next_attempt_at: null })

  receiver.answerWith(() => new Response('ok'))
  expect(await listen(app, shop, receiver.url)).toBeUndefined()
  await app.jobs.settle()
  expect(webhookOf()).toMatchObject({ status: 'active', failures: 0, failing_since: null })
  expect(deliveryOf(waiting).status).toBe('delivered')
  expect(of(waiting).every(event => isSigned(event, secret))).toBe(true)
})

test('one successful delivery resets the failure count', async () => {
  receiver.answerWith(fail)
  await paidOrder()
  await app.jobs.settle()
  expect(webhookOf()).toMatchObject({ failures: 1, failing_since: app.time.now })
  receiver.answerWith(() => new Response('ok'))
  await paidOrder()
  await app.jobs.settle()
  expect(webhookOf()).toMatchObject({ failures: 0, failing_since: null })
})

test('payment events are sent only to subscribers, and signed like order.paid', async () => {
  const first = await settledOrder()
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['order.paid'])
  // Events of other types are not recorded either, or they would be sent after a later subscription.
  expect(rowsOf(app, 'SELECT type FROM events WHERE order_id = ?', first)).toEqual([{ type: 'order.paid' }])
  await chooseEvents(app.context, shop.id, ['payment.created', 'payment.paid'])
  const orderUUID = await settledOrder()
  const events = of(orderUUID)
  expect(events.map(({ json }) => json.type).sort()).toEqual(['payment.created', 'payment.paid'])
  for (const event of events) {
    expect(paymentEventProblems(event.json)).toEqual([])
    expect(event.headers.get('x-service-event')).toBe(event.json.type)
    expect(isSigned(event, secret)).toBe(true)
  }
})

test('an event of a merchant without a webhook waits for one, and is sent only to it', async () => {
  await ownApp()
  const late = await givenPayee()
  const orderUUID = await paidOrder(late)
  await app.advance(DAY_MS)
  expect(deliveryOf(orderUUID)).toMatchObject({ status: 'pending', next_attempt_at: null, tries: '[]' })
  const lateSecret = await listen(app, late, other.url)
  await app.jobs.settle()
  const [event] = of(orderUUID, other)
  expect(isSigned(event!, lateSecret)).toBe(true)
  expect([deliveryOf(orderUUID).status, receiver.received.length]).toEqual(['delivered', 0])
})

test('waiting events are sent when the URL is changed, with the same secret', async () => {
  receiver.answerWith(fail)
  const orderUUID = await paidOrder()
  await app.jobs.settle()
  await listen(app, shop, other.url)
  await app.advance(30_000)
  const [event] = of(orderUUID, other)
  expect(event!.body).toBe(receiver.received[0]!.body)
  expect(isSigned(event!, secret)).toBe(true)
  expect([receiver.received.length, deliveryOf(orderUUID).status]).toEqual([1, 'delivered'])
})

const privateAddresses = ['127.0.0.1', '10.0.0.5', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1']

test.each(privateAddresses)(
  'a host name that was public and now resolves to %s is not called',
  async address => {
    const port = receiver.host.split(':')[1]
    names['shop.example'] = '93.184.216.34'
    await listen(app, shop, `https://shop.example:${port}/hook`)
    names['shop.example'] = address
    const orderUUID = await paidOrder()
    await app.jobs.settle()
    const outcome = 'destination_not_allowed'
    expect(triesOf(orderUUID)).toMatchObject([{ httpStatus: null, outcome }])
    expect(deliveryOf(orderUUID)).toMatchObject({ status: 'pending', next_attempt_at: app.time.now + 30_000 })
    expect(receiver.received).toEqual([])
  },
)

test('an event is sent only to the endpoint of its own merchant', async () => {
  const neighbour = await givenPayee()
  const neighbourSecret = await listen(app, neighbour, other.url)
  const [mine, theirs] = [await paidOrder(), await paidOrder(neighbour)]
  await app.jobs.settle()
  expect(receiver.received.map(({ json }) => json.orderUUID)).toEqual([mine])
  expect(other.received.map(({ json }) => json.orderUUID)).toEqual([theirs])
  expect([isSigned(other.received[0]!, secret), isSigned(other.received[0]!, neighbourSecret)]).toEqual([
    false,
    true,
  ])
})
