import { expect, test } from 'bun:test'
import { scopes } from '../../src/domain/api-key.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { START } from '../support/app.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, type Shop } from '../support/given.ts'
import { isSigned } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { eventProblems } from './expected-settled-shapes.ts'
import { givenPaid } from './refunding.ts'
import { data, listen, MARKER, type Refused, refused } from './request.ts'
import { changeRows, rowOf, subscribe } from './rows.ts'

const { app, once, each } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
const stranger = once(() => givenShop(app))
/** an event of another merchant */
let theirs: string
once(async () => {
  theirs = await eventOf(await forced(stranger))
  await app.jobs.settle()
})
const shop = each(() => givenShop(app))
let secret: string
each(async () => {
  app.time.now = START
  receiver.answerWith(() => new Response('ok'))
  secret = await listen(app, shop, receiver.url)
})

const wrong: Refused = { status: 400, code: 'validation_error' }
const absent: Refused = { status: 404, code: 'not_found' }
const conflict: Refused = { status: 409, code: 'conflict' }
const lacking: Refused = { status: 403, code: 'insufficient_scope' }
const DAY_MS = 24 * 3600_000

/** An order that has an event at once, because it was forced. */
async function forced(merchant = shop): Promise<string> {
  const { orderUUID } = await givenOrder(app, merchant)
  const reason = 'paid in cash'
  await forceOrder(app.context, { merchantId: merchant.id, orderId: orderUUID, by: 'Ann', reason })
  return orderUUID
}

const eventOf = async (orderUUID: string): Promise<string> =>
  String(rowOf(app, "SELECT id FROM events WHERE order_id = ? AND type = 'order.paid'", orderUUID).id)

async function settled(merchant = shop): Promise<string> {
  const id = await eventOf(await forced(merchant))
  await app.jobs.settle()
  return id
}

/** The deliveries of one event. Others may be retried meanwhile. */
const receivedOf = (id: string) => receiver.received.filter(({ json }) => json.id === id)

const list = (query = '', key = shop.live) => data(app, 'GET', `/v1/events${query}`, { key })
const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)

async function read(id: string, key = shop.live) {
  const event = await data(app, 'GET', `/v1/events/${id}`, { key })
  expect(eventProblems(event)).toEqual([])
  return event
}

async function redeliver(id: string, key = shop.live) {
  const event = await data(app, 'POST', `/v1/events/${id}/redeliver`, { key }, 202)
  expect(eventProblems(event)).toEqual([])
  return event
}

const wrongQueries: [title: string, query: string][] = [
  ['an unknown type', `type=${MARKER}`],
  ['a type in capitals', 'type=ORDER.PAID'],
  ['an empty type', 'type='],
  ['two types', 'type=order.paid&type=payment.paid'],
  ['an unknown status', `status=${MARKER}`],
  ['a status in capitals', 'status=FAILED'],
  ['an empty status', 'status='],
  ['an unknown property', `orderUUID=${MARKER}`],
  ['a page size of 0', 'pageSize=0'],
  ['a page size of 101', 'pageSize=101'],
  ['an empty token', 'pageToken='],
  ['a token that is a word', `pageToken=${MARKER}`],
]

test.each(wrongQueries)('a list of events with %s is refused', async (_, query) => {
  await refused(app, wrong, 'GET', `/v1/events?${query}`, { key: shop.live })
})

const routes: [method: string, path: string, scope: string][] = [
  ['GET', '/v1/events/ID', 'api:read'],
  ['POST', '/v1/events/ID/redeliver', 'webhooks:write'],
]

test.each(routes)('%s %s of another merchant, or with an unknown id, is not found', async (method, path) => {
  for (const id of [theirs, crypto.randomUUID()]) {
    await refused(app, absent, method, path.replace('ID', id), { key: shop.live })
  }
  await refused(app, wrong, method, path.replace('ID', MARKER), { key: shop.live })
})

test.each([...routes, ['GET', '/v1/events', 'api:read']] as typeof routes)(
  '%s %s needs a key with the scope, which is checked first',
  async (method, path, scope) => {
    const id = await settled()
    const others = scopes.filter(one => one !== scope)
    const { text } = await createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: others })
    const alone = await createKey(app.context, { merchantId: shop.id, mode: 'test', scopes: [scope] })
    for (const event of [id, theirs, MARKER]) {
      await refused(app, { status: 401, code: 'unauthorized' }, method, path.replace('ID', event))
      await refused(app, { status: 401, code: 'invalid_api_key' }, method, path.replace('ID', event), {
        key: MARKER,
      })
      await refused(app, lacking, method, path.replace('ID', event), { key: text })
    }
    await data(app, method, path.replace('ID', id), { key: alone.text }, method === 'GET' ? 200 : 202)
  },
)

const inactive: [title: string, make: () => Promise<{ merchant: Shop; id: string }>][] = [
  ['no webhook is set', async () => ({ merchant: stranger, id: theirs })],
  [
    'the webhook is disabled',
    async () => {
      const id = await settled()
      changeRows(app, "UPDATE webhooks SET status = 'disabled' WHERE merchant_id = ?", shop.id)
      return { merchant: shop, id }
    },
  ],
]

test.each(inactive)('an event is not redelivered when %s', async (_, make) => {
  const { merchant, id } = await make()
  await refused(app, conflict, 'POST', `/v1/events/${id}/redeliver`, { key: merchant.live })
})

test('an event that waits for an endpoint is pending, without a next attempt', async () => {
  const event = await read(theirs, stranger.live)
  expect(event).toMatchObject({
    id: theirs,
    type: 'order.paid',
    status: 'pending',
    nextAttemptAt: null,
    attempts: [],
  })
})

test('a delivered event shows its attempt', async () => {
  const orderUUID = await forced()
  const id = await eventOf(orderUUID)
  const at = new Date(START).toISOString()
  await app.jobs.settle()
  const event = await read(id, shop.test)
  const { durationMs, ...attempt } = event.attempts[0]
  expect(attempt).toEqual({ at, httpStatus: 200, outcome: 'delivered' })
  expect(durationMs).toBeGreaterThanOrEqual(0)
  expect({ ...event, attempts: event.attempts.length }).toEqual({
    ...{ id, type: 'order.paid', orderUUID, createdAt: at, status: 'delivered', nextAttemptAt: null },
    attempts: 1,
  })
})

test('a refused event shows the response and the time of the next attempt', async () => {
  receiver.answerWith(() => new Response('no', { status: 503 }))
  const id = await settled()
  const event = await read(id)
  expect(event).toMatchObject({ status: 'pending', attempts: [{ httpStatus: 503, outcome: 'refused' }] })
  expect(Date.parse(event.nextAttemptAt) - START).toBeGreaterThanOrEqual(27_000)
  await app.advance(33_000)
  expect((await read(id)).attempts).toHaveLength(2)
})

test('a delivered event is redelivered with the same id and body and a new signature', async () => {
  const id = await settled()
  app.time.now += 3600_000
  const event = await redeliver(id)
  expect(event).toMatchObject({ id, status: 'pending', nextAttemptAt: new Date(app.time.now).toISOString() })
  expect(event.attempts).toHaveLength(1)
  await app.jobs.settle()
  const [first, again, ...more] = receivedOf(id)
  expect(more).toEqual([])
  expect([again?.body, again?.headers.get('x-service-event-id')]).toEqual([first!.body, id])
  expect(again!.headers.get('x-service-timestamp')).toBe(String(app.time.now / 1000))
  expect([isSigned(first!, secret), isSigned(again!, secret)]).toEqual([true, true])
  expect(await read(id)).toMatchObject({ status: 'delivered', nextAttemptAt: null, attempts: [{}, {}] })
})

test('a failed event is redelivered, and its schedule starts again', async () => {
  receiver.answerWith(() => new Response('no', { status: 500 }))
  const id = await settled()
  for (let i = 0; i < 20; i++) await app.advance(12 * 3600_000)
  const failed = await read(id)
  expect([failed.status, failed.nextAttemptAt]).toEqual(['failed', null])
  app.time.now += 1
  await redeliver(id)
  await app.jobs.settle()
  const redelivered = await read(id)
  expect([redelivered.status, redelivered.attempts.length]).toEqual(['pending', failed.attempts.length + 1])
  const pause = Date.parse(redelivered.nextAttemptAt) - app.time.now
  expect(pause).toBeGreaterThanOrEqual(27_000)
  expect(pause).toBeLessThanOrEqual(33_000)
  receiver.answerWith(() => new Response('ok'))
  await app.advance(33_000)
  expect((await read(id)).status).toBe('delivered')
})

test('redelivering an event that waits for its next attempt sends it now, once', async () => {
  receiver.answerWith(() => new Response('no', { status: 500 }))
  const id = await settled()
  receiver.answerWith(() => new Response('ok'))
  app.time.now += 1000
  await redeliver(id)
  await app.jobs.settle()
  expect(receivedOf(id)).toHaveLength(2)
  await app.advance(DAY_MS)
  expect(receivedOf(id)).toHaveLength(2)
  expect((await read(id)).status).toBe('delivered')
})

test('redelivering sends an event that the endpoint had not subscribed to', async () => {
  subscribe(app, shop.id, ['payment.paid'])
  const id = await settled()
  expect(receivedOf(id)).toEqual([])
  await redeliver(id)
  await app.jobs.settle()
  expect(receivedOf(id)).toHaveLength(1)
})

test('20 redeliveries at once send the event once more', async () => {
  const id = await settled()
  app.time.now += 1000
  await Promise.all(Array.from({ length: 20 }, () => redeliver(id)))
  await app.jobs.settle()
  expect(receivedOf(id)).toHaveLength(2)
})

test('a redelivery during a delivery changes nothing', async () => {
  const gate = Promise.withResolvers<void>()
  receiver.answerWith(async () => {
    await gate.promise
    return new Response('ok')
  })
  const id = await eventOf(await forced())
  while (receivedOf(id).length === 0) await Bun.sleep(5)
  app.time.now += 1000
  expect(await redeliver(id)).toMatchObject({
    status: 'pending',
    nextAttemptAt: new Date(START).toISOString(),
  })
  gate.resolve()
  await app.jobs.settle()
  expect(receivedOf(id)).toHaveLength(1)
  expect(await read(id)).toMatchObject({ status: 'delivered', attempts: [{}] })
})

test('the list of events is newest first and filtered by type and status on every page', async () => {
  subscribe(app, shop.id, ['order.paid', 'payment.paid', 'payment.created'])
  receiver.answerWith(() => new Response('no', { status: 500 }))
  const first = (await givenPaid(app, shop)).orderUUID
  await app.jobs.settle()
  receiver.answerWith(({ json }) => new Response('', { status: json.orderUUID === first ? 500 : 200 }))
  app.time.now += 1
  const second = (await givenPaid(app, shop)).orderUUID
  await app.jobs.settle()
  const { items } = await list('?pageSize=100', shop.test)
  expect(items.flatMap(eventProblems)).toEqual([])
  type Item = { type: string; status: string; orderUUID: string; createdAt: string; id: string }
  const lines = items.map(({ type, status, orderUUID }: Item) => `${type} ${status} ${orderUUID}`)
  const types = ['order.paid', 'payment.created', 'payment.paid']
  expect(lines.sort()).toEqual(
    [
      ...types.map(type => `${type} delivered ${second}`),
      ...types.map(type => `${type} pending ${first}`),
    ].sort(),
  )
  const moments = items.map(({ createdAt }: Item) => createdAt)
  expect(moments).toEqual([...moments].sort().reverse())
  for (const type of [undefined, ...types, 'payment.failed']) {
    for (const status of [undefined, 'pending', 'delivered', 'failed']) {
      const expected = idsOf({
        items: items.filter(
          (item: Item) => (type ?? item.type) === item.type && (status ?? item.status) === item.status,
        ),
      })
      const query = new URLSearchParams({ ...(type && { type }), ...(status && { status }), pageSize: '2' })
      const found: string[] = []
      for (
        let page = await list(`?${query}`);
        ;
        page = await list(`?${query}&pageToken=${page.nextPageToken}`)
      ) {
        found.push(...idsOf(page))
        if (page.nextPageToken === undefined) break
      }
      expect([type, status, found]).toEqual([type, status, expected])
    }
  }
})

test('a list of events has none of another merchant', async () => {
  for (const query of ['', '?type=order.paid', '?status=pending', '?type=order.paid&status=pending']) {
    expect(await list(query)).toEqual({ items: [] })
    expect(idsOf(await list(query, stranger.live))).toEqual([theirs])
  }
})

test('an event shows no internal data: no body, no secret, no URL', async () => {
  const id = await settled()
  const text = JSON.stringify(await read(id))
  for (const part of [secret, receiver.url, receiver.host, 'Sam Buyer']) expect(text).not.toContain(part)
})
