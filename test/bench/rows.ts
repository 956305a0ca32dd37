// The kinds of requests that are measured.
import { join } from 'node:path'
import { deliverAll, deliverDuring } from './events.ts'
import { type Load, type Result, send } from './load.ts'
import {
  compressed,
  createOrder,
  creation,
  headersOf,
  openAttempt,
  openPayments,
  productPage,
  reading,
  type Server,
} from './server.ts'
import { newShop, orderAndPayment, runCommand } from './shop.ts'

/** A new server compiles what its requests run. */
const WARM_SECONDS = 3
const SECONDS = 2
const EVENTS = 1000
/** More open payments than a cache holds. A merchant can have 2,000. */
const MANY = 1800
/** The time that the slow merchant's server takes for each event. All of them take more than six seconds. */
const SLOW_MS = 200
const SLOW_SECONDS = 5

/** A server with the demo's data. */
export interface Subject {
  server: Server
  executable: string
  dataDir: string
  /** the URL of its merchant's server */
  receiver: string
}

type Round = () => Promise<Result>

export interface Row {
  name: string
  connections: number
  /** Prepares what the row needs, and returns a function that measures a round. */
  prepare(subject: Subject): Promise<Round>
  /** Makes the request to the bare server that it is compared with; null for none. */
  bare: ((server: Server) => Promise<Load>) | null
}

export const round = (server: Server, load: Load, connections: number, seconds = SECONDS): Promise<Result> =>
  send(server.pid, load, connections, seconds)

/** A row of one request, which is sent for some seconds before it is measured. */
const requests = (
  name: string,
  loadOf: (subject: Subject) => Promise<Load>,
  bare: Row['bare'],
  connections = 16,
): Row => ({
  name,
  connections,
  bare,
  async prepare(subject) {
    const load = await loadOf(subject)
    await send(subject.server.pid, load, connections, WARM_SECONDS)
    return () => round(subject.server, load, connections)
  },
})

const create = async (server: Server): Promise<Load> => creation(server)
const readOne = async (server: Server): Promise<Load> =>
  reading(`${server.url}/v1/orders/${await createOrder(server)}`)

const opened = new WeakMap<Server, ReturnType<typeof openPayments>>()

/** The pages of many open payments, which are opened once for each server. */
function manyOf(server: Server): ReturnType<typeof openPayments> {
  const many = opened.get(server) ?? openPayments(server, MANY)
  opened.set(server, many)
  return many
}

/** Orders and their payments. Each round has a shop of its own, because a shop can have 2,000 open payments. */
const ordersAndPayments: Row = {
  name: 'create an order and open its payment',
  connections: 16,
  bare: null,
  async prepare({ server, executable, dataDir }) {
    const load = () => orderAndPayment(creation(server, newShop([executable], dataDir)))
    await send(server.pid, load(), 16, WARM_SECONDS)
    return () => round(server, load(), 16)
  },
}

/** Orders that have an event each. */
async function ordersWithEvents({ server, executable, dataDir, receiver }: Subject) {
  const { merchantId } = server
  const decision = ['--by', 'Ann', '--reason', 'paid in cash']
  const order = ['--order', await createOrder(server)]
  runCommand([executable], dataDir, 'order', 'force', '--merchant', merchantId, ...order, ...decision)
  const orders: string[] = []
  while (orders.length < EVENTS) orders.push(await createOrder(server))
  return { server, file: join(dataDir, 'florin.sqlite'), receiver, orders }
}

type Deliveries = Awaited<ReturnType<typeof ordersWithEvents>>

/** A row of events that are delivered to a merchant's server, once before it is measured. */
const deliveries = (name: string, measure: (events: Deliveries) => Promise<Result>): Row => ({
  name,
  connections: 0,
  bare: null,
  async prepare(subject) {
    const events = await ordersWithEvents(subject)
    await measure(events)
    return () => measure(events)
  },
})

/** Deliveries to a slow server while orders are created. The processor time is that of both. */
const duringOrders = (events: Deliveries) =>
  deliverDuring(events, SLOW_MS, () => round(events.server, creation(events.server), 16, SLOW_SECONDS))

const withoutTime = (result: Result): Result => ({
  ...result,
  cpuMicroseconds: null,
  mainMicroseconds: null,
})

export const rows: readonly Row[] = [
  ...[64, 16, 1].map(connections =>
    requests('create an order', ({ server }) => create(server), create, connections),
  ),
  ordersAndPayments,
  requests(
    'read an order',
    async ({ server }) => ({ ...(await readOne(server)), headers: headersOf(server) }),
    readOne,
  ),
  requests(
    'list 20 orders',
    async ({ server }) => reading(`${server.url}/v1/orders?pageSize=20`, headersOf(server)),
    readOne,
  ),
  requests(
    'checkout status',
    async ({ server }) => reading(`${server.checkoutUrl}/status`, { Accept: 'application/json' }),
    readOne,
  ),
  requests(
    'checkout page, compressed',
    async ({ server }) => reading(server.checkoutUrl, compressed),
    readOne,
  ),
  requests(
    'product page, compressed',
    async ({ server }) => reading(await productPage(server), compressed),
    readOne,
  ),
  requests('open payment with QR code', async ({ server }) => reading(await openAttempt(server)), readOne),
  requests(
    'open payment, compressed',
    async ({ server }) => reading(await openAttempt(server), compressed),
    readOne,
  ),
  requests(`open payment, ${MANY} in turn`, async ({ server }) => (await manyOf(server)).page, readOne),
  requests(
    `poll of an open payment, ${MANY} in turn`,
    async ({ server }) => (await manyOf(server)).poll,
    readOne,
  ),
  deliveries('deliver an event, quick endpoint', events => deliverAll(events, 0)),
  deliveries(`deliver an event, endpoint of ${SLOW_MS} ms`, async events =>
    withoutTime((await duringOrders(events)).slow),
  ),
  deliveries('create an order, 16 connections, during deliveries', async events =>
    withoutTime((await duringOrders(events)).meanwhile),
  ),
]
