// Breaks one thing after another in a shop with two servers on PostgreSQL, under mixed load, and checks
// afterwards that nothing was lost, nothing happened twice, and that a monitor noticed.
// npm run test:chaos -- --minutes 10
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { problemsIn, rowsOf } from '../crash/problems.ts'
import { seeded, seedOf } from '../crash/random.ts'
import { endProcesses } from '../support/process.ts'
import { runScript } from '../support/psql.ts'
import { startRelay } from '../support/silent-relay.ts'
import { until } from '../support/until.ts'
import { type Books, clientsOf, isSettledIn, repeatTurns } from './load.ts'
import { openShop, type Server, type Shop } from './shop.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const MINUTE_MS = 60_000
const totalMs = Number(values.minutes) * MINUTE_MS
const CLIENTS = 6
const WATCH_MS = 1000
/** After this time without an answer, the monitor counts the server as failed. */
const PROBE_MS = 5000
const SETTLED_MS = 5 * MINUTE_MS
const BACK_MS = 2 * MINUTE_MS

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** The status of an answer; 0 without one. */
async function statusOf(url: string): Promise<number> {
  const signal = AbortSignal.timeout(PROBE_MS)
  return fetch(url, { signal }).then(
    ({ status }) => status,
    () => 0,
  )
}

/** One observation of the monitor. */
interface Seen {
  at: number
  ready: number
  /** florin_database_available; null if the metrics could not be read */
  available: number | null
}

async function lookAt(server: Server): Promise<Seen> {
  const at = performance.now()
  const signal = AbortSignal.timeout(PROBE_MS)
  const [ready, text] = await Promise.all([
    statusOf(`${server.url}/readyz`),
    fetch(server.metrics, { signal }).then(
      answer => answer.text(),
      () => '',
    ),
  ])
  const value = /^florin_database_available (\d)$/m.exec(text)?.[1]
  return { at, ready, available: value === undefined ? null : Number(value) }
}

/** A fault: how to begin and end it, and the names of the servers that cannot work meanwhile. */
interface Fault {
  name: string
  ms: number
  affected: string[]
  /** the longest time without an acknowledged order, on a busy machine with two cores */
  gapMaxMs: number
  begin(shop: Shop): Promise<unknown>
  end(shop: Shop): Promise<unknown>
}

/** Shortens a pause, so that even a short run has all faults. */
const atMost = (ms: number): number => Math.min(ms, totalMs / 8)

/** the relays through which the second server reaches the database */
const relays: Awaited<ReturnType<typeof startRelay>>[] = []

const faults: Fault[] = [
  {
    name: 'kill -9 of the first server, started again',
    ms: atMost(15_000),
    affected: ['first'],
    gapMaxMs: 15_000,
    begin: ({ servers: [first] }) => first.running.stop('SIGKILL'),
    end: ({ servers: [first] }) => first.start(),
  },
  {
    name: 'SIGSTOP of the second server',
    ms: atMost(60_000),
    affected: ['second'],
    gapMaxMs: 20_000,
    begin: async ({ servers: [, second] }) => process.kill(second.running.pid, 'SIGSTOP'),
    end: async ({ servers: [, second] }) => process.kill(second.running.pid, 'SIGCONT'),
  },
  {
    name: 'the second server cut off from PostgreSQL',
    ms: atMost(45_000),
    affected: ['second'],
    gapMaxMs: 30_000,
    begin: async () => relays.map(relay => relay.setSilent(true)),
    end: async () => relays.map(relay => relay.setSilent(false)),
  },
  {
    name: 'kill of the primary, the standby promoted',
    ms: atMost(10_000),
    affected: ['first', 'second'],
    gapMaxMs: 40_000,
    begin: ({ primary }) => primary.kill(),
    end: async ({ standby }) => runScript(standby.url('postgres'), 'SELECT pg_promote()'),
  },
]

/** The longest time between two acknowledged orders. */
function longestGap(books: Books, from: number): number {
  const times = [from, ...books.acknowledgedAt.filter(at => at > from), performance.now()]
  return Math.round(Math.max(...times.slice(1).map((at, before) => at - times[before]!)))
}

async function breakIt(shop: Shop, books: Books, fault: Fault): Promise<string[]> {
  const seen = new Map<string, Seen[]>(shop.servers.map(({ name }) => [name, []]))
  let isOver = false
  const watching = shop.servers.map(server =>
    repeatTurns(
      async () => {
        await Bun.sleep(WATCH_MS)
        seen.get(server.name)!.push(await lookAt(server))
      },
      () => isOver,
    ),
  )
  const from = performance.now()
  await fault.begin(shop)
  await Bun.sleep(fault.ms)
  await fault.end(shop)
  const isBack = async () =>
    (await Promise.all(shop.servers.map(({ url }) => statusOf(`${url}/readyz`)))).every(one => one === 200)
  const endedAt = performance.now()
  await until(isBack, `both servers after ${fault.name}`, BACK_MS)
  const backMs = Math.round(performance.now() - endedAt)
  isOver = true
  await Promise.all(watching)
  const gapMs = longestGap(books, from)
  const problems = shop.servers.flatMap(({ name }) => {
    const bad = seen.get(name)!.filter(({ ready }) => ready !== 200)
    return bad.length > 0 || !fault.affected.includes(name)
      ? []
      : [`${fault.name}: /readyz of ${name} stayed 200`]
  })
  const noticed = shop.servers.map(({ name }) => {
    const [first, ...more] = seen
      .get(name)!
      .filter(({ ready, available }) => ready !== 200 || available !== 1)
    if (!first) return `${name} never`
    const seconds = ((more.at(-1)?.at ?? first.at) - first.at) / 1000
    return `${name} after ${((first.at - from) / 1000).toFixed(1)} s for ${seconds.toFixed(1)} s`
  })
  say(
    `${fault.name}: ${Math.round(fault.ms / 1000)} s; no order for ${gapMs} ms at most; ` +
      `both ready ${backMs} ms after its end; not ready: ${noticed.join(', ')}`,
  )
  return gapMs > fault.gapMaxMs ? [...problems, `${fault.name}: no order for ${gapMs} ms`] : problems
}

type Rows = (sql: string) => string[][]

function orderProblems(rows: Rows, { sales }: Books): string[] {
  const orders = Map.groupBy(
    rows('SELECT external_id, id, status FROM orders'),
    ([externalId]) => externalId!,
  )
  return sales.flatMap(({ externalId, orderUUID, isPaid }) => {
    const [first, ...more] = orders.get(externalId) ?? []
    const [, id, status] = first ?? []
    return [
      ...(more.length > 0 ? [`${externalId} has ${more.length + 1} orders`] : []),
      ...(orderUUID !== null && id !== orderUUID ? [`${externalId} is lost`] : []),
      ...((status === 'PAID') !== isPaid
        ? [`${externalId} is ${status}, and its money sent: ${isPaid}`]
        : []),
    ]
  })
}

function eventProblems(rows: Rows, { receiver }: Shop): string[] {
  const paid = rows("SELECT id FROM orders WHERE status = 'PAID'").map(([id]) => id!)
  const events = Map.groupBy(rows("SELECT order_id FROM events WHERE type = 'order.paid'"), ([id]) => id!)
  const announced = Map.groupBy(
    receiver.received.filter(({ json }) => json.type === 'order.paid'),
    ({ json }) => String(json.orderUUID),
  )
  const contents = (id: string): number => new Set(announced.get(id)?.map(({ body }) => body)).size
  return [
    ...paid.filter(id => events.get(id)?.length !== 1).map(id => `${id} has not one event`),
    ...paid.filter(id => contents(id) !== 1).map(id => `${id} was announced with ${contents(id)} contents`),
    ...[...announced.keys()]
      .filter(id => !paid.includes(id))
      .map(id => `${id} was announced, and is not paid`),
  ]
}

/** Notifications that this shop gets even if nothing fails, because it was set up just before. */
const USUAL_NOTICES = ['key_created', 'payout_changed', 'webhook_changed', 'order_paid']

/** Notifications of things that did not happen. A server that loses its database only logs it. */
function noticeProblems(rows: Rows, { servers }: Shop): string[] {
  const kinds = new Set(rows('SELECT kind FROM notifications').map(([kind]) => kind!))
  const silent = servers.filter(({ before, running }) => {
    return !(before + running.stderr()).includes('storage.unavailable')
  })
  return [
    ...silent.map(({ name }) => `the log of the ${name} server does not say that the database was gone`),
    ...[...kinds].filter(kind => !USUAL_NOTICES.includes(kind)).map(kind => `a notification of ${kind}`),
  ]
}

/** Everything that is lost or duplicated, once everything has settled. */
function problemsOf(shop: Shop, books: Books): string[] {
  const rows: Rows = sql => rowsOf(shop.left, sql).map(row => row.map(String))
  const unmatched = rows('SELECT order_id FROM unmatched_payments')
  return [
    ...orderProblems(rows, books),
    ...eventProblems(rows, shop),
    ...noticeProblems(rows, shop),
    ...unmatched.map(([id]) => `${id} has an unmatched payment`),
    ...books.unexpected,
  ]
}

function writeLog({ name, before, running }: Server): void {
  const file = join(tmpdir(), `florin-chaos-${process.pid}-${name}.log`)
  writeFileSync(file, before + running.stderr())
  say(`The log of the ${name} server is in ${file}`)
}

const chance = seeded(seedOf('test/chaos/run.ts'))
const shop = await openShop(async (server, port) => {
  if (server === 'first') return port
  const relay = await startRelay({ host: '127.0.0.1', port })
  relays.push(relay)
  return relay.port
})
const books: Books = { sales: [], acknowledgedAt: [], answers: 0, unanswered: 0, unexpected: [] }
const problems: string[] = []
try {
  let isOver = false
  const { turn } = clientsOf(shop, books, chance)
  const clients = Array.from({ length: CLIENTS }, () => repeatTurns(turn, () => isOver))
  const startedAt = performance.now()
  const quietMs = (totalMs - faults.reduce((sum, { ms }) => sum + ms, 0)) / (faults.length + 1)
  for (const fault of faults) {
    await Bun.sleep(quietMs)
    problems.push(...(await breakIt(shop, books, fault)))
  }
  await Bun.sleep(quietMs)
  isOver = true
  await Promise.all(clients)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  await until(isSettledIn(shop, books), 'settling', SETTLED_MS).catch(error => problems.push(error.message))
  problems.push(...problemsOf(shop, books), ...(await problemsIn(shop.left)))
  const paid = books.sales.filter(({ isPaid }) => isPaid).length
  const repeated =
    shop.receiver.received.length - new Set(shop.receiver.received.map(({ json }) => json.id)).size
  say(
    `${seconds} s: ${books.sales.length} orders, ${paid} of them paid, ${books.answers} answers, ` +
      `${books.unanswered} without one or 503, ${repeated} deliveries repeated; ${problems.length} problems`,
  )
  for (const problem of problems.slice(0, 50)) say(problem)
  if (problems.length > 0) for (const server of shop.servers) writeLog(server)
} finally {
  for (const relay of relays) relay.stop()
  await shop.stop()
  await endProcesses()
}
process.exit(problems.length > 0 ? 1 : 0)
