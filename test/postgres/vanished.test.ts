import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { DatabaseError } from '../../src/storage/engine.ts'
import { type Connection, ConnectionLost, connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { silence } from '../../src/storage/postgres/patience.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { startRelay } from '../support/silent-relay.ts'
import { until } from '../support/until.ts'

// Florin connects through a relay that can fall silent.

let relay: Awaited<ReturnType<typeof startRelay>>
let through: string
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  const [server] = databaseUrl(made.url)!.hosts
  const { host, port } = server!
  relay = await startRelay(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const url = new URL(made.url)
  through = `postgres://${url.username || 'florin'}@127.0.0.1:${relay.port}${url.pathname}`
})
afterAll(async () => {
  relay.stop()
  await drop()
})

const open = (knockMs: number): Promise<Connection> =>
  connect(databaseUrl(through)!, { answerMs: 60_000, silentMs: 100, knockMs })

test('a statement that takes long is waited for, as long as the server answers others', async () => {
  const connection = await open(20_000)
  const [row] = await connection.rows("SELECT pg_sleep(1.5), 'done' AS text")
  expect(row?.text).toBe('done')
  await connection.close()
})

test('a server that vanished is given up long before the time limit of an answer', async () => {
  const connection = await open(2000)
  const since = performance.now()
  const answer = connection.rows('SELECT pg_sleep(600)').catch(error => error)
  relay.setSilent(true)
  expect(await answer).toBeInstanceOf(ConnectionLost)
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(connection.isLost()).toBe(true)
  relay.setSilent(false)
  await connection.close()
  const { silentMs, knockMs } = silence
  // A second until the connection is checked, and three to connect again, are within 15 seconds.
  expect(silentMs + 2 * knockMs).toBeLessThanOrEqual(11_000)
})

test('many requests that wait for a vanished server are refused together, and it is used when it is back', async () => {
  const before = { ...silence }
  Object.assign(silence, { silentMs: 200, knockMs: 500 })
  const storage = await openStorage(databaseUrl(through)!, 0)
  const requests = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        (at % 2 ? storage.read : storage.write)(tables => tables.merchants.list()).then(
          () => 'answered',
          error => (error instanceof DatabaseError ? 'refused' : error),
        ),
      ),
    )
  expect(new Set(await requests(40))).toEqual(new Set(['answered']))
  relay.setSilent(true)
  const since = performance.now()
  const first = requests(40)
  // Some requests use connections that were idle when the others were given up.
  await Bun.sleep(1500)
  const second = requests(40)
  expect(new Set([...(await first), ...(await second)])).toEqual(new Set(['refused']))
  expect(performance.now() - since).toBeLessThan(10_000)
  relay.setSilent(false)
  await until(async () => (await requests(1))[0] === 'answered', 'the server', 20_000)
  expect(new Set(await requests(40))).toEqual(new Set(['answered']))
  await storage.close()
  Object.assign(silence, before)
}, 60_000)
