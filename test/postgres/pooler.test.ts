import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { openSocket } from '../../src/storage/postgres/socket.ts'
import { runInProcess } from '../cli/in-process.ts'
import { blocksOf, pageOf } from '../support/docs.ts'
import { freePort } from '../support/free-port.ts'
import { newEmptyDatabase } from '../support/postgres.ts'
import { endProcesses, newFolder, SOURCE, startProcess } from '../support/process.ts'
import { isMissing, programOf } from '../support/programs.ts'
import { until } from '../support/until.ts'

const isSkipped = isMissing('The tests of poolers', 'pgbouncer')

type PoolMode = 'session' | 'transaction' | 'statement'

let direct: URL
let drop: () => Promise<void>
let admin: Connection
const poolers: Bun.Subprocess[] = []

beforeAll(async () => {
  const made = await newEmptyDatabase()
  direct = new URL(made.url)
  drop = made.drop
  admin = await connect(databaseUrl(made.url)!)
})
afterAll(async () => {
  await endProcesses()
  for (const pooler of poolers) pooler.kill('SIGKILL')
  await Promise.all(poolers.map(({ exited }) => exited))
  await admin.close()
  await drop()
})

/** Starts PgBouncer with the settings of postgresql.md in this mode. Returns the URL of the database. */
async function startPooler(mode: PoolMode): Promise<string> {
  const folder = newFolder()
  const users = join(folder, 'users')
  const port = freePort()
  const [documented] = blocksOf(pageOf('.github/docs/postgresql.md'), 'ini')
  const ini = documented!
    .replace('port=5432 dbname=florin', `port=${direct.port} dbname=${direct.pathname.slice(1)}`)
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('scram-sha-256', 'trust')
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('pool_mode = session', `pool_mode = ${mode}`)
  writeFileSync(users, `"${direct.username}" ""\n`)
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `${ini}\nunix_socket_dir =\n${isRoot ? 'user = postgres\n' : ''}`,
  )
  chmodSync(folder, 0o755)
  const options = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const
  poolers.push(Bun.spawn([programOf('pgbouncer'), '-q', join(folder, 'pgbouncer.ini')], options))
  const url = `postgres://${direct.username}@127.0.0.1:${port}/florin`
  const answers = () =>
    openSocket('127.0.0.1', port, 1000).then(
      socket => !!socket.destroy(),
      () => false,
    )
  await until(answers, 'starting PgBouncer', 20_000)
  return url
}

const heldLocks = async (): Promise<unknown[]> =>
  admin.rows(
    `SELECT objid FROM pg_locks WHERE locktype = 'advisory'
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )

test.skipIf(isSkipped).each(['transaction', 'statement'] as const)(
  'servers, commands and doctor refuse a pooler in %s mode, and change nothing',
  async mode => {
    const settings = { FLORIN_DATABASE_URL: await startPooler(mode), FLORIN_DATA_DIR: newFolder() }
    const refusal = /leads to a connection pooler .* Set its pool mode to session, or name PostgreSQL itself/
    const create = ['merchant', 'create', '--email', 'a@shop.example', '--name', 'A']
    for (const args of [['serve'], create, ['migrate']]) {
      const { exitCode, stderr } = await runInProcess(settings, ...args)
      expect([args[0], exitCode, stderr]).toEqual([args[0], 1, expect.stringMatching(refusal)])
    }
    const doctor = await runInProcess(settings, 'doctor')
    expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringMatching(refusal)])
    expect(await heldLocks()).toEqual([])
    expect(await admin.rows("SELECT to_regclass('orders') AS found")).toEqual([{ found: null }])
  },
)

test.skipIf(isSkipped)('a pooler in session mode works, and time limits apply in its sessions', async () => {
  const url = await startPooler('session')
  const settings = { FLORIN_DATABASE_URL: url, FLORIN_DATA_DIR: newFolder() }
  const servers = await Promise.all([0, 1].map(() => startProcess(SOURCE, ['serve'], { ...settings })))
  const made = await runInProcess(settings, 'merchant', 'create', '--email', 'a@shop.example', '--name', 'A')
  expect(made.exitCode).toBe(0)
  for (const server of servers) expect((await server.call('GET', '/readyz')).status).toBe(200)
  const connection = await connect(databaseUrl(url)!)
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'jit']
  const shown = await Promise.all(
    limits.map(async name => Object.values((await connection.rows(`SHOW ${name}`))[0]!)[0]),
  )
  await connection.close()
  expect(shown).toEqual(['50s', '20s', '10s', 'off'])
  await Promise.all(servers.map(server => server.stop()))
})
