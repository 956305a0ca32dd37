// Two servers, each behind a link to PostgreSQL that is cut or slow, holds back what one side sends, or loses
// the answer of a commit. The primary is killed once and its standby promoted. At the end, the history of all
// clients is checked.
// npm run test:history -- --minutes 5
import { parseArgs } from 'node:util'
import { problemsIn, rowsOf } from '../crash/problems.ts'
import { type Chance, seeded, seedOf } from '../crash/random.ts'
import { orderBody } from '../support/given.ts'
import { callUrl, endProcesses } from '../support/process.ts'
import { runScript } from '../support/psql.ts'
import { until } from '../support/until.ts'
import { type LinkFault, linkFaults, startLink } from './faulty-link.ts'
import { historyProblems, type Left, type Operation } from './history.ts'
import { type Books, clientsOf, isSettledIn, type Sale } from './load.ts'
import { openShop, type Shop } from './shop.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } })
const totalMs = Number(values.minutes) * 60_000
if (!(totalMs > 0)) {
  process.stderr.write('Usage: npm run test:history -- [--minutes N]\n')
  process.exit(2)
}

const CLIENTS = 6
const CLIENT_MS = 8000
const FAULT_MIN_MS = 500
const FAULT_MORE_MS = 6000
const QUIET_MORE_MS = 3000
const BACK_MS = 120_000
const SETTLED_MS = 300_000
const PAUSE_MS = 50

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const chance = seeded(seedOf('test/chaos/history-run.ts'))
const pauses = chance.fork()
const history: Operation[] = []
const books: Books = { sales: [], acknowledgedAt: [], answers: 0, unanswered: 0, unexpected: [] }
const counts = Object.fromEntries(linkFaults.map(fault => [fault, 0])) as Record<LinkFault, number>

/** Names with versions, so that a read says which write it saw. */
const nameOf = (version: number): string => `Blend v${version}`
const versionOf = (name: string): number => Number(name.split(' v')[1])

/** Sends one request to either server, and records it. Returns null without an answer. */
async function send(
  { servers, key }: Shop,
  operation: Pick<Operation, 'client' | 'kind' | 'about' | 'version'>,
  [method, path, body, idempotencyKey]: [string, string, object?, string?],
  read: (data: Record<string, unknown>) => Partial<Operation> = () => ({}),
): Promise<Operation | null> {
  const entry: Operation = { ...operation, startedAt: performance.now(), endedAt: null }
  history.push(entry)
  const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : undefined
  const options = { key, ...(body && { body }), ...(headers && { headers }) }
  const asked = callUrl(pauses.pick(servers).url + path, method, options).catch(() => null)
  const answer = await Promise.race([asked, Bun.sleep(CLIENT_MS).then(() => null)])
  if (answer === null || answer.status === 503) {
    books.unanswered++
    return null
  }
  books.answers++
  if (answer.status > 201) {
    books.unexpected.push(`${method} ${path} returned ${answer.status} ${answer.text.slice(0, 300)}`)
    return null
  }
  return Object.assign(entry, read(answer.json.data), { endedAt: performance.now() })
}

async function persist(work: () => Promise<Operation | null>): Promise<Operation> {
  for (;;) {
    const done = await work()
    if (done) return done
    await Bun.sleep(PAUSE_MS)
  }
}

function clientOf(shop: Shop, client: number, own: Chance, isOver: () => boolean) {
  const card = clientsOf(shop, books, own.fork())
  let version = 0
  let made = 0

  async function sell(): Promise<void> {
    const about = `order-${client}-${++made}`
    const body = orderBody({ externalId: about, amount: '25.00' })
    const { id } = await persist(() =>
      send(shop, { client, kind: 'order', about }, ['POST', '/v1/orders', body, about], data => {
        return { id: String(data.orderUUID) }
      }),
    )
    if (own.percent(40)) return
    const sale: Sale = { externalId: about, orderUUID: id!, isPaid: false }
    books.sales.push(sale)
    const at = performance.now()
    history.push({ client, kind: 'pay', about: id!, startedAt: at, endedAt: null })
    history.push({ client, kind: 'write', about: id!, version: 1, startedAt: at, endedAt: null })
    await card.pay(sale)
    for (let reads = 0; reads < 20; reads++) {
      const done = await readOrder(id!)
      if (done?.version === 1) break
      await Bun.sleep(PAUSE_MS * reads)
      if (reads === 19) return
    }
    if (own.percent(50)) await refund(id!, `refund-${client}-${made}`)
  }

  const readOrder = (id: string) =>
    send(shop, { client, kind: 'read', about: id }, ['GET', `/v1/orders/${id}`], ({ status }) => {
      return { version: Number(status === 'PAID') }
    })

  const refund = (id: string, about: string) =>
    persist(() => {
      const body = { amount: '5.00', reason: about }
      const request: [string, string, object, string] = ['POST', `/v1/orders/${id}/refunds`, body, about]
      return send(shop, { client, kind: 'refund', about }, request, data => {
        return { id: String((data.refund as { refundId: string }).refundId) }
      })
    })

  async function write(product: string): Promise<void> {
    const written = ++version
    const body = { name: nameOf(written) }
    await send(shop, { client, kind: 'write', about: product, version: written }, [
      'PATCH',
      `/v1/products/${product}`,
      body,
    ])
  }

  const read = (product: string) =>
    send(shop, { client, kind: 'read', about: product }, ['GET', `/v1/products/${product}`], ({ name }) => {
      return { version: versionOf(String(name)) }
    })

  /** Each client changes a product of its own, and reads the products of all clients. */
  return async (products: string[]): Promise<void> => {
    while (!isOver()) {
      const choice = own.below(10)
      if (choice < 3) await sell().catch(error => books.unexpected.push(String(error)))
      else if (choice < 6) await write(products[client - 1]!)
      else await read(own.pick(products))
      await Bun.sleep(PAUSE_MS)
    }
  }
}

async function newProducts(shop: Shop): Promise<string[]> {
  const orderTemplate = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const body = { name: nameOf(0), orderTemplate }
  const made = Array.from({ length: CLIENTS }, async () => {
    const { json } = await callUrl(`${shop.servers[0].url}/v1/products`, 'POST', { key: shop.key, body })
    return String(json.data.productUUID)
  })
  return Promise.all(made)
}

/** Breaks one link after another, sometimes both at once, until the run is over. */
async function breakLinks(links: Link[][], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const fault = chance.pick(linkFaults)
    const broken = chance.percent(20) ? links.flat() : chance.pick(links)
    counts[fault]++
    for (const link of broken) link.setFault(fault)
    await Bun.sleep(FAULT_MIN_MS + chance.below(FAULT_MORE_MS))
    for (const link of broken) link.setFault(null)
    await Bun.sleep(chance.below(QUIET_MORE_MS))
  }
}

/** Polls as open pages do: without polls, a payment whose callback is lost is found after ten minutes. */
async function askForPayments({ servers }: Shop): Promise<void> {
  for (const { orderUUID } of books.sales.filter(({ isPaid }) => isPaid))
    await callUrl(`${servers[0].url}/pay/${orderUUID}/check`, 'POST')
}

function leftIn(shop: Shop): Left {
  const rows = (sql: string) => rowsOf(shop.left, sql).map(row => row.map(String))
  const settling = 'SELECT count(*) FROM incoming_payments p WHERE p.order_id = o.id AND p.settles = 1'
  return {
    orders: rows(`SELECT external_id, id, status, (${settling}) FROM orders o`).map(
      ([key, id, status, payments]) => {
        return { key: key!, id: id!, isPaid: status === 'PAID', payments: Number(payments) }
      },
    ),
    refunds: rows('SELECT reason, id FROM refunds').map(([key, id]) => ({ key: key!, id: id! })),
    products: rows('SELECT id, name FROM products').map(([id, name]) => {
      return { id: id!, version: versionOf(name!) }
    }),
    events: shop.receiver.received.map(({ json, body }) => {
      return { id: String(json.id), type: String(json.type), orderId: String(json.orderUUID), body }
    }),
  }
}

type Link = Awaited<ReturnType<typeof startLink>>
const links: Record<string, Link[]> = {}
const shop = await openShop(async (name, port) => {
  const link = await startLink(port, maxMs => pauses.below(maxMs))
  links[name] = [...(links[name] ?? []), link]
  return link.port
})
const problems: string[] = []
try {
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > totalMs
  const products = await newProducts(shop)
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    clientOf(shop, client + 1, chance.fork(), isOver)(products),
  )
  const breaking = breakLinks(Object.values(links), isOver)
  await Bun.sleep(totalMs / 2)
  await shop.primary.kill()
  await Bun.sleep(chance.below(FAULT_MORE_MS))
  runScript(shop.standby.url('postgres'), 'SELECT pg_promote()')
  await breaking
  const isReady = async () => {
    const answers = shop.servers.map(({ url }) => callUrl(`${url}/readyz`, 'GET').catch(() => null))
    return (await Promise.all(answers)).every(answer => answer?.status === 200)
  }
  await until(isReady, 'both servers', BACK_MS)
  await Promise.all(clients)
  await askForPayments(shop)
  await until(isSettledIn(shop, books), 'settling', SETTLED_MS).catch(error => problems.push(error.message))
  problems.push(...historyProblems(history, leftIn(shop)), ...books.unexpected)
  problems.push(...(await problemsIn(shop.left)))
  const faults = Object.entries(counts).map(([fault, count]) => `${count} ${fault}`)
  say(
    `${Math.round((performance.now() - startedAt) / 1000)} s, ${history.length} operations, ` +
      `${books.unanswered} without an answer or 503. Links: ${faults.join(', ')}. One failover. ` +
      `${books.sales.length} payments, ${shop.receiver.received.length} events arrived.`,
  )
  say(
    problems.length === 0
      ? 'Nothing acknowledged is lost, nothing happened twice, and no read went back in time.'
      : `FAILED:\n${problems.slice(0, 50).join('\n')}`,
  )
} finally {
  for (const link of Object.values(links).flat()) link.stop()
  await shop.stop()
  await endProcesses()
}
process.exit(problems.length > 0 ? 1 : 0)
