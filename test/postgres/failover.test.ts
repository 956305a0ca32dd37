import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { ConnectionLost, connect } from '../../src/storage/postgres/connection.ts'
import { askAgain, expectNothingLost, expectOneEventEach, finishAll, replay } from '../crash/checks.ts'
import { acceptState, type Books, openBooks, readServerState } from '../crash/deals.ts'
import { load } from '../crash/load.ts'
import { seeded, seedOf } from '../crash/random.ts'
import { type Installation, openInstallation } from '../crash/server.ts'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'
import { runScript } from '../support/psql.ts'
import { until } from '../support/until.ts'

// Two PostgreSQL servers; the second confirms each commit of the first. The first is killed under load, and
// the second takes over.

const LOAD_MS = 1000
const BACK_MS = 60_000

setDefaultTimeout(240_000)

const chance = seeded(seedOf('test/postgres/failover.test.ts'))
let primary: Cluster
let standby: Cluster
let installation: Installation
let server: RunningProcess
let books: Books

beforeAll(async () => {
  primary = await startCluster()
  standby = await startCluster({ standbyOf: primary })
  runScript(primary.url('postgres'), "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  runScript(primary.url('postgres'), 'SELECT pg_reload_conf()')
  await until(
    async () => ask(primary, 'SELECT sync_state FROM pg_stat_replication') === 'sync',
    'the synchronous standby',
    BACK_MS,
  )
  runScript(primary.url('postgres'), 'CREATE DATABASE shop')
  // The standby is named first, so Florin has to find the server that accepts writes.
  const url = `postgres://florin@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/shop`
  installation = await openInstallation(undefined, url)
  books = openBooks(installation, true)
  server = await installation.start()
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
  primary?.stop()
  standby?.stop()
})

const scene = () => ({ installation, server, books })
const ask = (cluster: Cluster, sql: string): string => runScript(cluster.url('postgres'), sql).trim()

/** The time when the first order after this moment was confirmed; infinite if there was none. */
const firstConfirmedAfter = (at: number): number =>
  Math.min(
    ...books.deals
      .filter(({ made }) => made.askedAt > at)
      .map(({ made }) => made.confirmedAt ?? Number.POSITIVE_INFINITY),
  )

test('a commit that the standby has not confirmed does not count as stored', async () => {
  const named = (name: string) => {
    ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
    ask(primary, 'SELECT pg_reload_conf()')
  }
  const connection = await connect(databaseUrl(primary.url('postgres'))!)
  const [own] = await connection.rows('SELECT pg_backend_pid() AS pid')
  await connection.script('CREATE TABLE things (id int)')
  named('nobody')
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = ${own?.pid}`
  let commit: Promise<unknown>
  let isCommitted: boolean
  // The server reads its settings in the background, so the first commits may not wait.
  do {
    isCommitted = false
    await connection.script('BEGIN; INSERT INTO things VALUES (1)')
    commit = connection.script('COMMIT').then(
      () => {
        isCommitted = true
      },
      error => error,
    )
    await until(async () => isCommitted || ask(primary, waiting) !== '', 'waiting for a standby', BACK_MS)
  } while (isCommitted)
  // Cancels the statement, as an operator or the time limit does.
  ask(primary, `SELECT pg_cancel_backend(${own?.pid})`)
  expect(await commit).toBeInstanceOf(ConnectionLost)
  expect(connection.isLost()).toBe(true)
  named('standby')
  await connection.close()
})

test('when the primary is killed under load and the standby promoted, no confirmed order is lost', async () => {
  let isOver = false
  const clients = load(server, installation, books, chance.fork(), () => isOver)
  await Bun.sleep(LOAD_MS)
  const killedAt = performance.now()
  await primary.kill()
  // Without its primary, Florin refuses the standby until it is promoted.
  const isNoticed = async () => (await server.call('GET', '/readyz')).status === 503
  await until(isNoticed, 'noticing that the primary is gone', BACK_MS)
  ask(standby, 'SELECT pg_promote()')
  const promotedAt = performance.now()
  await until(
    async () => firstConfirmedAfter(promotedAt) < Number.POSITIVE_INFINITY,
    'the first order',
    BACK_MS,
  )
  const gap = Math.round(firstConfirmedAfter(promotedAt) - killedAt)
  await Bun.sleep(LOAD_MS)
  isOver = true
  await clients
  Object.assign(installation, { file: standby.url('shop') })
  await expectNothingLost(scene())
  const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
  acceptState(books, await readServerState(server, installation.key))
  await askAgain(scene(), open)
  await replay(scene(), books.deals)
  await expectNothingLost(scene())
  process.stderr.write(
    `${books.answers} responses, ${books.unanswered} without one; no order for ${gap} ms, ` +
      `${Math.round(promotedAt - killedAt)} ms of which until the standby was promoted\n`,
  )
})

test('every interrupted payment completes once, with one event', async () => {
  await finishAll(scene())
  await expectOneEventEach(scene())
})
