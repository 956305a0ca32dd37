import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { orderPaidProblems } from '../http/expected-shapes.ts'
import { audit } from '../support/auditor.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { isSigned, type Received } from '../support/receiver.ts'
import {
  acceptState,
  type Books,
  confirmedDeals,
  type Deal,
  openBooks,
  readServerState,
  stateProblems,
} from './deals.ts'
import { clientOf, load, unfinished } from './load.ts'
import { problemsIn, rowsOf } from './problems.ts'
import { seeded, seedOf } from './random.ts'
import { type Installation, openInstallation, startAndKill } from './server.ts'

const ROUNDS = 8
const LOAD_MIN_MS = 250
const LOAD_MORE_MS = 700
const ANSWER_MAX_MS = 2000
const START_MS = 250
const DELIVERY_MAX_MS = 25
const AT_ONCE = 16

setDefaultTimeout(60_000)

const chance = seeded(seedOf('test/crash/kill.test.ts'))
const delays = chance.fork()
let installation: Installation
let server: RunningProcess
let books: Books

beforeAll(async () => {
  installation = await openInstallation(async () => {
    await Bun.sleep(delays.below(DELIVERY_MAX_MS))
    return new Response('ok')
  })
  books = openBooks(installation)
  server = await installation.start()
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

/** Runs `act` for each row, several at a time. */
async function each<T>(rows: T[], act: (row: T) => Promise<unknown>): Promise<void> {
  const rest = rows.values()
  const walk = async () => {
    for (const row of rest) await act(row)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
}

const ask = (sql: string): unknown[][] => rowsOf(installation.file, sql)
const paidEvents = (): Received[] =>
  installation.receiver.received.filter(({ json }) => json.type === 'order.paid')
const hasNoLoggedErrors = (): boolean => !server.stderr().includes('"level":"error"')

/** Expects what must be true after every restart. */
async function expectNothingLost(): Promise<void> {
  const state = await readServerState(server, installation.key)
  expect(stateProblems(books, state)).toEqual([])
  expect(await problemsIn(installation.file)).toEqual([])
}

/**
 * Repeats unanswered requests twice at the same time: one order is created, or none if it already existed.
 */
async function askAgain(open: Deal[]): Promise<void> {
  const client = clientOf(server, installation, books)
  await each(open, async deal => {
    const wasThere = deal.order !== null
    expect(await client.makeTwice(deal)).toEqual(wasThere ? [200, 200] : [200, 201])
  })
}

/** Repeats requests: the same key gives the same order, and the checkout shows the same crypto payment. */
async function replay(deals: Deal[]): Promise<void> {
  const client = clientOf(server, installation, books)
  await each(deals, async deal => {
    if (deal.idempotencyKey !== null && (deal.aim === 'keep' || deal.ended))
      expect(await client.make(deal)).toBe(200)
    if (deal.attempt && deal.money === 'unsent') await client.checkPage(deal)
  })
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'after kill %i under load, the server restarts with everything it had confirmed',
  async round => {
    const before = books.deals.length
    const clients = load(server, installation, books, chance.fork())
    await Bun.sleep(LOAD_MIN_MS + chance.below(LOAD_MORE_MS))
    const { answers } = books
    // In every other round, right after a response.
    const until = performance.now() + ANSWER_MAX_MS
    while (round % 2 === 1 && books.answers === answers && performance.now() < until) await Bun.sleep(0)
    await server.stop('SIGKILL')
    await clients
    expect(hasNoLoggedErrors()).toBe(true)
    if (round % 2 === 0)
      await startAndKill(installation.dataDir, installation.settings, () => Bun.sleep(chance.below(START_MS)))
    server = await installation.start()
    await expectNothingLost()
    const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
    acceptState(books, await readServerState(server, installation.key))
    await askAgain(open)
    await replay(books.deals.slice(before))
    await expectNothingLost()
  },
)

describe('after the last restart', () => {
  test('every interrupted payment completes, and no money is counted twice', async () => {
    const client = clientOf(server, installation, books)
    await each(unfinished(books), deal => (deal.aim === 'cancel' ? client.cancel(deal) : client.pay(deal)))
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 60 } })
    await each(unfinished(books), deal => client.pay(deal))
    expect(unfinished(books)).toEqual([])
    expect(confirmedDeals(books, 'crypto', 'card').every(deal => deal.ended?.status === 'PAID')).toBe(true)
    expect(ask('SELECT * FROM unmatched_payments')).toEqual([])
    await expectNothingLost()
  })

  test('every idempotency key returns its first order', async () => {
    await replay(books.deals)
    await expectNothingLost()
  })

  test('each paid order, and no other, has one event, delivered signed and with one ID', async () => {
    for (const until = Date.now() + 10_000; Date.now() < until; await Bun.sleep(50))
      if (ask("SELECT 1 FROM deliveries WHERE status = 'pending'").length === 0) break
    const received = Map.groupBy(paidEvents(), ({ json }) => json.orderUUID)
    const events = ask("SELECT order_id, id, body FROM events WHERE type = 'order.paid'").map(String)
    const seen = [...received.values()].map(([first]) => {
      return String([first?.json.orderUUID, first?.json.id, first?.body])
    })
    expect(seen.sort()).toEqual(events.sort())
    const paid = confirmedDeals(books, 'crypto', 'card').map(deal => deal.order!.orderUUID)
    expect([...received.keys()].sort()).toEqual(paid.sort())
    for (const tries of received.values()) {
      expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
      expect(orderPaidProblems(tries[0]!.json)).toEqual([])
      expect(tries.every(one => isSigned(one, installation.secret))).toBe(true)
      expect(tries.every(one => one.headers.get('x-service-event-id') === one.json.id)).toBe(true)
    }
    expect(ask("SELECT COUNT(*) FROM deliveries WHERE status <> 'delivered'")).toEqual([[0]])
  })

  test('a clean stop leaves a database without problems', async () => {
    expect((await server.stop()).exitCode).toBe(0)
    expect(hasNoLoggedErrors()).toBe(true)
    expect(audit(installation.file)).toEqual([])
    const ends = (status: string) => books.deals.filter(deal => deal.ended?.status === status).length
    expect(Math.min(ends('PAID'), ends('CANCELLED'), books.unanswered)).toBeGreaterThan(0)
    const figures = `${books.answers} responses and ${books.unanswered} requests without one`
    process.stderr.write(`${ROUNDS} kills, ${figures}; ${books.deals.length} orders, ${ends('PAID')} paid\n`)
  })
})

test('a delivery that was running when the server was killed is sent again with the same ID', async () => {
  const own = await openInstallation()
  let letGo: () => void = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  own.receiver.answerWith(async () => {
    await held
    return new Response('late')
  })
  const arrivals = async (count: number) => {
    for (let i = 0; i < 500 && own.receiver.received.length < count; i++) await Bun.sleep(10)
    return own.receiver.received
  }
  const first = await own.start()
  const body = {
    amount: '40.00',
    currency: 'USD',
    paymentMethodsKeys: ['moonpay'],
    customer: { email: 'buyer@buyer.example' },
  }
  const { orderUUID } = (await first.call('POST', '/v1/orders', { key: own.key, body })).json.data
  await first.call('GET', `/payment/process/${orderUUID}?method=moonpay`)
  await first.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } })
  expect(await arrivals(1)).toHaveLength(1)
  await first.stop('SIGKILL')
  letGo()
  own.receiver.answerWith(() => new Response('ok'))
  const second = await own.start()
  const [before, after] = await arrivals(2)
  expect(after?.body).toBe(before!.body)
  expect(after?.headers.get('x-service-event-id')).toBe(before!.json.id)
  expect([isSigned(before!, own.secret), isSigned(after!, own.secret)]).toEqual([true, true])
  await Bun.sleep(200)
  expect((await second.stop()).exitCode).toBe(0)
  expect(own.receiver.received).toHaveLength(2)
  expect(audit(own.file)).toEqual([])
  own.receiver.stop()
})
