import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { openStorage as openServer } from '../../src/storage/postgres/open.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { runInProcess } from '../cli/in-process.ts'
import { merchantRow } from '../storage/contract/given.ts'
import { auditDatabase } from '../support/auditor.ts'
import { givenFullShop, startFullApp } from '../support/full-shop.ts'
import { mirrorOf } from '../support/mirror.ts'
import { newEmptyDatabase } from '../support/postgres.ts'
import { newFolder } from '../support/process.ts'
import { runScript } from '../support/psql.ts'

setDefaultTimeout(120_000)

// `florin migrate-to` moves the file of a shop to PostgreSQL.

const full = newFolder()
const made: { drop(): Promise<void> }[] = []

/** A shop in a file with every kind of row. One row has a text that PostgreSQL cannot store. */
beforeAll(async () => {
  const app = await startFullApp({ FLORIN_DATABASE_URL: '' })
  await givenFullShop(app)
  cpSync(app.dataDir, full, { recursive: true })
  await app.close()
  const file = new Database(databaseFile(full))
  file.run("UPDATE orders SET description = 'before' || char(0) || 'after' WHERE rowid = 1")
  file.close()
})
afterAll(async () => {
  for (const { drop } of made) await drop()
})

const copyOf = (): string => {
  const folder = newFolder()
  cpSync(full, folder, { recursive: true })
  return folder
}
async function emptyDatabase(): Promise<string> {
  const database = await newEmptyDatabase()
  made.push(database)
  return database.url
}
const move = (dataDir: string, url: string, ...options: string[]) =>
  runInProcess({ FLORIN_DATA_DIR: dataDir, FLORIN_DATABASE_URL: url }, 'migrate-to', ...options)
const tablesIn = (url: string): string =>
  runScript(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").trim()
const movedIn = (dataDir: string): string[] => readdirSync(dataDir).filter(name => name.includes('.moved-'))

function countsOf(database: Database): Record<string, number> {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .flatMap(({ name }) => (name === 'migrations' ? [] : name))
  return Object.fromEntries(
    tables.map(name => [
      name,
      database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${name}`).get()!.count,
    ]),
  )
}

test('migrate-to moves every row of a shop, prints the comparison, and ends the use of the file', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  const source = new Database(databaseFile(dataDir), { readonly: true })
  const expected = countsOf(source)
  source.close()
  const { exitCode, stdout, stderr } = await move(dataDir, url, '--json')
  expect([exitCode, stderr]).toEqual([0, ''])
  const { tables, paid, kept, wasCopied } = JSON.parse(stdout)
  expect(wasCopied).toBe(false)
  expect(
    Object.fromEntries(tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows])),
  ).toEqual(expected)
  expect(paid).toEqual([
    { currency: 'EUR', orders: 1, amount: '25.00' },
    { currency: 'USD', orders: 1, amount: '1234567.00' },
  ])
  expect(existsSync(kept) && !existsSync(databaseFile(dataDir))).toBe(true)
  const mirror = mirrorOf(url)
  expect(countsOf(mirror)).toEqual({ ...expected })
  expect(auditDatabase(mirror)).toEqual([])
  expect(
    runScript(url, "SELECT count(*) FROM orders WHERE description = 'before' || chr(65533) || 'after'"),
  ).toBe('1\n')
})

test('migrate-to leaves a working database: its references, triggers and numbers are right', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  expect((await move(dataDir, url)).exitCode).toBe(0)
  const storage = await openServer(databaseUrl(url)!, 0, {}, { as: 'command', mayCreate: false })
  await storage.write(tables => tables.merchants.insert(merchantRow()))
  await storage.close()
  expect(runScript(url, 'SELECT count(DISTINCT number) = count(*) FROM merchants')).toBe('t\n')
  expect(() => runScript(url, 'DELETE FROM audit_log')).toThrow('audit')
  expect(() => runScript(url, "UPDATE orders SET merchant_id = 'nobody'")).toThrow('foreign key')
})

test('migrate-to keeps servers and commands from starting with the old file', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  const { stdout } = await move(dataDir, url)
  expect(stdout).toMatch(/Copied \d+ rows of \d+ tables .*\n.*\n.*paid order.* in USD/)
  expect(() => openStorage(databaseFile(dataDir), 0)).toThrow('FLORIN_DATABASE_URL')
  const again = await move(dataDir, url)
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('was moved to PostgreSQL')])
})

test('migrate-to finishes an interrupted move whose rows were stored, but not with other rows', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  expect((await move(dataDir, url)).exitCode).toBe(0)
  const [name = ''] = movedIn(dataDir)
  renameSync(join(dataDir, name), databaseFile(dataDir))
  const file = new Database(databaseFile(dataDir))
  file.run("UPDATE merchants SET name = 'Other'")
  const other = await move(dataDir, url)
  expect([other.exitCode, other.stderr]).toEqual([1, expect.stringMatching(/other rows.*merchants/)])
  file.run('UPDATE merchants SET name = (SELECT name FROM merchants LIMIT 1)')
  file.close()
  expect(existsSync(databaseFile(dataDir))).toBe(true)

  const second = await emptyDatabase()
  expect((await move(dataDir, second)).exitCode).toBe(0)
  renameSync(join(dataDir, movedIn(dataDir).at(-1)!), databaseFile(dataDir))
  const { stdout } = await move(dataDir, second, '--json')
  expect(JSON.parse(stdout)).toMatchObject({ wasCopied: true })
  expect(existsSync(databaseFile(dataDir))).toBe(false)
})

test('migrate-to changes nothing if the connection is lost meanwhile, and works the next time', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  const file = new Database(databaseFile(dataDir))
  file.run(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
     INSERT INTO write_probes SELECT i, zeroblob(100000) FROM n`,
  )
  file.close()
  const running = move(dataDir, url)
  const end = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'INSERT INTO "write_probes"%'`
  let ended = false
  void running.then(() => {
    ended = true
  })
  while (!ended && runScript(url, end) === '0\n') await Bun.sleep(5)
  const failed = await running
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining('database')])
  expect(tablesIn(url)).toBe('0')
  expect([existsSync(databaseFile(dataDir)), movedIn(dataDir)]).toEqual([true, []])
  expect((await move(dataDir, url)).exitCode).toBe(0)
})

test('migrate-to refuses a file that is in use, a database that is not empty, and a missing setting', async () => {
  const dataDir = copyOf()
  const url = await emptyDatabase()
  const storage = openStorage(databaseFile(dataDir), 0)
  const inUse = await move(dataDir, url)
  expect([inUse.exitCode, inUse.stderr]).toEqual([1, expect.stringMatching(/using .*Stop it first/)])
  await storage.close()
  const other = copyOf()
  runScript(url, 'CREATE TABLE foreign_table (id INTEGER)')
  const foreign = await move(other, url)
  expect([foreign.exitCode, foreign.stderr]).toEqual([1, expect.stringContaining('another program')])
  const unset = await runInProcess({ FLORIN_DATA_DIR: other }, 'migrate-to')
  expect([unset.exitCode, unset.stderr]).toEqual([1, expect.stringContaining('FLORIN_DATABASE_URL')])
  const nothing = await move(newFolder(), url)
  expect([nothing.exitCode, nothing.stderr]).toEqual([1, expect.stringContaining('FLORIN_DATA_DIR')])
  expect([existsSync(databaseFile(other)), tablesIn(url)]).toEqual([true, '1'])
})

test('neither a server nor a command starts an empty shop beside a file that was not moved', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  const florin = (line: string) =>
    runInProcess({ FLORIN_DATA_DIR: dataDir, FLORIN_DATABASE_URL: url }, ...line.split(' '))
  for (const line of [
    ...['serve', 'merchant create --email a@shop.example --name A', 'user list', 'merchant list', 'migrate'],
  ]) {
    const ran = await florin(line)
    expect([line, ran.exitCode]).toEqual([line, 1])
    expect([line, ran.stderr]).toEqual([line, expect.stringContaining('Run florin migrate-to to move it')])
  }
  const doctor = await florin('doctor')
  expect(doctor.stdout).toMatch(/ERROR {2}database: .* holds a shop, but .*\n +Run florin migrate-to/)
  expect(doctor.stdout).not.toContain('merchant create')
  expect(tablesIn(url)).toBe('0')
  expect((await move(dataDir, url)).exitCode).toBe(0)
})

test('a file that a newer version has expanded is moved by that version', async () => {
  const [dataDir, url] = [copyOf(), await emptyDatabase()]
  const file = new Database(databaseFile(dataDir))
  file.run("INSERT INTO migrations (name, hash, applied_at, expands) VALUES ('9001_tables', 'x', 1, 1)")
  file.close()
  const { exitCode, stderr } = await move(dataDir, url)
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/\(9001_tables\)\. Move it with that version/),
  ])
  expect(movedIn(dataDir)).toEqual([])
})
