import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { orderPaidProblems } from '../http/expected-shapes.ts'
import { audit } from '../support/auditor.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { isSigned, type Received } from '../support/receiver.ts'
import { adopt, type Books, type Deal, dealsTold, keptFaults, openBooks, readKept } from './deals.ts'
import { faultsOf, rowsOf } from './faults.ts'
import { clientOf, load, unfinished } from './load.ts'
import { seeded, seedOf } from './random.ts'
import { openStand, type Stand, startAndKill } from './server.ts'

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
let stand: Stand
let server: RunningProcess
let books: Books

beforeAll(async () => {
  stand = await openStand(async () => {
    await Bun.sleep(delays.below(DELIVERY_MAX_MS))
    return new Response('ok')
  })
  books = openBooks(stand)
  server = await stand.start()
})
afterAll(async () => {
  stand?.receiver.stop()
  await endProcesses()
})

/** Does something with each, a few at a time. */
async function each<T>(rows: T[], act: (row: T) => Promise<unknown>): Promise<void> {
  const rest = rows.values()
  const walk = async () => {
    for (const row of rest) await act(row)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
}

const ask = (sql: string): unknown[][] => rowsOf(stand.file, sql)
const paidEvents = (): Received[] => stand.receiver.received.filter(({ json }) => json.type === 'order.paid')
const isLoggedWell = (): boolean => !server.stderr().includes('"level":"error"')

/** What holds whenever the server has started again, whatever it was doing when it died. */
async function expectKept(): Promise<void> {
  const kept = await readKept(server, stand.key)
  expect(keptFaults(books, kept)).toEqual([])
  expect(await faultsOf(stand.file)).toEqual([])
}

/** Who got no answer asks again, twice at once: that makes one order, and none where there was one. */
async function askAgain(open: Deal[]): Promise<void> {
  const client = clientOf(server, stand, books)
  await each(open, async deal => {
    const wasThere = deal.order !== null
    expect(await client.makeTwice(deal)).toEqual(wasThere ? [200, 200] : [200, 201])
  })
}

/** The same key and body give the same order, and a crypto payment is what the buyer saw. */
async function replay(deals: Deal[]): Promise<void> {
  const client = clientOf(server, stand, books)
  await each(deals, async deal => {
    if (deal.idempotencyKey !== null && (deal.aim === 'keep' || deal.ended))
      expect(await client.make(deal)).toBe(200)
    if (deal.attempt && deal.money === 'kept') await client.look(deal)
  })
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'killed under load for the %i. time, the server starts again with all that it had acknowledged',
  async round => {
    const before = books.deals.length
    const clients = load(server, stand, books, chance.fork())
    await Bun.sleep(LOAD_MIN_MS + chance.below(LOAD_MORE_MS))
    const { answers } = books
    // Every other time in the very moment in which an answer has come.
    const until = performance.now() + ANSWER_MAX_MS
    while (round % 2 === 1 && books.answers === answers && performance.now() < until) await Bun.sleep(0)
    await server.stop('SIGKILL')
    await clients
    expect(isLoggedWell()).toBe(true)
    if (round % 2 === 0)
      await startAndKill(stand.dataDir, stand.settings, () => Bun.sleep(chance.below(START_MS)))
    server = await stand.start()
    await expectKept()
    const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
    adopt(books, await readKept(server, stand.key))
    await askAgain(open)
    await replay(books.deals.slice(before))
    await expectKept()
  },
)

describe('after the last of these restarts', () => {
  test('every payment that was begun is brought to its end, and no money is counted twice', async () => {
    const client = clientOf(server, stand, books)
    await each(unfinished(books), deal => (deal.aim === 'cancel' ? client.cancel(deal) : client.pay(deal)))
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 60 } })
    await each(unfinished(books), deal => client.pay(deal))
    expect(unfinished(books)).toEqual([])
    expect(dealsTold(books, 'crypto', 'card').every(deal => deal.ended?.status === 'PAID')).toBe(true)
    expect(ask('SELECT * FROM unmatched_payments')).toEqual([])
    await expectKept()
  })

  test('every key gives the order that it gave first', async () => {
    await replay(books.deals)
    await expectKept()
  })

  test('each paid order, and no other, has one event, which arrived signed and under one id', async () => {
    for (const until = Date.now() + 10_000; Date.now() < until; await Bun.sleep(50))
      if (ask("SELECT 1 FROM deliveries WHERE status = 'pending'").length === 0) break
    const received = Map.groupBy(paidEvents(), ({ json }) => json.orderUUID)
    const events = ask("SELECT order_id, id, body FROM events WHERE type = 'order.paid'").map(String)
    const seen = [...received.values()].map(([first]) => {
      return String([first?.json.orderUUID, first?.json.id, first?.body])
    })
    expect(seen.sort()).toEqual(events.sort())
    const paid = dealsTold(books, 'crypto', 'card').map(deal => deal.order!.orderUUID)
    expect([...received.keys()].sort()).toEqual(paid.sort())
    for (const tries of received.values()) {
      expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
      expect(orderPaidProblems(tries[0]!.json)).toEqual([])
      expect(tries.every(one => isSigned(one, stand.secret))).toBe(true)
      expect(tries.every(one => one.headers.get('x-service-event-id') === one.json.id)).toBe(true)
    }
    expect(ask("SELECT COUNT(*) FROM deliveries WHERE status <> 'delivered'")).toEqual([[0]])
  })

  test('a clean stop leaves nothing that the auditor objects to', async () => {
    expect((await server.stop()).exitCode).toBe(0)
    expect(isLoggedWell()).toBe(true)
    expect(audit(stand.file)).toEqual([])
    const ends = (status: string) => books.deals.filter(deal => deal.ended?.status === status).length
    expect(Math.min(ends('PAID'), ends('CANCELLED'), books.unanswered)).toBeGreaterThan(0)
    const figures = `${books.answers} acknowledged answers and ${books.unanswered} requests without one`
    process.stderr.write(`${ROUNDS} kills, ${figures}; ${books.deals.length} orders, ${ends('PAID')} paid\n`)
  })
})

test('a delivery that was under way when the server was killed is sent again with the same id', async () => {
  const own = await openStand()
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
