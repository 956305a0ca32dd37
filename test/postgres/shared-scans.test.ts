import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { Storage } from '../../src/storage/port.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import type { App } from '../support/app.ts'
import { openPayments } from '../support/open-payments.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { until } from '../support/until.ts'

// Three servers share a database. Pages of one chain are open on all of them, and the servers together query
// the chain as often as one server.

const MINUTE_MS = 60_000
const LEASE_MS = 30_000
/** The time between two polls of an open page. */
const POLL_MS = 5000
const OPENED = 20
/** the number of payments with an open page, where that counts */
const PAGES = 10
/** the number of these that poll at the same moment */
const AT_ONCE = 5
/** Large enough that payments stay unconfirmed. */
const FINALITY_LAG = 3000
const SOON_MS = 20_000

type Payments = Awaited<ReturnType<typeof openPayments>>

let payments: Payments
let servers: App[]
let admin: Connection
let drop: () => Promise<void>
/** the number of servers, which each test sets */
let count = 3
/** the number of running writes of all servers */
let writing = 0
/** the requests of the second server to the chain, and an answer that never comes if set */
const second = { requests: 0, silence: null as Promise<Response> | null }

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  admin = await connect(databaseUrl(made.url)!)
  const environment = { FLORIN_DATABASE_URL: made.url }
  payments = await openPayments(OPENED, 10, { finalityLag: FINALITY_LAG, environment })
  const { app, fetch, startAnother } = payments
  const fetchOfSecond: typeof fetch = (url, init) => {
    if (!url.startsWith('https://node.example')) return fetch(url, init)
    second.requests += 1
    return second.silence ?? fetch(url, init)
  }
  servers = [app, await startAnother(fetchOfSecond), await startAnother()]
  for (const [index, { context, jobs }] of servers.entries()) {
    const write = countedWrite(context.storage)
    // The clocks of the machines differ by a millisecond.
    context.storage = { ...context.storage, servers: () => count, write, clockAhead: () => index % 2 }
    // Jobs are stopped, because their requests to the chain would be counted too.
    await jobs.stop()
  }
})
afterAll(async () => {
  // The chain uses the clock of the first server, so that one closes last.
  for (const server of servers.toReversed()) await server.close()
  await admin.close()
  await drop()
})
beforeEach(async () => {
  count = 3
  pass(MINUTE_MS)
  const running = () => admin.rows('SELECT 1 FROM chain_scans WHERE leased_until IS NOT NULL')
  await until(async () => (await running()).length === 0, 'the last scan', SOON_MS)
})

/** Some writes are not awaited by the answer of the page that starts them. */
const countedWrite =
  (storage: Storage): Storage['write'] =>
  async work => {
    writing += 1
    try {
      return await storage.write(work)
    } finally {
      writing -= 1
    }
  }

const pass = (ms: number): void => {
  payments.app.time.now += ms
}

async function visit(server: number, order: number): Promise<void> {
  const path = `/pay/${payments.orders[order]!.orderUUID}/status`
  const { status } = await servers[server]!.call('GET', path, { headers: { 'hx-request': 'true' } })
  expect(status).toBe(200)
  await until(() => writing === 0, 'what the page asked for', SOON_MS)
}

const pay = (order: number): void => {
  const { address, due } = payments.orders[order]!
  payments.chain.add({ to: address.toLowerCase(), asset: 'polygon/usdc', amount: due, kind: 'payment' })
}

const stateOf = async (order: number): Promise<unknown> => {
  const [row] = await admin.rows('SELECT state FROM attempts WHERE order_id = $1', [
    payments.orders[order]!.orderUUID,
  ])
  return row?.state
}

const isAsked = async (order: number): Promise<boolean> => {
  const rows = await admin.rows(
    'SELECT 1 FROM asked_checks WHERE attempt_id = (SELECT id FROM attempts WHERE order_id = $1)',
    [payments.orders[order]!.orderUUID],
  )
  return rows.length > 0
}

/** Waits until a payment is found, while a page polls again and again: a scan may still be running. */
const isFound = (order: number, server: number, page: number) => {
  const isConfirming = async () => {
    pass(POLL_MS)
    await visit(server, page)
    return (await stateOf(order)) === 'confirming'
  }
  return until(isConfirming, 'the payment', SOON_MS)
}

/** The number of requests to the chain during the work. */
async function requestsOf(work: () => Promise<void>): Promise<number> {
  const before = payments.traffic.requests
  await work()
  return payments.traffic.requests - before
}

test('pages that are open on several servers cost about as much as on one', async () => {
  const pollsOn = (some: number) => async () => {
    count = some
    pass(MINUTE_MS)
    for (let poll = 0; poll < 8 * PAGES; poll += AT_ONCE) {
      pass((POLL_MS / PAGES) * AT_ONCE)
      const round = Math.floor(poll / PAGES)
      const pages = Array.from({ length: AT_ONCE }, (_, at) => poll + at)
      await Promise.all(pages.map(page => visit((page + round) % some, page % PAGES)))
    }
  }
  const alone = await requestsOf(pollsOn(1))
  expect(alone).toBeGreaterThan(8)
  for (const some of [2, 3]) {
    const shared = await requestsOf(pollsOn(some))
    expect(shared).toBeGreaterThan(alone * 0.3)
    expect(shared).toBeLessThanOrEqual(alone * 1.3)
  }
})

test('a payment is found by the scan of another server than that of its page', async () => {
  const [other, paid] = [PAGES, PAGES + 1]
  pay(paid)
  await visit(0, other)
  pass(1000)
  second.requests = 0
  await visit(1, paid)
  await until(() => isAsked(paid), 'what the page asks for', SOON_MS)
  expect(await stateOf(paid)).toBe('waiting')
  await isFound(paid, 0, other)
  expect(second.requests).toBe(0)
  expect(await isAsked(paid)).toBe(false)
})

test('a page whose requests go to each server in turn reads the chain as often as with one server', async () => {
  const scansOf = async (some: number, order: number, minutes: number): Promise<number> => {
    count = some
    let scans = 0
    for (let asked = 0; asked < minutes * 12; asked++) {
      pass(POLL_MS)
      if ((await requestsOf(() => visit(asked % some, order))) > 0) scans += 1
    }
    return scans
  }
  for (const some of [1, 3]) expect(await scansOf(some, 2, 1)).toBeWithin(11, 13)
  // The longer a payment takes to confirm, the less often the chain is scanned for it.
  pay(3)
  const alone = await scansOf(1, 3, 5)
  pay(4)
  const shared = await scansOf(3, 4, 5)
  expect(alone).toBeLessThan(40)
  expect(shared).toBeGreaterThan(alone * 0.4)
  expect(shared).toBeLessThanOrEqual(alone * 1.3)
})

test('a server that ends during a scan delays the others no longer than its lease', async () => {
  const silent = Promise.withResolvers<Response>()
  second.silence = silent.promise
  second.requests = 0
  pay(5)
  const stuck = visit(1, 6)
  await until(() => second.requests > 0, 'the scan', SOON_MS)
  pass(LEASE_MS - 1000)
  expect(await requestsOf(() => visit(0, 5))).toBe(0)
  pass(2000)
  await isFound(5, 2, 5)
  second.silence = null
  silent.resolve(new Response('', { status: 503 }))
  await stuck
})

test('several servers allow as many checks on demand as one', async () => {
  const demand = (order: number) =>
    servers[order % 3]!.call('POST', `/pay/${payments.orders[order]!.orderUUID}/check`)
  const each = await requestsOf(async () => void (await demand(OPENED - 1)))
  pass(MINUTE_MS)
  const all = await requestsOf(async () => {
    await Promise.all([...payments.orders.keys()].map(demand))
  })
  expect(all).toBeGreaterThan(0)
  // Each server makes four scans of its own, and one that the others share.
  expect(all).toBeLessThanOrEqual(13 * each)
})

test('a page answers while the database accepts no requests for checks, and is checked again afterwards', async () => {
  await admin.script('ALTER TABLE asked_checks RENAME TO away')
  pay(7)
  for (const server of [0, 1, 2]) await visit(server, 7)
  await admin.script('ALTER TABLE away RENAME TO asked_checks')
  await isFound(7, 1, 7)
})

test('a page is checked again after the connections to the database were lost', async () => {
  pay(8)
  await visit(0, 9)
  await admin.rows(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  const path = `/pay/${payments.orders[8]!.orderUUID}/status`
  const answers = async () => {
    pass(POLL_MS)
    return (await servers[2]!.call('GET', path, { headers: { 'hx-request': 'true' } })).status === 200
  }
  await until(answers, 'the page', SOON_MS)
  await until(async () => (await answers()) && (await stateOf(8)) === 'confirming', 'the payment', SOON_MS)
})
