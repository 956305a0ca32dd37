import { createHmac } from 'node:crypto'
import type { App } from '../support/app.ts'
import { orderBody, type Shop } from '../support/given.ts'

/** Mistakes of shops that `florin conformance` has to find. */
export const faults = [
  ...['trusts everybody', 'accepts old signatures', 'accepts signatures of the future'],
  ...['ignores the previous signature', 'ships each time', 'ships twice at once', 'refuses duplicates'],
  ...['refuses unknown types', 'fails at test events', 'ships whatever comes', 'ships at payment.processing'],
  ...['ships at payment.paid', 'reads the header', 'lets payments expire paid orders'],
  ...['lets order.expired undo paid orders', 'takes no late payment', 'compares createdAt'],
  ...['finds orders by externalId', 'ignores the amount', 'ignores the currency', 'fails at foreign orders'],
  ...['refuses foreign orders', 'answers with 204', 'is slow', 'forgets refunds elsewhere'],
] as const
export type Fault = (typeof faults)[number]

interface Kept {
  isPaid: boolean
  isOver: boolean
  shipments: number
  refunded: string
  externalId: string
}

const HOUR_MS = 3600_000

/** A shop with a webhook receiver and a test door, and at most one fault. */
export function startTestedShop(app: App, shop: Shop, secret: string) {
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
