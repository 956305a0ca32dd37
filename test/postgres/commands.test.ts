import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { freePort } from '../support/free-port.ts'
import { postgresServer } from '../support/postgres.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { endProcesses, runCli, SOURCE, startProcess } from '../support/process.ts'

// Tests the commands with a database on a PostgreSQL server.

let url: string
let empty: string

beforeAll(async () => {
  ;({ url } = await newPostgresDatabase())
  const server = await postgresServer()
  empty = server.url(await server.create()).replace('//florin@', '//florin:S3CRET@')
  url = url.replace('//florin@', '//florin:S3CRET@')
})
afterAll(endProcesses)

async function florin(database: string, ...args: string[]) {
  const ran = await runCli(args, { FLORIN_DATABASE_URL: database, FLORIN_LOG_LEVEL: 'error' }, SOURCE)
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('S3CRET')
  return ran
}

test('the command for a first merchant creates the tables, and migrate then has nothing to do', async () => {
  const before = await florin(empty, 'migrate')
  expect([before.exitCode, before.stderr]).toEqual([
    1,
    expect.stringMatching(/is empty\. Check FLORIN_DATABASE_URL/),
  ])
  const made = await florin(empty, 'merchant', 'create', '--email', 'a@b.example', '--name', 'A', '--json')
  expect(made.exitCode).toBe(0)
  const after = await florin(empty, 'migrate')
  expect([after.exitCode, after.stdout.trim()]).toEqual([0, 'The database is up to date.'])
})

test('backup and restore name the programs to use instead', async () => {
  const [backup, restore] = await Promise.all([
    florin(url, 'backup', '/tmp/never.sqlite'),
    florin(url, 'restore', '/tmp/never.sqlite', '--force'),
  ])
  expect([backup.exitCode, backup.stderr]).toEqual([1, expect.stringContaining('Run pg_dump')])
  expect([restore.exitCode, restore.stderr]).toEqual([1, expect.stringContaining('run pg_restore')])
})

test('a backup by other programs is recorded, and doctor warns if there was none for long', async () => {
  const target = databaseUrl(url)!
  const admin = await connect(target)
  await admin.script('DELETE FROM installation')
  const early = await florin(url, 'backup', '--record')
  expect([early.exitCode, early.stderr]).toEqual([
    1,
    expect.stringMatching(/No server has used this database/),
  ])
  await (await openStorage(target, 0, {}, { as: 'server', mode: 'live' })).close()
  const backupIn = async () => {
    const { stdout } = await florin(url, 'doctor', '--json')
    return JSON.parse(stdout).findings.find((one: { check: string }) => one.check === 'backup')
  }
  await florin(url, 'merchant', 'create', '--email', 'a@b.example', '--name', 'A')
  await admin.script('UPDATE merchants SET created_at = 1')
  expect(await backupIn()).toMatchObject({
    ok: false,
    message: 'No backup has been recorded with florin backup --record yet.',
    remedy: expect.stringContaining('pg_dump'),
  })
  const before = Date.now()
  const made = await florin(url, 'backup', '--record', '--json')
  expect(Date.parse(JSON.parse(made.stdout).takenAt)).toBeGreaterThanOrEqual(before - 1000)
  expect(await backupIn()).toMatchObject({ ok: true })
  await admin.script(`UPDATE installation SET backed_up_at = backed_up_at - ${9 * 24 * 3600_000}`)
  expect(await backupIn()).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^The newest backup is/),
  })
  await admin.close()
})

test('metrics show the size of the database, no write-ahead log, and whether it answers', async () => {
  const { url: own } = await newPostgresDatabase()
  const metrics = freePort()
  const server = await startProcess(SOURCE, ['serve'], {
    FLORIN_DATABASE_URL: own,
    FLORIN_METRICS: `127.0.0.1:${metrics}`,
  })
  const samples = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    return Object.fromEntries(
      [...text.matchAll(/^(florin_(?:database|wal|servers)\w*) (.*)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    )
  }
  expect(await samples()).toEqual({
    florin_database_available: 1,
    florin_database_bytes: expect.any(Number),
    florin_servers: 1,
  })
  expect((await samples()).florin_database_bytes).toBeGreaterThan(5_000_000)
  const admin = await connect(databaseUrl((await postgresServer()).url('postgres'))!)
  const name = new URL(own).pathname.slice(1)
  await admin.script(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await admin.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  expect((await samples()).florin_database_available).toBe(0)
  await admin.script(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  expect((await samples()).florin_database_available).toBe(1)
  await admin.close()
  await server.stop()
})

test('doctor checks the database, and no files', async () => {
  const { stdout } = await florin(url, 'doctor', '--json')
  const { findings } = JSON.parse(stdout)
  const checks = Object.fromEntries(findings.map((one: { check: string }) => [one.check, one]))
  expect(checks.database).toMatchObject({ ok: true })
  expect(checks.migrations).toMatchObject({ ok: true })
  expect(checks.database).toMatchObject({ ok: true })
  expect(Object.keys(checks)).not.toContain('write-ahead log')
  const gone = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'doctor', '--json')
  const fault = JSON.parse(gone.stdout).findings.find((one: { check: string }) => one.check === 'database')
  expect(fault).toMatchObject({ ok: false, message: expect.stringContaining('no server listens there') })
})

test('a server that cannot be reached is an error message, which does not show the whole URL', async () => {
  const serve = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'serve')
  expect([serve.exitCode, serve.stderr]).toEqual([1, expect.stringContaining('no server listens there')])
  const config = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'config')
  expect(config.stdout).toContain('postgres://***@127.0.0.1:1/d')
})
