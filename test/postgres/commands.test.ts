import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newPostgresDatabase, postgresServer } from '../support/postgres.ts'
import { endProcesses, runCli, SOURCE } from '../support/process.ts'

// The commands on a database that is on a server.

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

test('a first merchant creates the tables, and migrate has nothing to do then', async () => {
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

test('backup and restore say what to use instead', async () => {
  const [backup, restore] = await Promise.all([
    florin(url, 'backup', '/tmp/never.sqlite'),
    florin(url, 'restore', '/tmp/never.sqlite', '--force'),
  ])
  expect([backup.exitCode, backup.stderr]).toEqual([1, expect.stringContaining('Run pg_dump')])
  expect([restore.exitCode, restore.stderr]).toEqual([1, expect.stringContaining('run pg_restore')])
})

test('doctor looks at the database, and not at files', async () => {
  const { stdout } = await florin(url, 'doctor', '--json')
  const { findings } = JSON.parse(stdout)
  const checks = Object.fromEntries(findings.map((one: { check: string }) => [one.check, one]))
  expect(checks.database).toMatchObject({ ok: true })
  expect(checks.migrations).toMatchObject({ ok: true })
  expect(checks.backup.message).toContain('pg_dump')
  expect(Object.keys(checks)).not.toContain('write-ahead log')
  const gone = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'doctor', '--json')
  const fault = JSON.parse(gone.stdout).findings.find((one: { check: string }) => one.check === 'database')
  expect(fault).toMatchObject({ ok: false, message: expect.stringContaining('no server listens there') })
})

test('a server that cannot be reached is a sentence, and an address of the settings is not shown whole', async () => {
  const serve = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'serve')
  expect([serve.exitCode, serve.stderr]).toEqual([1, expect.stringContaining('no server listens there')])
  const config = await florin('postgres://florin:S3CRET@127.0.0.1:1/d', 'config')
  expect(config.stdout).toContain('postgres://***@127.0.0.1:1/d')
})
