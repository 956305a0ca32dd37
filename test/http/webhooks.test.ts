import { afterAll, expect, test } from 'bun:test'
import { asserted } from '../../src/domain/errors.ts'
import { listAudit } from '../../src/operations/audit/read.ts'
import { recordPaymentEvent } from '../../src/operations/webhooks/steps/record-event.ts'
import { recordInvoiceEvent } from '../../src/operations/webhooks/steps/record-greenfield.ts'
import { startApp } from '../support/app.ts'
import { givenOrder, givenShop, openCrypto, paidInCash } from '../support/given.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { data, listen, refused } from './request.ts'
import { rowsOf } from './rows.ts'

const [first, books] = [startReceiver(), startReceiver()]
const { app, each } = suite({
  start: () => startApp({ FLORIN_OUTBOUND_ALLOW: `${first.host},${books.host}` }),
  isFresh: true,
})
afterAll(() => Promise.all([first, books].map(receiver => receiver.stop())))
const shop = each(() => givenShop(app))

const PATH = '/v1/webhooks'
const HOUR_MS = 3600_000
const fail = () => new Response('no', { status: 500 })
const succeed = () => new Response('ok')

const call = (method: string, path: string, body?: object, status = 200) =>
  data(app, method, path, { key: shop.live, ...(body && { body }) }, status)
const add = (body: object = {}) => call('POST', PATH, { url: books.url, ...body }, 201)
const typesAt = (receiver: typeof books) => receiver.received.map(({ json }) => json.type)

async function paidOrder(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await paidInCash(app, shop, orderUUID)
  await app.jobs.settle()
  return orderUUID
}

function forget(): void {
  for (const receiver of [first, books]) {
    receiver.received.length = 0
    receiver.answerWith(succeed)
  }
}
each(async () => forget())

test('each webhook gets the event types that it chose, signed with its own secret', async () => {
  const secret = await listen(app, shop, first.url)
  const added = await add({ events: ['payment.created', 'order.paid'] })
  expect(added).toMatchObject({ isFirst: false, events: ['order.paid', 'payment.created'], status: 'active' })
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, 'btc')
  await paidInCash(app, shop, orderUUID)
  await app.jobs.settle()
  expect(typesAt(first)).toEqual(['order.paid'])
  expect(typesAt(books).toSorted()).toEqual(['order.paid', 'payment.created'])
  const paid = books.received.find(({ json }) => json.type === 'order.paid')
  expect([paid?.body, first.received.map(one => isSigned(one, secret))]).toEqual([
    first.received[0]?.body,
    [true],
  ])
  expect(books.received.map(one => isSigned(one, added.signingSecret))).toEqual([true, true])
  const { items } = await call('GET', '/v1/events')
  expect(items.map(({ type }: { type: string }) => type)).toEqual(['order.paid'])
  expect((await call('GET', '/v1/webhook')).url).toBe(first.url)
})

test('an order.paid without a first webhook still waits for one', async () => {
  await add()
  await paidOrder()
  expect(typesAt(books)).toEqual(['order.paid'])
  await listen(app, shop, first.url)
  await app.jobs.settle()
  expect([typesAt(first), typesAt(books)]).toEqual([['order.paid'], ['order.paid']])
})

test('events from before a webhook existed are sent only on request', async () => {
  const before = new Date(app.time.now).toISOString()
  await listen(app, shop, first.url)
  const orderUUID = await paidOrder()
  app.time.now += 1000
  await add()
  await app.jobs.settle()
  expect(typesAt(books)).toEqual([])
  await add({ eventsSince: before })
  await app.jobs.settle()
  expect(books.received.map(({ json }) => json.orderUUID)).toEqual([orderUUID])
})

test('a failing webhook neither delays nor disables others, nor counts for them', async () => {
  await listen(app, shop, first.url)
  const { endpointId } = await add()
  books.answerWith(fail)
  for (let i = 0; i < 20; i++) await paidOrder()
  expect(typesAt(first)).toHaveLength(20)
  app.time.now += 5 * 24 * HOUR_MS + HOUR_MS
  await app.jobs.settle()
  expect(await call('GET', `${PATH}/${endpointId}`)).toMatchObject({ status: 'disabled' })
  expect(await call('GET', '/v1/webhook')).toMatchObject({ status: 'active' })
  expect(rowsOf(app, 'SELECT failures FROM webhooks WHERE merchant_id = ?', shop.id)).toEqual([
    { failures: 0 },
  ])
  await paidOrder()
  expect(typesAt(first)).toHaveLength(21)
  forget()
  expect(await call('POST', `${PATH}/${endpointId}/test`)).toMatchObject({ outcome: 'delivered' })
  await app.jobs.settle()
  expect(await call('GET', `${PATH}/${endpointId}`)).toMatchObject({ status: 'active', failures: 0 })
  expect(typesAt(books).filter(type => type === 'order.paid')).toHaveLength(21)
  expect(typesAt(first)).toEqual([])
})

test('a disabled further webhook gets what waits for it as soon as its URL is set', async () => {
  const { endpointId } = await add()
  books.answerWith(fail)
  const orders: string[] = []
  for (let i = 0; i < 20; i++) orders.push(await paidOrder())
  app.time.now += 5 * 24 * HOUR_MS + HOUR_MS
  await app.jobs.settle()
  const path = `${PATH}/${endpointId}`
  expect(await call('GET', path)).toMatchObject({ status: 'disabled' })
  forget()
  expect(await call('PATCH', path, { url: `${books.url}/new` })).toMatchObject({ status: 'active' })
  await app.jobs.settle()
  expect(books.received.map(({ json }) => json.orderUUID).toSorted()).toEqual(orders.toSorted())
})

test('a failing first webhook does not stop others', async () => {
  await listen(app, shop, first.url)
  await add()
  first.answerWith(fail)
  await paidOrder()
  expect(typesAt(books)).toEqual(['order.paid'])
})

test('a further webhook is changed, gets a new secret and is deleted by its ID', async () => {
  await listen(app, shop, first.url)
  const added = await add()
  const path = `${PATH}/${added.endpointId}`
  expect(await call('PATCH', path, { events: ['payment.paid'] })).toMatchObject({
    url: books.url,
    events: ['payment.paid'],
  })
  await call('PATCH', path, { events: ['order.paid'] })
  const { signingSecret } = await call('POST', `${path}/rotate`, { overlapHours: 1 })
  await paidOrder()
  const [sent] = books.received
  expect(isSigned(sent!, signingSecret)).toBe(true)
  expect(sent!.headers.has('x-service-signature-previous')).toBe(true)
  const listed = await call('GET', PATH)
  expect(listed.items.map(({ isFirst }: { isFirst: boolean }) => isFirst)).toEqual([true, false])
  expect(JSON.stringify(listed)).not.toContain('whsec_')
  await call('DELETE', path)
  await paidOrder()
  expect([typesAt(books), typesAt(first)]).toEqual([['order.paid'], ['order.paid', 'order.paid']])
  expect(rowsOf(app, 'SELECT id FROM further_deliveries WHERE webhook_id = ?', added.endpointId)).toEqual([])
  await refused(app, { status: 404, code: 'not_found' }, 'GET', path, { key: shop.live })
  expect(JSON.stringify(app.logged)).not.toContain('whsec_')
})

test('a webhook that is deleted while it receives an event leaves no delivery and no error', async () => {
  const { endpointId } = await add()
  const before = app.logged.length
  books.answerWith(async () => {
    await call('DELETE', `${PATH}/${endpointId}`)
    return succeed()
  })
  await paidOrder()
  expect(typesAt(books)).toEqual(['order.paid'])
  expect(rowsOf(app, "SELECT subject FROM jobs WHERE kind = 'further.deliver'")).toEqual([])
  expect(app.logged.slice(before).filter(({ sentence }) => sentence === 'job.failed')).toEqual([])
})

test('the first webhook is also read, changed and tested by its ID, but not deleted', async () => {
  await listen(app, shop, first.url)
  const { endpointId } = await call('GET', '/v1/webhook')
  const path = `${PATH}/${endpointId}`
  await call('PATCH', path, { events: ['order.paid', 'payment.failed'] })
  expect((await call('GET', '/v1/webhook')).events).toEqual(['order.paid', 'payment.failed'])
  expect(await call('POST', `${path}/test`)).toMatchObject({ outcome: 'delivered', httpStatus: 200 })
  await refused(app, { status: 409, code: 'conflict' }, 'DELETE', path, { key: shop.live })
})

test('every change of a webhook is in the audit log', async () => {
  const { endpointId } = await add()
  await call('PATCH', `${PATH}/${endpointId}`, { events: ['payment.paid'] })
  await call('DELETE', `${PATH}/${endpointId}`)
  const url = { url: books.url, status: 'active' }
  const entries = (await listAudit(app.context, shop.id, 3)).toReversed()
  expect(entries).toMatchObject([
    { before: null, after: { ...url, events: ['order.paid'] } },
    { before: { events: ['order.paid'] }, after: { events: ['payment.paid'] } },
    { before: { ...url, events: ['payment.paid'] }, after: null },
  ])
  const about = {
    actor: `key:${shop.liveKeyId}`,
    action: 'webhook.changed',
    subject: `webhook:${endpointId}`,
  }
  expect(entries).toMatchObject([about, about, about])
})

test('a shop has at most 20 further webhooks', async () => {
  for (let i = 0; i < 20; i++) await add({ url: `${books.url}/${i}` })
  const body = { url: books.url }
  await refused(app, { status: 409, code: 'conflict' }, 'POST', PATH, { key: shop.live, body })
})

test.each<[title: string, body: object, status: number, code: string]>([
  ['an unknown event', { url: 'https://shop.example/', events: ['InvoiceSettled'] }, 400, 'validation_error'],
  ['no event', { url: 'https://shop.example/', events: [] }, 400, 'validation_error'],
  ['a private URL', { url: 'https://10.0.0.1/' }, 422, 'destination_not_allowed'],
  [
    'a time without an offset',
    { url: 'https://shop.example/', eventsSince: '2026-01-01' },
    400,
    'validation_error',
  ],
])('a webhook with %s is refused', async (_, body, status, code) => {
  // With PostgreSQL, the work of a server's start ends later, so this waits for it.
  await app.jobs.settle()
  await refused(app, { status, code }, 'POST', PATH, { key: shop.live, body })
})

test('a write reads all webhooks of a shop with one query, however many events it records', async () => {
  await listen(app, shop, first.url)
  await add({ events: ['order.paid', 'payment.paid'] })
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, 'btc')
  let queries = 0
  await app.context.storage.write(async tables => {
    const listOf = (merchantId: string) => {
      queries++
      return tables.webhooks.listOf(merchantId)
    }
    const counted = new Proxy(tables, {
      get: (of, name) => (name === 'webhooks' ? { listOf } : Reflect.get(of, name)),
    })
    const { order } = asserted(await tables.orders.find(orderUUID), 'the order was just made')
    const [attempt] = await tables.attempts.listOf(orderUUID)
    for (const type of ['payment.processing', 'payment.paid'] as const)
      await recordPaymentEvent(app.context, counted, order, { type, attempt: attempt! })
    await recordInvoiceEvent(app.context, counted, order, { type: 'InvoiceProcessing' })
  })
  expect(queries).toBe(1)
})
