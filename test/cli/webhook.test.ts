import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, paidInCash } from '../support/given.ts'
import { isSigned, type Received } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { runInProcess } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const HOUR_MS = 3600_000

const { app, once, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
each(() => {
  app.time.now = Date.now()
})
const shop = each(() => givenShop(app))

const fail = () => new Response('no', { status: 503 })
const succeed = () => new Response('ok')

const run = (...args: string[]) =>
  runInProcess({ FLORIN_DATA_DIR: app.dataDir, FLORIN_OUTBOUND_ALLOW: receiver.host }, ...args)

/** The JSON that a command prints. */
async function json(...args: string[]) {
  const { stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const setUrl = () => json('webhook', 'set', '--merchant', shop.id, receiver.url)

async function paidOrder(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await paidInCash(app, shop, orderUUID)
  await app.jobs.settle()
  return orderUUID
}

/** Lets three days pass, after which retries stop. */
async function givenUp(): Promise<string> {
  const orderUUID = await paidOrder()
  for (let half = 0; half < 8; half++) await app.advance(12 * HOUR_MS)
  return orderUUID
}

/** The signature by the previous secret. */
const previousSignature = ({ headers, body }: Received, secret: string) =>
  createHmac('sha256', secret)
    .update(`${headers.get('x-service-timestamp')}.${body}`)
    .digest('base64url')

test('webhook add, list and remove manage further webhooks', async () => {
  await setUrl()
  const of = ['--merchant', shop.id]
  const added = await json(
    'webhook',
    'add',
    `${receiver.url}/2`,
    ...of,
    '--events',
    'payment.paid,order.paid',
  )
  expect(added).toMatchObject({ events: ['order.paid', 'payment.paid'], signingSecret: expect.any(String) })
  const { items } = await json('webhook', 'list', ...of)
  expect(items.map(({ url }: { url: string }) => url)).toEqual([receiver.url, `${receiver.url}/2`])
  expect(JSON.stringify(items)).not.toContain('whsec_')
  await json('webhook', 'remove', added.endpointId, ...of)
  const { stdout } = await run('webhook', 'list', ...of)
  expect([stdout.includes(receiver.url), stdout.includes(added.endpointId)]).toEqual([true, false])
})

test('webhook set prints the signing secret only the first time', async () => {
  const first = await setUrl()
  expect(first).toEqual({ url: receiver.url, signingSecret: expect.stringMatching(/^whsec_\w{40}$/) })
  expect(await setUrl()).toEqual({ url: receiver.url })
  await paidOrder()
  expect(isSigned(receiver.received[0]!, first.signingSecret)).toBe(true)
})

test('webhook set refuses an unknown merchant and a private URL', async () => {
  const unknown = await run('webhook', 'set', '--merchant', NOBODY, receiver.url)
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringMatching(/merchant/)])
  const hidden = await run('webhook', 'set', '--merchant', shop.id, 'https://127.0.0.1:1/hook')
  expect([hidden.exitCode, hidden.stderr]).toEqual([1, expect.stringMatching(/public/)])
})

test('webhook test sends one signed event that is not listed, whatever the subscriptions', async () => {
  const { signingSecret } = await setUrl()
  await json('webhook', 'events', '--merchant', shop.id, '--events', 'payment.paid')
  const { exitCode, stdout } = await run('webhook', 'test', '--merchant', shop.id, '--json')
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    { httpStatus: 200, outcome: 'delivered', durationMs: expect.any(Number) },
  ])
  const [sent, ...more] = receiver.received
  expect(more).toEqual([])
  expect(sent!.json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: 'webhook.test',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    merchantId: shop.id,
  })
  expect([sent!.headers.get('x-service-event'), sent!.headers.get('x-service-event-id')]).toEqual([
    'webhook.test',
    sent!.json.id,
  ])
  expect(isSigned(sent!, signingSecret)).toBe(true)
  expect(await json('event', 'list', '--merchant', shop.id)).toEqual({ items: [] })
})

test('webhook test exits with 1 unless the endpoint answers 200, or when there is no webhook', async () => {
  const none = await run('webhook', 'test', '--merchant', shop.id)
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringMatching(/no webhook/)])
  await setUrl()
  receiver.answerWith(() => new Response(null, { status: 204 }))
  const { exitCode, stdout } = await run('webhook', 'test', '--merchant', shop.id, '--json')
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { httpStatus: 204, outcome: 'refused' }])
})

test('a successful webhook test sends events that were given up', async () => {
  await setUrl()
  receiver.answerWith(fail)
  const orderUUID = await givenUp()
  receiver.answerWith(succeed)
  receiver.received.length = 0
  expect((await run('webhook', 'test', '--merchant', shop.id)).exitCode).toBe(0)
  await app.advance(60_000)
  expect(receiver.received.map(({ json }) => json.orderUUID ?? json.type)).toEqual([
    'webhook.test',
    orderUUID,
  ])
})

test('webhook rotate signs with the new secret, and with the former one during the overlap', async () => {
  const former = (await setUrl()).signingSecret
  const { signingSecret, ...more } = await json('webhook', 'rotate', '--merchant', shop.id, '--overlap', '2h')
  expect([signingSecret, more]).toEqual([expect.stringMatching(/^whsec_\w{40}$/), {}])
  expect(signingSecret).not.toBe(former)
  await paidOrder()
  const [during] = receiver.received
  expect(isSigned(during!, signingSecret)).toBe(true)
  expect(during!.headers.get('x-service-signature-previous')).toBe(previousSignature(during!, former))
  await app.advance(2 * HOUR_MS + 60_000)
  await paidOrder()
  const [, after] = receiver.received
  expect(isSigned(after!, signingSecret)).toBe(true)
  expect(after!.headers.get('x-service-signature-previous')).toBe(null)
})

test('webhook rotate overlaps for a day by default, and not at all with 0', async () => {
  const former = (await setUrl()).signingSecret
  await json('webhook', 'rotate', '--merchant', shop.id)
  await app.advance(23 * HOUR_MS)
  await paidOrder()
  expect(receiver.received[0]!.headers.get('x-service-signature-previous')).toBe(
    previousSignature(receiver.received[0]!, former),
  )
  await json('webhook', 'rotate', '--merchant', shop.id, '--overlap', '0')
  await paidOrder()
  expect(receiver.received[1]!.headers.get('x-service-signature-previous')).toBe(null)
  const wrong = await run('webhook', 'rotate', '--merchant', shop.id, '--overlap', 'long')
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringMatching(/overlap/)])
})

test('event list prints the items of GET /v1/events, by status and type', async () => {
  await setUrl()
  const delivered = await paidOrder()
  receiver.answerWith(fail)
  const failed = await givenUp()
  const list = async (...filter: string[]) => {
    const { items } = await json('event', 'list', '--merchant', shop.id, ...filter)
    return items.map(({ orderUUID }: { orderUUID: string }) => orderUUID)
  }
  expect(await list()).toEqual([failed, delivered])
  expect(await list('--status', 'failed')).toEqual([failed])
  expect(await list('--status', 'delivered', '--type', 'order.paid')).toEqual([delivered])
  expect(await list('--type', 'payment.paid')).toEqual([])
  const { items } = await json('event', 'list', '--merchant', shop.id)
  const read = await app.call('GET', '/v1/events', { key: shop.live })
  expect(items).toEqual(read.json.data.items)
  expect((await run('event', 'list', '--merchant', shop.id, '--status', 'lost')).exitCode).toBe(2)
  expect((await run('event', 'list', '--merchant', NOBODY)).exitCode).toBe(1)
})

test('event redeliver --failed sends all events that were given up or wait, whatever their age', async () => {
  await setUrl()
  receiver.answerWith(fail)
  const failed = await givenUp()
  await json('webhook', 'events', '--merchant', shop.id, '--events', 'payment.paid')
  const waiting = await paidOrder()
  await json('webhook', 'events', '--merchant', shop.id, '--events', 'order.paid')
  for (let day = 0; day < 5; day++) await app.advance(24 * HOUR_MS)
  receiver.answerWith(succeed)
  receiver.received.length = 0
  expect(await json('event', 'redeliver', '--merchant', shop.id, '--failed')).toEqual({ redelivered: 2 })
  await app.advance(60_000)
  expect(receiver.received.map(({ json }) => json.orderUUID).toSorted()).toEqual([waiting, failed].toSorted())
})

test('event redeliver sends the given events again', async () => {
  await setUrl()
  await paidOrder()
  await paidOrder()
  const ids = receiver.received.map(({ json }) => json.id)
  receiver.received.length = 0
  const redeliver = ['event', 'redeliver', '--merchant', shop.id]
  expect(await json(...redeliver, ...ids)).toEqual({ redelivered: 2 })
  await app.advance(60_000)
  expect(receiver.received.map(({ json }) => json.id).toSorted()).toEqual(ids.toSorted())
  receiver.received.length = 0
  const unknown = await run(...redeliver, ids[0], NOBODY)
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringMatching(/[Nn]o event/)])
  await app.advance(60_000)
  expect(receiver.received).toEqual([])
  expect((await run(...redeliver)).exitCode).toBe(2)
  expect((await run(...redeliver, '--failed', ids[0])).exitCode).toBe(2)
})

test('notification list prints its items', async () => {
  await setUrl()
  receiver.answerWith(fail)
  const orderUUID = await givenUp()
  const { items } = await json('notification', 'list', '--merchant', shop.id)
  expect(items.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(
    words(`
    event_given_up key_created key_created payout_changed webhook_changed webhook_failing webhook_failing
  `),
  )
  expect(items.find(({ kind }: { kind: string }) => kind === 'event_given_up')).toEqual({
    id: expect.any(String),
    kind: 'event_given_up',
    orderUUID,
    text: expect.stringContaining('order.paid'),
    createdAt: expect.stringMatching(/Z$/),
    sentTo: [],
  })
})
