import { afterAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eventTypes } from '../../src/domain/webhook.ts'
import { listen as setWebhook } from '../http/request.ts'
import { subscribe } from '../http/rows.ts'
import type { App } from '../support/app.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { freePort } from '../support/free-port.ts'
import { givenOrder, givenShop, orderBody, paidInCash, type Shop } from '../support/given.ts'
import { endProcesses, runUntil } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

/** Mistakes of shops that `florin conformance` has to find. */
const faults = [
  ...['trusts everybody', 'accepts old signatures', 'accepts signatures of the future'],
  ...['ignores the previous signature', 'ships each time', 'ships twice at once', 'refuses duplicates'],
  ...['refuses unknown types', 'fails at test events', 'ships whatever comes', 'ships at payment.processing'],
  ...['ships at payment.paid', 'reads the header', 'lets payments expire paid orders'],
  ...['lets order.expired undo paid orders', 'takes no late payment', 'compares createdAt'],
  ...['finds orders by externalId', 'ignores the amount', 'ignores the currency', 'fails at foreign orders'],
  ...['refuses foreign orders', 'answers with 204', 'is slow', 'forgets refunds elsewhere'],
] as const
type Fault = (typeof faults)[number]

interface Kept {
  isPaid: boolean
  isOver: boolean
  shipments: number
  refunded: string
  externalId: string
}

const HOUR_MS = 3600_000

/** A shop with a webhook receiver and a test door, and at most one fault. */
function startTestedShop(app: App, shop: Shop, secret: string) {
  const orders = new Map<string, Kept>()
  const handled = new Set<string>()
  let fault: Fault | null = null
  const has = (one: Fault) => fault === one

  async function isGenuine(request: Request, raw: string): Promise<boolean> {
    if (has('trusts everybody')) return true
    const timestamp = request.headers.get('x-service-timestamp') ?? ''
    const expected = createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('base64url')
    const age = Date.now() / 1000 - Number(timestamp)
    const isRecent =
      (age <= 300 || has('accepts old signatures')) &&
      (age >= -300 || has('accepts signatures of the future'))
    const names = [
      'x-service-signature',
      ...(has('ignores the previous signature') ? [] : ['x-service-signature-previous']),
    ]
    return isRecent && names.some(name => request.headers.get(name) === expected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as a shop reads it
  const find = (event: any): Kept | undefined =>
    orders.get(event.orderUUID) ??
    (has('finds orders by externalId')
      ? [...orders.values()].find(({ externalId }) => externalId === event.externalId)
      : undefined)

  const shipping: Partial<Record<Fault, string>> = {
    'ships at payment.processing': 'payment.processing',
    'ships at payment.paid': 'payment.paid',
  }

  const undoing: Partial<Record<Fault, string>> = {
    'lets payments expire paid orders': 'payment.expired',
    'lets order.expired undo paid orders': 'order.expired',
  }

  /** The shop's answer that does not depend on its orders; null if it does. */
  const early = (event: { type: string; createdAt: string }): number | null => {
    if (has('compares createdAt') && Date.now() - Date.parse(event.createdAt) > HOUR_MS) return 400
    if (has('fails at test events') && event.type === 'webhook.test') return 500
    if (has('refuses unknown types') && !/^(order[.]paid|payment[.])/.test(event.type)) return 400
    return null
  }

  // biome-ignore lint/suspicious/noExplicitAny: as a shop reads it
  const isPaying = (event: any, type: string | null, { isOver }: Kept): boolean =>
    !(isOver && has('takes no late payment')) &&
    (has('ships whatever comes') || type === 'order.paid' || type === shipping[fault!]) &&
    (event.amount === '25.00' || has('ignores the amount')) &&
    (event.currency === 'USD' || has('ignores the currency'))

  const unknownOrder = () =>
    has('fails at foreign orders') ? 500 : has('refuses foreign orders') ? 404 : 200

  const isKnown = ({ id }: { id: string }) => handled.has(id) && !has('ships each time')

  // biome-ignore lint/suspicious/noExplicitAny: as a shop reads it
  async function handle(event: any, type: string | null): Promise<number> {
    const order = find(event)
    if (!order) return unknownOrder()
    if (isKnown(event)) return has('refuses duplicates') ? 409 : 200
    if (has('ships twice at once')) await Bun.sleep(20)
    handled.add(event.id)
    order.isOver ||= type === 'order.expired'
    if (isPaying(event, type, order)) Object.assign(order, { isPaid: true, shipments: order.shipments + 1 })
    if (undoing[fault!] === type) order.isPaid = false
    return 200
  }

  async function receive(request: Request): Promise<number> {
    const raw = await request.text()
    if (!(await isGenuine(request, raw))) return 401
    const event = JSON.parse(raw)
    const type = has('reads the header') ? request.headers.get('x-service-event') : event.type
    if (has('is slow') && type === 'order.paid') await Bun.sleep(5100)
    return early(event) ?? handle(event, type)
  }

  async function refund(id: string, order: Kept, amount: string): Promise<number> {
    const { json } = await app.call('GET', `/v1/orders/${id}`, { key: shop.live })
    const before = has('forgets refunds elsewhere') ? order.refunded : (json.data.refundedAmount ?? '0.00')
    if (Number(before) + Number(amount) > 25) return 409
    order.refunded = (Number(before) + Number(amount)).toFixed(2)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { amount, reason: 'refunded in the shop' }
    await app.call('POST', `/v1/orders/${id}/refunds`, { key: shop.live, headers, body })
    return 200
  }

  async function answerDoor(request: Request, id: string | undefined, isRefund: boolean): Promise<Response> {
    if (id === undefined) {
      const externalId = crypto.randomUUID()
      const made = await app.call('POST', '/v1/orders', { key: shop.live, body: orderBody({ externalId }) })
      const { orderUUID } = made.json.data
      orders.set(orderUUID, { isPaid: false, isOver: false, shipments: 0, refunded: '0.00', externalId })
      return Response.json({ orderUUID })
    }
    const order = orders.get(id)!
    if (isRefund) return new Response('', { status: await refund(id, order, (await request.json()).amount) })
    return Response.json(order)
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const [, place, id, action] = new URL(request.url).pathname.split('/')
      if (place === 'test') return answerDoor(request, id, action === 'refund')
      const status = await receive(request)
      return new Response('', { status: has('answers with 204') && status === 200 ? 204 : status })
    },
  })
  return {
    url: new URL('/webhook', server.url).href,
    door: new URL('/test', server.url).href,
    become(next: Fault | null) {
      fault = next
    },
    stop: () => server.stop(true),
  }
}

// florin listen, trigger and conformance against a server that is reached over HTTP.

afterAll(endProcesses)

const SECRET = 'whsec_of_the_tested_shop'

const { app, once } = suite({ start: startWithReceiver })
const shop = once(() => givenShop(app))
/** the number of opened streams; the first one fails */
let streams = 0
const server = once(() =>
  Bun.serve({
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === '/v1/events/stream') {
        if (++streams === 1) return new Response('', { status: 502 })
      }
      return app.florin.http.fetch(new Request(`http://localhost${url.pathname}${url.search}`, request))
    },
  }),
)
const tested = once(() => startTestedShop(app, shop, SECRET))
afterAll(async () => {
  tested?.stop()
  await server?.stop(true)
})

const environment = () => ({ FLORIN_API_KEY: shop.live, FLORIN_WEBHOOK_SECRET: SECRET })
const at = () => ['--server', server.url.href]

const check = async (url: string, ...options: string[]) => {
  const ran = await runInProcess(environment(), 'conformance', url, ...at(), ...options, '--json')
  expect(ran.stderr).toBe('')
  const { items } = JSON.parse(ran.stdout) as { items: { name: string; result: string }[] }
  return { exitCode: ran.exitCode, wrong: items.filter(({ result }) => result === 'wrong'), items }
}

describe('florin conformance', () => {
  test('finds nothing wrong with a good shop', async () => {
    tested.become(null)
    expect(await check(tested.url, '--shop', tested.door)).toMatchObject({ exitCode: 0, wrong: [] })
  })

  test.each([...faults])('finds a shop that %s', async fault => {
    tested.become(fault)
    // One delivery is enough to find a slow shop.
    const only = fault === 'is slow' ? ['--only', 'paid'] : []
    const { exitCode, wrong } = await check(tested.url, '--shop', tested.door, ...only)
    expect({ exitCode, wrong: wrong.length > 0 }).toEqual({ exitCode: 1, wrong: true })
  })

  test('checks the responses of a webhook without a test endpoint', async () => {
    tested.become('trusts everybody')
    const { wrong, items } = await check(tested.url)
    expect(wrong.map(({ name }) => name)).toEqual([
      ...['wrong_signature', 'no_signature', 'old_signature', 'future_signature'],
    ])
    expect(items.filter(({ result }) => result === 'not_tried')).toHaveLength(3)
  })

  test('reports that the test endpoint is missing, or that the server is not a sandbox', async () => {
    tested.become(null)
    const run = (...args: string[]) => runInProcess(environment(), 'conformance', tested.url, ...args)
    const words = async (...args: string[]) => {
      const { exitCode, stderr } = await run(...args)
      return `${exitCode} ${stderr}`
    }
    expect(await words(...at(), '--shop', tested.url)).toMatch(
      /^1 The test endpoint responded with status \d+ and no/,
    )
    expect(await words('--server', tested.url)).toMatch(/^1 This server is no sandbox/)
    expect(await words('--server', 'http://127.0.0.1:9')).toMatch(/^1 .* cannot be reached/)
    expect(await words(...at(), '--only', 'nonsense')).toMatch(/^1 .*has no scenario named nonsense/)
  })
})

describe('florin trigger', () => {
  const trigger = async (type: string) => {
    const { exitCode, stdout, stderr } = await runInProcess(environment(), 'trigger', type, ...at(), '--json')
    return exitCode === 0 ? JSON.parse(stdout) : stderr
  }

  test('makes each event happen', async () => {
    await setWebhook(app, shop, app.receiver.url)
    expect(await trigger('payment.created')).toMatch(
      /florin webhook events --events order.paid,payment.created/,
    )
    await subscribe(app, shop.id, [...eventTypes])
    for (const type of eventTypes) expect(await trigger(type)).toMatchObject({ type })
  })
})

test('a server that closes the connection is named in the error, without advice for programmers', async () => {
  const closing = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: { data: socket => void socket.end() },
  })
  const url = `http://127.0.0.1:${closing.port}`
  const given = { ...environment(), FLORIN_API_KEY: shop.test }
  const { stderr } = await runInProcess(given, 'trigger', 'order.paid', '--server', url)
  closing.stop(true)
  expect(stderr).toMatch(/ cannot be reached: .*The socket connection was closed unexpectedly[.]\s*$/)
})

describe('with a test key, on a server for real money too', () => {
  test('florin trigger makes each event happen to a test order', async () => {
    const given = { ...environment(), FLORIN_API_KEY: shop.test }
    for (const type of eventTypes) {
      const ran = await runInProcess(given, 'trigger', type, ...at(), '--json')
      expect([type, ran.exitCode, ran.stderr]).toEqual([type, 0, ''])
      const { id, orderUUID } = JSON.parse(ran.stdout)
      const options = { key: shop.test }
      expect((await app.call('GET', `/v1/events/${id}`, options)).json.data).toMatchObject({
        type,
        orderUUID,
      })
      expect((await app.call('GET', `/v1/orders/${orderUUID}`, options)).json.data.livemode).toBe(false)
    }
  })
})

describe('florin listen', () => {
  test('forwards events, signed for it, over a lost connection and to a shop that starts later', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhook`
    const paid = async () => {
      const { orderUUID } = await givenOrder(app, shop)
      await paidInCash(app, shop, orderUUID)
      return orderUUID
    }
    const opened = async (count: number) => {
      while (streams < count) await Bun.sleep(20)
      await Bun.sleep(100)
    }
    const work = (async () => {
      await opened(2)
      const first = await paid()
      await Bun.sleep(1500)
      const receiver = startReceiver(() => new Response('ok'), port)
      while (receiver.received.length < 1) await Bun.sleep(20)
      return { first, receiver }
    })()
    const ran = await runUntil(['listen', '--forward-to', url, ...at()], environment(), 'order.paid')
    const { first, receiver } = await work
    expect(receiver.received[0]).toMatchObject({ json: { orderUUID: first, type: 'order.paid' } })
    expect(isSigned(receiver.received[0]!, SECRET)).toBe(true)
    expect(ran.stdout).toMatch(/order[.]paid\s+[0-9a-f-]{36}\s+200 after \d+ ms/)
    expect(ran.stderr).toContain('The connection was lost')
    expect(ran.stderr).toContain('cannot be reached. Waiting for it')
    receiver.stop()
  })

  test('explains why a key is refused', async () => {
    const wrong = { ...environment(), FLORIN_API_KEY: 'nonsense' }
    const ran = await runInProcess(wrong, 'listen', '--forward-to', 'http://127.0.0.1:9', ...at())
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/API key/) })
  })
})
