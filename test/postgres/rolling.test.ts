import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { postgresMigrations } from '../../migrations/postgres/index.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { postgresEngine } from '../../src/storage/postgres/engine.ts'
import { whileAlone } from '../../src/storage/postgres/locks.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { orderBody } from '../support/given.ts'
import { postgresServer } from '../support/postgres.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { endProcesses, ROOT, type RunningProcess, runCli, SOURCE, startProcess } from '../support/process.ts'
import { until } from '../support/until.ts'

// Servers of two versions share a database while one replaces the other. The newer version has made-up
// migrations.

const BUSY_MS = 60_000
const CLIENTS = 4

afterAll(endProcesses)

const later = (count: number) => ({
  command: [SOURCE[0]!, '--preload', join(ROOT, 'test/support/rolling-migrations.ts'), SOURCE[1]!],
  environment: { ROLLING_MIGRATIONS: String(count) },
})
const present = { command: SOURCE, environment: {} }
type Version = { command: string[]; environment: Record<string, string> }

async function openShop() {
  const database = await newPostgresDatabase()
  const settings = {
    FLORIN_DATABASE_URL: database.url,
    FLORIN_CHECKOUT_URL: 'https://pay.shop.example',
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    FLORIN_LOG_LEVEL: 'error',
  }
  const run = ({ command, environment }: Version, ...args: string[]) =>
    runCli(args, { ...settings, ...environment }, command)
  const florin = async (...args: string[]) => {
    const ran = await run(present, ...args, '--json')
    if (ran.exitCode !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const { merchantId } = await florin('merchant', 'create', '--email', 'shop@shop.example', '--name', 'Shop')
  const { key } = await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const start = ({ command, environment }: Version) =>
    startProcess(command, ['serve'], { ...settings, ...environment })
  const target = databaseUrl(database.url)!
  return { target, start, run, key: String(key) }
}

/** Clients that create orders on a server, one after another, until they are stopped. */
function clientsOf(server: RunningProcess, key: string) {
  let isOver = false
  const [made, failed]: [string[], string[]] = [[], []]
  async function create(client: number): Promise<void> {
    for (let at = 0; !isOver; at++) {
      const body = orderBody({ externalId: `${server.pid}-${client}-${at}` })
      const { status, json, text } = await server.call('POST', '/v1/orders', { key, body })
      if (status === 201) made.push(json.data.orderUUID)
      else return void failed.push(text)
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, client) => create(client)))
  return {
    made,
    failed,
    end() {
      isOver = true
      return running
    },
  }
}

/** The migrations of this version. */
const today = postgresMigrations.map(({ name }) => name)
const namesIn = async (connection: Connection) =>
  (await connection.rows('SELECT name FROM migrations ORDER BY name')).map(({ name }) => name)
const statusOf = async (server: RunningProcess) => (await server.call('GET', '/readyz')).status
const startFailure = async (started: Promise<RunningProcess>): Promise<string> =>
  started.then(
    () => 'it started',
    error => (error as Error).message,
  )

test('a new version expands the schema while the old one runs, and both continue', async () => {
  const { target, start, run, key } = await openShop()
  const admin = await connect(target)
  const old = await start(present)
  const wallet = { cryptoWallets: { evm: `0x${'1'.repeat(40)}` } }
  expect((await old.call('PUT', '/v1/wallet', { key, body: wallet })).status).toBe(200)
  const before = clientsOf(old, key)
  await until(
    async () => before.made.length > CLIENTS || before.failed.length > 0,
    'the first orders',
    BUSY_MS,
  )
  expect(before.failed).toEqual([])

  // A command does not migrate, and says that no server has to be stopped.
  const command = await run(later(1), 'merchant', 'list')
  expect(command.stderr).toMatch(
    /needs migrations of this version of Florin: 1\. Run florin migrate, or start/,
  )
  // A long read delays the migration, but no order.
  const reader = await connect(target)
  await reader.script('BEGIN; SELECT count(*) FROM orders')
  const starting = start(later(1))
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%ADD COLUMN IF NOT EXISTS table_number%'`
  await until(async () => (await admin.rows(waiting)).length > 0, 'a migration that waits', BUSY_MS)
  const madeBefore = before.made.length
  await until(async () => before.made.length > madeBefore + CLIENTS, 'more orders', BUSY_MS)
  expect(await namesIn(admin)).toEqual(today)
  await reader.close()

  const next = await starting
  expect(await namesIn(admin)).toEqual([...today, '9001_table_numbers'])
  const after = clientsOf(next, key)
  const seen = before.made.length
  await until(
    async () => before.made.length > seen + CLIENTS && after.made.length > CLIENTS,
    'orders of both versions',
    BUSY_MS,
  )
  expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200])
  // The old version can also be started again, and its doctor reports the newer migrations.
  const again = await start(present)
  expect(await statusOf(again)).toBe(200)
  const { stdout } = await run(present, 'doctor', '--json')
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({
      check: 'migrations',
      ok: true,
      message: expect.stringMatching(/9001_table.* can keep using/),
    }),
  )
  const [index] = await admin.rows(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'orders_by_table'::regclass",
  )
  expect(index?.valid).toBe(true)

  // The next migration changes tables that the old version uses, so it is refused while a server of that
  // version runs.
  const refused = await startFailure(start(later(2)))
  expect(refused).toMatch(
    /another process is using it, and 9002_no_names changes what older versions use\. Stop all servers/,
  )
  expect((await run(later(2), 'migrate')).stderr).toMatch(/9002_no_names changes what older versions use/)
  await before.end()
  await after.end()
  expect([...before.failed, ...after.failed]).toEqual([])
  const [stored] = await admin.rows('SELECT count(*) AS n FROM orders')
  expect(Number(stored?.n)).toBe(new Set([...before.made, ...after.made]).size)

  await Promise.all([old, next, again].map(server => server.stop()))
  const last = await start(later(2))
  expect(await namesIn(admin)).toEqual([...today, '9001_table_numbers', '9002_no_names'])
  expect(await startFailure(start(present))).toMatch(
    /it has the migration 9002_no_names, which needs that version/,
  )
  await last.stop()
  await admin.close()
}, 180_000)

test('a server that lost its connection while the schema changed does not write to it', async () => {
  const { url, drop } = await newPostgresDatabase()
  const target = databaseUrl(url)!
  const admin = await connect(target)
  const storage = await openStorage(target, 0)
  await storage.check()
  await admin.rows(
    "INSERT INTO migrations (name, hash, applied_at, expands) VALUES ('9002_other', 'x', 0, 0)",
  )
  await admin.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  const written = storage.write(tables => tables.statistics.add('m', 5, 'USD', { gross: 1n }))
  await expect(written).rejects.toThrow(/newer version of Florin \(it has the migration 9002_other/)
  await expect(storage.check()).rejects.toThrow(/newer version/)
  await storage.close()
  await admin.close()
  await drop()
})

test('a server whose main connection is lost still keeps others from changing what it uses', async () => {
  const { url, drop } = await newPostgresDatabase()
  const target = databaseUrl(url)!
  const admin = await connect(target)
  const engine = postgresEngine(target)
  const storage = await engine.open(0, { as: 'server', mode: 'live' })
  await storage.check()
  await storage.read(tables => tables.merchants.list())
  // The age of the backup is read repeatedly, without a new connection each time.
  const elsewhere = await connect(databaseUrl((await postgresServer()).url('postgres'))!)
  await elsewhere.script(`ALTER DATABASE ${new URL(url).pathname.slice(1)} ALLOW_CONNECTIONS false`)
  await elsewhere.close()
  expect(await engine.lastBackupAt()).toBe(null)
  const main = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid = $1'
  const [serving] = await admin.rows(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = 70110114005
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  await until(
    async () => (await admin.rows(main, [serving?.pid])).length === 0,
    'the end of a session',
    BUSY_MS,
  )
  expect(await whileAlone(admin, async () => {})).toBe(null)
  await storage.close()
  await admin.close()
  await drop()
})

test('a server that connects during a migration waits, and then uses nothing that was changed', async () => {
  const { url, drop } = await newPostgresDatabase()
  const target = databaseUrl(url)!
  const [admin, other] = [await connect(target), await connect(target)]
  const storage = await openStorage(target, 0, {}, { as: 'server', mode: 'live' })
  await storage.check()
  const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const isWaiting = async () => (await admin.rows(waiting)).length > 0
  // The migration waits first in line for the lock.
  const alone = other.script('BEGIN; SELECT pg_advisory_xact_lock(70110114002)')
  await until(isWaiting, 'a migration that waits', BUSY_MS)
  await admin.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid NOT IN (
       SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)`,
  )
  await alone
  const written = storage
    .write(tables => tables.statistics.add('m', 5, 'USD', { gross: 1n }))
    .then(
      () => 'it was written',
      (error: Error) => error.message,
    )
  await until(isWaiting, 'a server that waits', BUSY_MS)
  await other.rows(
    "INSERT INTO migrations (name, hash, applied_at, expands) VALUES ('9002_other', 'x', 0, 0)",
  )
  await other.script('COMMIT')
  expect(await written).toMatch(/newer version of Florin \(it has the migration 9002_other/)
  await storage.close()
  await Promise.all([admin.close(), other.close()])
  await drop()
})
