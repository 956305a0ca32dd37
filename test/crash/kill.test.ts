import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { isOnPostgres } from '../support/app.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { isSigned } from '../support/receiver.ts'
import { timesOf } from '../support/whole.ts'
import { askAgain, endsOf, expectNothingLost, expectOneEventEach, finishAll, replay } from './checks.ts'
import { acceptState, type Books, openBooks, readServerState } from './deals.ts'
import { load } from './load.ts'
import { auditOf } from './problems.ts'
import { seeded, seedOf } from './random.ts'
import { type Installation, openInstallation, startAndKill } from './server.ts'

const ROUNDS = timesOf(5, 8)
const LOAD_MIN_MS = 250
const LOAD_MORE_MS = 700
const ANSWER_MAX_MS = 2000
const START_MS = 250
const DELIVERY_MAX_MS = 25

setDefaultTimeout(60_000)

const chance = seeded(seedOf('test/crash/kill.test.ts'))
const delays = chance.fork()
let installation: Installation
let server: RunningProcess
let books: Books

beforeAll(async () => {
  installation = await openInstallation(
    async () => {
      await Bun.sleep(delays.below(DELIVERY_MAX_MS))
      return new Response('ok')
    },
    await databaseUrl(),
  )
  books = openBooks(installation)
  server = await installation.start()
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

/** Where the database is: in a file, or on the server with which the tests run. */
const databaseUrl = async (): Promise<string> => (isOnPostgres ? (await newPostgresDatabase()).url : '')
const hasNoLoggedErrors = (): boolean => !server.stderr().includes('"level":"error"')
const scene = () => ({ installation, server, books })

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
    await expectNothingLost(scene())
    const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
    acceptState(books, await readServerState(server, installation.key))
    await askAgain(scene(), open)
    await replay(scene(), books.deals.slice(before))
    await expectNothingLost(scene())
  },
)

describe('after the last restart', () => {
  test('every interrupted payment completes, and no money is counted twice', () => finishAll(scene()))

  test('every idempotency key returns its first order', async () => {
    await replay(scene(), books.deals)
    await expectNothingLost(scene())
  })

  test('each paid order, and no other, has one event, delivered signed and with one ID', () =>
    expectOneEventEach(scene()))

  test('a clean stop leaves a database without problems', async () => {
    expect((await server.stop()).exitCode).toBe(0)
    expect(hasNoLoggedErrors()).toBe(true)
    expect(auditOf(installation.file)).toEqual([])
    expect(Math.min(endsOf(books, 'PAID'), endsOf(books, 'CANCELLED'), books.unanswered)).toBeGreaterThan(0)
    const figures = `${books.answers} responses and ${books.unanswered} requests without one`
    process.stderr.write(
      `${ROUNDS} kills, ${figures}; ${books.deals.length} orders, ${endsOf(books, 'PAID')} paid\n`,
    )
  })
})

test('a delivery that was running when the server was killed is sent again with the same ID', async () => {
  const own = await openInstallation(undefined, await databaseUrl())
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
  expect(auditOf(own.file)).toEqual([])
  own.receiver.stop()
})
