import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isOnPostgres } from '../support/app.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { endProcesses } from '../support/process.ts'
import { isSigned } from '../support/receiver.ts'
import { timesOf } from '../support/whole.ts'
import { endsOf, expectNothingLost, expectOneEventEach, finishAll, replay, type Scene } from './checks.ts'
import { openBooks } from './deals.ts'
import { type Desk, openDesk } from './desk.ts'
import { expectDeskEventsArrived } from './desk-checks.ts'
import { auditOf } from './problems.ts'
import { seeded, seedOf } from './random.ts'
import { killUnderLoad } from './rounds.ts'
import { type Installation, openInstallation } from './server.ts'

const ROUNDS = timesOf(5, 8)
const DELIVERY_MAX_MS = 25

const chance = seeded(seedOf('test/crash/kill.test.ts'))
const delays = chance.fork()
let installation: Installation
let scene: Scene
let desk: Desk

beforeAll(async () => {
  installation = await openInstallation(
    async () => {
      await Bun.sleep(delays.below(DELIVERY_MAX_MS))
      return new Response('ok')
    },
    await databaseUrl(),
  )
  scene = { installation, server: await installation.start(), books: openBooks(installation) }
  desk = await openDesk(installation, scene.server)
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

/** The location of the database: a file, or the server with which the tests run. */
const databaseUrl = async (): Promise<string> => (isOnPostgres ? (await newPostgresDatabase()).url : '')
const hasNoLoggedErrors = (): boolean => !scene.server.stderr().includes('"level":"error"')

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'after kill %i under load, the server restarts with everything it had confirmed',
  async round => void (await killUnderLoad(scene, desk, round, chance)),
)

describe('after the last restart', () => {
  test('every interrupted payment completes, and no money is counted twice', () => finishAll(scene))

  test('every idempotency key returns its first order', async () => {
    await replay(scene, scene.books.deals)
    await expectNothingLost(scene)
  })

  test('each paid order, and no other, has one event, delivered signed and with one ID', async () => {
    await expectOneEventEach(scene)
    await expectDeskEventsArrived(scene, desk)
  })

  test('a clean stop leaves a database without problems', async () => {
    expect((await scene.server.stop()).exitCode).toBe(0)
    expect(hasNoLoggedErrors()).toBe(true)
    expect(auditOf(installation.file)).toEqual([])
    const { books } = scene
    expect(Math.min(endsOf(books, 'PAID'), endsOf(books, 'CANCELLED'), books.unanswered)).toBeGreaterThan(0)
    const figures = `${books.answers} responses and ${books.unanswered} requests without one`
    expect(Math.min(desk.sales.length, desk.products.length, desk.name.confirmed)).toBeGreaterThan(0)
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
