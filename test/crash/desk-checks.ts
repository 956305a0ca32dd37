import { expect } from 'bun:test'
import { receivedFor, type Scene } from './checks.ts'
import { type Order, readServerState } from './deals.ts'
import { type Desk, deskOf, productName, type Sale, shopName, type Versions } from './desk.ts'
import { rowsOf } from './problems.ts'

// Checks of the second shop, which must hold after an interruption.

const DELIVERED_MS = 20_000
const statusAfter = { accept: 'accepted', resolve: 'resolved' }

/** The second shop's data on a server. */
interface DeskState {
  orders: Order[]
  products: { productUUID: string; name: string }[]
  settings: string
  refunds: { key: string; orderUUID: string; id: string }[]
  payments: { id: string; orderUUID: string; status: string }[]
}

async function readDesk({ server, installation }: Scene, desk: Desk): Promise<DeskState> {
  const { orders } = await readServerState(server, desk.key)
  const products: DeskState['products'] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const path: string = `/v1/products?pageSize=100${token && `&pageToken=${token}`}`
    const { data } = (await server.call('GET', path, { key: desk.key })).json
    products.push(...data.items)
    token = data.nextPageToken
  }
  const headers = { host: installation.host, cookie: desk.cookie, accept: 'text/html' }
  const { text } = await server.call('GET', '/dashboard/settings', { headers })
  const own = `WHERE merchant_id = '${desk.merchantId}'`
  const rows = (sql: string) => rowsOf(installation.file, sql).map(row => row.map(String))
  const refunds = rows(`SELECT reason, order_id, id FROM refunds ${own}`)
  const payments = rows(`SELECT id, order_id, status FROM unmatched_payments ${own}`)
  return {
    ...{ orders, products },
    settings: /name="name"[^>]*value="([^"]*)"/.exec(text)?.[1] ?? text,
    refunds: refunds.map(([key, orderUUID, id]) => ({ key: key!, orderUUID: orderUUID!, id: id! })),
    payments: payments.map(([id, orderUUID, status]) => ({
      id: id!,
      orderUUID: orderUUID!,
      status: status!,
    })),
  }
}

function saleProblems({ sales }: Desk, { orders, payments }: DeskState): string[] {
  const found = Map.groupBy(orders, ({ externalId }) => externalId)
  const accepted = new Set(payments.filter(({ status }) => status === 'accepted').map(one => one.orderUUID))
  const isWrong = (order: Order, { payment }: Sale): boolean =>
    payment !== 'requested' &&
    (order.status === 'PAID') !== (payment === 'recorded' || accepted.has(order.orderUUID))
  return sales.flatMap(sale => {
    const { externalId, order } = sale
    const [first, ...more] = found.get(externalId) ?? []
    if (more.length > 0) return [`${externalId} exists ${more.length + 1} times`]
    if (order && order.orderUUID !== first?.orderUUID) return [`${externalId} was confirmed, but is lost`]
    return first && isWrong(first, sale) ? [`${externalId} is ${first.status}: ${JSON.stringify(sale)}`] : []
  })
}

function refundProblems({ refunds }: Desk, state: DeskState): string[] {
  const found = Map.groupBy(state.refunds, ({ key }) => key)
  const known = new Set(refunds.map(({ key }) => key))
  return [
    ...[...found.keys()].filter(key => !known.has(key)).map(key => `${key} was never requested`),
    ...refunds.flatMap(({ key, id, orderUUID }) => {
      const [first, ...more] = found.get(key) ?? []
      if (more.length > 0) return [`${key} exists ${more.length + 1} times`]
      if (id && first?.id !== id) return [`${key} was confirmed as ${id}, and is ${first?.id}`]
      return first && first.orderUUID !== orderUUID ? [`${key} is of another order`] : []
    }),
  ]
}

/** The version that a text shows; null if it is older than the confirmed version or was never requested. */
function versionIn({ requested, confirmed }: Versions, text: string, named: (version: number) => string) {
  for (let version = confirmed; version <= requested; version++) if (named(version) === text) return version
  return null
}

function changeProblems(desk: Desk, { products, settings, payments }: DeskState): string[] {
  const found = new Map(products.map(({ productUUID, name }) => [productUUID, name]))
  const isKnown = ({ productUUID }: { productUUID: string }) =>
    desk.products.some(({ id }) => id === productUUID)
  const unknown = products.filter(product => !isKnown(product)).length
  const wrong = (text: string | undefined, { requested, confirmed }: Versions): string =>
    `is ${text}, and should have version ${confirmed} to ${requested}`
  return [
    ...desk.products
      .filter(product => versionIn(product, found.get(product.id) ?? '', productName) === null)
      .map(product => `product ${product.id} ${wrong(found.get(product.id), product)}`),
    ...(unknown > desk.unknownProducts ? [`${unknown} products were never confirmed`] : []),
    ...(versionIn(desk.name, settings, shopName) === null
      ? [`the name of the shop ${wrong(settings, desk.name)}`]
      : []),
    ...payments.flatMap(({ id, status }) => {
      const { action, isConfirmed = false } = desk.decisions.get(id) ?? {}
      const allowed = [...(isConfirmed ? [] : ['open']), ...(action ? [statusAfter[action]] : [])]
      return allowed.includes(status) ? [] : [`payment ${id} is ${status}, and should be ${allowed}`]
    }),
    ...[...desk.decisions]
      .filter(([id]) => !payments.some(payment => payment.id === id))
      .map(([id]) => `payment ${id} was decided, but does not exist`),
  ]
}

/** Takes the data of a restarted server as confirmed. */
function acceptDesk(desk: Desk, { products, settings, payments }: DeskState): void {
  const accept = (versions: Versions, text: string, named: (version: number) => string) => {
    const version = versionIn(versions, text, named) ?? versions.confirmed
    Object.assign(versions, { requested: version, confirmed: version })
  }
  const known = new Map(desk.products.map(product => [product.id, product]))
  for (const { productUUID: id, name } of products) {
    const product = known.get(id)
    if (product) accept(product, name, productName)
    else desk.products.push({ id, requested: 0, confirmed: 0 })
  }
  desk.unknownProducts = 0
  accept(desk.name, settings, shopName)
  for (const { id, status } of payments) {
    const decision = desk.decisions.get(id)
    if (decision && status !== 'open') decision.isConfirmed = true
  }
}

/** Expects everything that was confirmed to the second shop, and nothing that was not requested. */
export async function expectDeskIsWhole(scene: Scene, desk: Desk): Promise<void> {
  const state = await readDesk(scene, desk)
  const problems = [saleProblems, refundProblems, changeProblems].flatMap(check => check(desk, state))
  expect([...problems, ...scene.books.unexpected]).toEqual([])
  acceptDesk(desk, state)
}

/** Repeats unanswered requests, twice at the same time where an idempotency key makes that safe. */
export async function resumeDesk(scene: Scene, desk: Desk): Promise<void> {
  const { server, installation, books } = scene
  const people = deskOf(server, installation, desk, books)
  for (const sale of desk.sales.filter(({ order }) => order === null))
    await Promise.all([people.order(sale), people.order(sale)])
  for (const sale of desk.sales.filter(({ payment }) => payment === 'requested')) await people.pay(sale)
  for (const refund of desk.refunds.filter(({ id }) => id === null))
    await Promise.all([people.refund(refund), people.refund(refund)])
  for (const refund of desk.refunds.slice(-5)) await people.refund(refund)
  await people.decide(() => 'resolve')
  await expectDeskIsWhole(scene, desk)
}

/** Expects each event to be delivered with one ID and one content, and one `order.paid` for each paid order. */
export async function expectDeskEventsArrived({ installation, server }: Scene, desk: Desk): Promise<void> {
  const rows = (sql: string): unknown[][] => rowsOf(installation.file, sql)
  for (const until = Date.now() + DELIVERED_MS; Date.now() < until; await Bun.sleep(50))
    if (rows("SELECT 1 FROM deliveries WHERE status = 'pending'").length === 0) break
  const own = `FROM events WHERE merchant_id = '${desk.merchantId}'`
  const events = rows(`SELECT id, body ${own}`).map(String)
  const received = receivedFor(installation, desk.merchantId)
  const contents = new Set(received.map(({ json, body }) => String([json.id, body])))
  expect([...contents].sort()).toEqual(events.sort())
  const { orders } = await readServerState(server, desk.key)
  const paid = orders.filter(({ status }) => status === 'PAID').map(({ orderUUID }) => orderUUID)
  const announced = rows(`SELECT order_id ${own} AND type = 'order.paid'`).map(String)
  expect(announced.sort()).toEqual(paid.sort())
}
