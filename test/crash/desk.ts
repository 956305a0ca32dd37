import type { Answer, CallOptions } from '../support/app.ts'
import { PASSWORD } from '../support/dashboard.ts'
import type { RunningProcess } from '../support/process.ts'
import type { Books, Order } from './deals.ts'
import { callsOf, repeatTurns } from './load.ts'
import type { Chance } from './random.ts'
import { FIRST_VERSION, type Installation, issueInvoices, walletOf } from './server.ts'

// A second shop of the same server. Its people sell, refund, decide about payments, and change products and
// settings. Its ledger has only requests and answers.

const CARD = 'moonpay'
const COIN = 'polygon/usdc'
const AMOUNT = '60.00'
const PART = '10.00'
const PARTS_MAX = 4
const VERSIONS_MAX = 4
const SELLERS = 2
const PAUSE_MS = 10

/** A value that one client changes step by step. */
export interface Versions {
  requested: number
  confirmed: number
}

export interface Sale {
  externalId: string
  method: string
  order: Order | null
  /** `requested`: the server may have recorded the payment */
  payment: 'none' | 'requested' | 'recorded'
}

export interface Refund {
  /** the idempotency key of the refund, which is also its reason */
  key: string
  orderUUID: string
  id: string | null
}

export interface Product extends Versions {
  id: string
}

/** A person's decision about a payment that settled nothing. */
export interface Decision {
  action: 'accept' | 'resolve'
  isConfirmed: boolean
}

export interface Desk {
  merchantId: string
  key: string
  cookie: string
  sales: Sale[]
  refunds: Refund[]
  products: Product[]
  /** products whose creation was not answered */
  unknownProducts: number
  /** versions of the shop's name */
  name: Versions
  decisions: Map<string, Decision>
}

export const productName = (version: number): string => `Blend v${version}`
export const shopName = (version: number): string => `Corner v${version}`

const browserHeaders = (host: string) => ({
  host,
  origin: `https://${host}`,
  'sec-fetch-site': 'same-origin',
  accept: 'text/html',
})

/** Creates the second shop, with an owner who is signed in and a webhook for every event. */
export async function openDesk(installation: Installation, server: RunningProcess): Promise<Desk> {
  const { florin, receiver, host } = installation
  const name = { requested: 0, confirmed: 0 }
  const shop = ['--email', 'desk@shop.example', '--name', shopName(0)]
  const { merchantId } = await florin('merchant', 'create', ...shop)
  await issueInvoices(florin, merchantId)
  const { key } = await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: walletOf(FIRST_VERSION) } })
  await server.call('PUT', '/v1/webhook', { key, body: { url: receiver.url } })
  const events = 'order.paid,payment.created,payment.paid'
  await florin('webhook', 'events', '--merchant', merchantId, '--events', events)
  const owner = ['--email', 'owner@shop.example', '--merchant', merchantId, '--role', 'owner']
  const { link } = await florin('user', 'create', ...owner)
  const form = { password: PASSWORD }
  const signedIn = await server.call('POST', new URL(link).pathname, { form, headers: browserHeaders(host) })
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
  return {
    ...{ merchantId, key: String(key), cookie, name },
    ...{ sales: [], refunds: [], products: [], unknownProducts: 0, decisions: new Map() },
  }
}

/** The actions of the people of the shop. Each request is recorded in the ledger before it is sent. */
export function deskOf(server: RunningProcess, installation: Installation, desk: Desk, books: Books) {
  const call = callsOf(server, books)
  const api = (method: string, path: string, body: object, idempotencyKey: string, ...good: number[]) =>
    call(method, path, { key: desk.key, body, headers: { 'idempotency-key': idempotencyKey } }, ...good)
  const inBrowser = (method: string, path: string, more: CallOptions = {}): Promise<Answer> => {
    const headers = { ...browserHeaders(installation.host), cookie: desk.cookie }
    return call(method, path, { headers, ...more }, method === 'GET' ? 200 : 303)
  }
  const read = async (sale: Sale): Promise<Order> =>
    (await call('GET', `/v1/orders/${sale.order!.orderUUID}`, { key: desk.key }, 200)).json.data

  async function sell(method: string): Promise<Sale> {
    const externalId = `SALE-${desk.sales.length + 1}`
    const sale: Sale = { externalId, method, order: null, payment: 'none' }
    desk.sales.push(sale)
    await order(sale)
    return sale
  }

  /** Sends the request for an order, again if it was not answered. */
  async function order(sale: Sale): Promise<void> {
    const { externalId, method } = sale
    const customer = { email: 'buyer@buyer.example' }
    const body = { externalId, amount: AMOUNT, currency: 'USD', paymentMethodsKeys: [method], customer }
    const { json } = await api('POST', '/v1/orders', body, `key-of-${externalId}`, 200, 201)
    sale.order ??= json.data
    if (sale.order!.orderUUID !== json.data.orderUUID) books.unexpected.push(`${externalId} is two orders`)
  }

  /** Pays by card, once. */
  async function pay(sale: Sale): Promise<void> {
    const { orderUUID } = sale.order!
    const isAgain = sale.payment === 'requested'
    if (isAgain) {
      await call('POST', `/pay/${orderUUID}/check`, {}, 303)
      if ((await read(sale)).status === 'PAID') sale.payment = 'recorded'
    }
    if (sale.payment === 'recorded') return
    await call('GET', `/payment/process/${orderUUID}?method=${CARD}`, {}, ...(isAgain ? [303, 409] : [303]))
    sale.payment = 'requested'
    await call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } }, 202)
    const { status } = await read(sale)
    if (status === 'PAID') sale.payment = 'recorded'
  }

  async function refund(entry: Refund): Promise<void> {
    const path = `/v1/orders/${entry.orderUUID}/refunds`
    const body = { amount: PART, reason: entry.key }
    const { json } = await api('POST', path, body, entry.key, ...(entry.id ? [200] : [200, 201]))
    const { refundId } = json.data.refund
    entry.id ??= refundId
    if (entry.id !== refundId) books.unexpected.push(`${entry.key} is two refunds`)
  }

  async function newRefund({ order }: Sale, isTwice: boolean): Promise<void> {
    const key = `refund-${desk.refunds.length + 1}`
    const entry: Refund = { key, orderUUID: order!.orderUUID, id: null }
    desk.refunds.push(entry)
    const sent = await Promise.allSettled(isTwice ? [refund(entry), refund(entry)] : [refund(entry)])
    for (const result of sent) if (result.status === 'rejected') throw result.reason
  }

  async function newProduct(): Promise<Product> {
    const orderTemplate = { amount: AMOUNT, currency: 'USD', paymentMethodsKeys: ['*'] }
    desk.unknownProducts++
    const body = { name: productName(0), orderTemplate }
    const { json } = await call('POST', '/v1/products', { key: desk.key, body }, 201)
    desk.unknownProducts--
    const product: Product = { id: json.data.productUUID, requested: 0, confirmed: 0 }
    desk.products.push(product)
    return product
  }

  async function changeProduct(product: Product): Promise<void> {
    const body = { name: productName(++product.requested) }
    await call('PATCH', `/v1/products/${product.id}`, { key: desk.key, body }, 200)
    product.confirmed = product.requested
  }

  async function changeName(): Promise<void> {
    const body = new FormData()
    body.append('name', shopName(++desk.name.requested))
    body.append('proofPassword', PASSWORD)
    const request = new Request('http://form.example', { method: 'POST', body })
    const contentType = request.headers.get('content-type')!
    const headers = { ...browserHeaders(installation.host), cookie: desk.cookie, 'content-type': contentType }
    await inBrowser('POST', '/dashboard/settings', { headers, body: await request.text() })
    desk.name.confirmed = desk.name.requested
  }

  /** Lets a buyer send the wrong coin. */
  async function mistake(): Promise<void> {
    const { orderUUID } = (await sell('crypto')).order!
    await call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: COIN } }, 303)
    await call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'wrong_asset' } }, 202)
    await call('POST', `/pay/${orderUUID}/check`, {}, 303)
  }

  /** Decides about the payments that wait for a decision. */
  async function decide(pick: () => Decision['action']): Promise<void> {
    const { text } = await inBrowser('GET', '/dashboard/unmatched')
    const waiting = new Set([...text.matchAll(/unmatched\/([0-9a-f-]+)\/resolve/g)].map(([, id]) => id!))
    for (const id of waiting) {
      if (desk.decisions.get(id)?.isConfirmed) books.unexpected.push(`payment ${id} waits again`)
      const decision = desk.decisions.get(id) ?? { action: pick(), isConfirmed: false }
      desk.decisions.set(id, decision)
      const form = { text: 'looked at', proofPassword: PASSWORD }
      const { action } = decision
      const given = action === 'accept' ? form : { text: form.text }
      const headers = { ...browserHeaders(installation.host), cookie: desk.cookie }
      await inBrowser('POST', `/dashboard/unmatched/${id}/${action}`, { headers, form: given })
      decision.isConfirmed = true
    }
  }

  return { sell, order, pay, refund, newRefund, newProduct, changeProduct, changeName, mistake, decide }
}

/** Runs the people of the shop until the server is killed and all have noticed. */
export async function deskLoad(
  server: RunningProcess,
  installation: Installation,
  desk: Desk,
  books: Books,
  chance: Chance,
): Promise<void> {
  const people = deskOf(server, installation, desk, books)
  const sellers = Array.from({ length: SELLERS }, () => {
    const own = chance.fork()
    return async () => {
      const sale = await people.sell(CARD)
      await people.pay(sale)
      if (sale.payment !== 'recorded') return
      const parts = own.below(PARTS_MAX)
      for (let part = 0; part < parts; part++) await people.newRefund(sale, own.percent(30))
    }
  })
  const own = chance.fork()
  const turns = [
    ...sellers,
    async () => {
      const product = await people.newProduct()
      for (let version = 0; version < VERSIONS_MAX; version++) await people.changeProduct(product)
    },
    async () => {
      await people.changeName()
      await Bun.sleep(PAUSE_MS)
    },
    async () => {
      await people.mistake()
      await people.decide(() => own.pick(['accept', 'resolve'] as const))
    },
  ]
  await Promise.all(turns.map(turn => repeatTurns(turn)))
}
