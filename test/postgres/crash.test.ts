import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { askAgain, expectNothingLost, expectOneEventEach, finishAll, replay } from '../crash/checks.ts'
import { acceptState, type Books, openBooks, readServerState } from '../crash/deals.ts'
import { load } from '../crash/load.ts'
import { seeded, seedOf } from '../crash/random.ts'
import { type Installation, openInstallation } from '../crash/server.ts'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { runScript } from '../support/psql.ts'
import { until } from '../support/until.ts'

// Florin keeps running while its sessions and its PostgreSQL server are killed under load.
// test/crash/kill.test.ts tests a kill of Florin itself.

const ROUNDS = 4
const LOAD_MIN_MS = 300
const LOAD_MORE_MS = 300
const BACK_MS = 60_000

setDefaultTimeout(180_000)

const chance = seeded(seedOf('test/postgres/crash.test.ts'))
let cluster: Cluster
let installation: Installation
let server: RunningProcess
let books: Books

beforeAll(async () => {
  cluster = await startCluster()
  runScript(cluster.url('postgres'), 'CREATE DATABASE shop')
  installation = await openInstallation(undefined, cluster.url('shop'))
  books = openBooks(installation, true)
  server = await installation.start()
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
  cluster?.stop()
})

const scene = () => ({ installation, server, books })

const endSessions = (): string =>
  runScript(
    cluster.url('postgres'),
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop'",
  )

/** Waits until Florin's server is ready again without help. */
const untilReady = (): Promise<void> =>
  until(async () => (await server.call('GET', '/readyz')).status === 200, 'getting ready', BACK_MS)

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'after interruption %i under load, nothing that was confirmed is lost',
  async round => {
    let isOver = false
    const before = books.deals.length
    const clients = load(server, installation, books, chance.fork(), () => isOver)
    await Bun.sleep(LOAD_MIN_MS + chance.below(LOAD_MORE_MS))
    if (round % 2 === 1) {
      for (let times = 0; times < 3; times++) {
        endSessions()
        await Bun.sleep(chance.below(LOAD_MIN_MS))
      }
    } else {
      await cluster.kill()
      await Bun.sleep(chance.below(LOAD_MIN_MS))
      await cluster.start()
      await untilReady()
    }
    await Bun.sleep(LOAD_MIN_MS)
    isOver = true
    await clients
    await expectNothingLost(scene())
    const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
    acceptState(books, await readServerState(server, installation.key))
    await askAgain(scene(), open)
    await replay(scene(), books.deals.slice(before))
    await expectNothingLost(scene())
  },
)

test('every interrupted payment completes once, with one event', async () => {
  await finishAll(scene())
  await expectOneEventEach(scene())
  expect(books.unanswered).toBeGreaterThan(0)
  process.stderr.write(
    `${ROUNDS} interruptions, ${books.answers} responses and ${books.unanswered} requests without one\n`,
  )
})
