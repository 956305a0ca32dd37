import type { Chance } from '../crash/random.ts'
import type { Answer, CallOptions } from '../support/app.ts'
import { orderBody } from '../support/given.ts'
import { callUrl } from '../support/process.ts'
import type { Server, Shop } from './shop.ts'

/** A sale as its client knows it, from the requests that it sent and the answers that it got. */
export interface Sale {
  externalId: string
  /** the order's ID; null until the order was acknowledged */
  orderUUID: string | null
  /** true once the buyer's money is on its way */
  isPaid: boolean
}

export interface Books {
  sales: Sale[]
  /** the time when each order was acknowledged */
  acknowledgedAt: number[]
  answers: number
  unanswered: number
  unexpected: string[]
}

/** The time that a client waits for an answer before it tries the other server. */
const CLIENT_MS = 5000
const AWAY_MS = 5000
const PAUSE_MS = 200
const CARD = 'moonpay'
const AMOUNT = '25.00'
/** The gateway repeats a callback that was not accepted. */
const CALLBACKS = 20
const CALLBACK_PAUSE_MS = 1000

/** Clients, buyers, people at the dashboard and the gateway. All of them try again on either server. */
export function clientsOf(shop: Shop, books: Books, chance: Chance) {
  const awayUntil = new Map<Server, number>()
  const isHere = (server: Server): boolean => (awayUntil.get(server) ?? 0) < performance.now()

  /**
   * Chooses a server as a load balancer does, which for a while sends nothing to a server that did not
   * answer.
   */
  function anyServer(): Server {
    const here = shop.servers.filter(isHere)
    return chance.pick(here.length > 0 ? here : shop.servers)
  }

  /**
   * Sends a request once. Returns null without an answer, or if the server says that it cannot answer now.
   */
  async function once(method: string, path: string, options: CallOptions): Promise<Answer | null> {
    const server = anyServer()
    const late = Bun.sleep(CLIENT_MS).then(() => null)
    const answer = await Promise.race([callUrl(server.url + path, method, options).catch(() => null), late])
    if (answer === null || answer.status === 503) {
      books.unanswered++
      awayUntil.set(server, performance.now() + AWAY_MS)
      return null
    }
    books.answers++
    return answer
  }

  async function call(
    method: string,
    path: string,
    options: CallOptions,
    ...good: number[]
  ): Promise<Answer> {
    for (;;) {
      const answer = await once(method, path, options)
      if (answer && good.includes(answer.status)) return answer
      if (answer)
        books.unexpected.push(`${method} ${path} returned ${answer.status} ${answer.text.slice(0, 300)}`)
      await Bun.sleep(PAUSE_MS)
      if (answer) throw new Error('an unexpected answer')
    }
  }

  shop.stand.wire.deliver = async (path, headers) => (await once('GET', path, { headers }))?.status ?? 0

  async function order(): Promise<Sale> {
    const externalId = `SALE-${books.sales.length + 1}`
    const sale: Sale = { externalId, orderUUID: null, isPaid: false }
    books.sales.push(sale)
    const headers = { 'idempotency-key': `key-of-${externalId}` }
    const customer = { email: `buyer${chance.below(50)}@buyer.example`, fullName: 'Sam Buyer' }
    const body = orderBody({ externalId, amount: AMOUNT, customer })
    const { json } = await call('POST', '/v1/orders', { key: shop.key, body, headers }, 200, 201)
    sale.orderUUID = json.data.orderUUID
    books.acknowledgedAt.push(performance.now())
    return sale
  }

  async function callbackOf(orderUUID: string): Promise<string> {
    const sql = "SELECT callback_url FROM attempts WHERE order_id = $1 AND kind = 'redirect'"
    for (;;) {
      const rows = await shop.ask(sql, [orderUUID]).catch(() => [])
      if (rows.length > 1) books.unexpected.push(`${orderUUID} has ${rows.length} pages of the provider`)
      if (rows[0]) return String(rows[0].callback_url)
      await Bun.sleep(PAUSE_MS)
    }
  }

  async function pay(sale: Sale): Promise<void> {
    const { orderUUID } = sale
    await call('GET', `/payment/process/${orderUUID}?method=${CARD}`, {}, 303)
    const callback = await callbackOf(orderUUID!)
    sale.isPaid = true
    let [sent] = await shop.stand.payments.settle(callback, 'paid', AMOUNT)
    // Some callbacks never arrive: then Florin finds the payment without them.
    const tries = chance.percent(90) ? CALLBACKS : 1
    for (let done = 1; done < tries && sent?.status !== 200; done++) {
      await Bun.sleep(CALLBACK_PAUSE_MS)
      ;[sent] = await shop.stand.payments.settle(callback, 'duplicate', AMOUNT)
    }
  }

  async function look(): Promise<void> {
    const headers = { host: shop.host, cookie: shop.cookie, accept: 'text/html' }
    await call('GET', chance.pick(['/dashboard', '/dashboard/orders']), { headers }, 200)
  }

  async function turn(): Promise<void> {
    const choice = chance.below(10)
    if (choice === 0) return look()
    const sale = await order()
    if (choice > 3) await pay(sale)
    const headers = { accept: 'application/json' }
    await call('GET', `/pay/${sale.orderUUID}/status`, { headers }, 200)
  }

  return { turn, pay }
}

/** True once all money that was sent has paid its order and all events have arrived. */
export const isSettledIn = (shop: Shop, books: Books) => async (): Promise<boolean> => {
  const count = async (sql: string) => Number((await shop.ask(sql).catch(() => []))[0]?.n ?? -1)
  const paid = await count("SELECT count(*) AS n FROM orders WHERE status = 'PAID'")
  const pending = await count("SELECT count(*) AS n FROM deliveries WHERE status = 'pending'")
  return paid === books.sales.filter(({ isPaid }) => isPaid).length && pending === 0
}

/**
 * Repeats turns until `isOver`. An unexpected answer ends only its turn, and is recorded for the checks at
 * the end.
 */
export async function repeatTurns(turn: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await turn().catch(() => {})
    await Bun.sleep(PAUSE_MS)
  }
}
