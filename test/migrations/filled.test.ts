import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { type App, startApp } from '../support/app.ts'
import { audit } from '../support/auditor.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { asLaterVersion, laterMigrations } from '../support/later-migrations.ts'
import { newFolder } from '../support/process.ts'
import { words } from '../support/words.ts'

let app: App
let folder: string
let file: string

beforeEach(async () => {
  folder = newFolder()
  file = join(folder, 'florin.sqlite')
  app = await startApp()
})
afterEach(() => app.close())

/** Makes an order that is paid twice, one that waits for coins, and one with an open page of a provider. */
async function fill(): Promise<void> {
  const shop = await givenShop(app)
  const [paid, open, card] = [
    await givenOrder(app, shop),
    await givenOrder(app, shop),
    await givenOrder(app, shop),
  ]
  await openCrypto(app, paid.orderUUID, 'btc')
  await openCrypto(app, paid.orderUUID, 'ethereum/usdc')
  for (let turn = 0; turn < 2; turn++) {
    await simulate(app, paid.orderUUID, 'paid')
    await check(app, paid.orderUUID)
    await app.advance(3600_000)
  }
  await openCrypto(app, open.orderUUID, 'btc')
  await app.call('GET', `/payment/process/${card.orderUUID}?method=stripe`)
  await app.jobs.settle()
}

const tablesOf = (database: Database): string[] =>
  database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'",
    )
    .all()
    .map(({ name }) => name)

const columnsOf = (database: Database, table: string, schema = 'main'): string[] =>
  database
    .query<{ name: string }, []>(`SELECT name FROM ${schema}.pragma_table_info('${table}', '${schema}')`)
    .all()
    .map(({ name }) => name)

const rowsOf = (database: Database, what: string): unknown[][] =>
  database
    .query(`SELECT ${what}`)
    .values()
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/**
 * Copies the app's rows into a new database with this number of migrations, as far as it has their columns.
 * Returns the rows by their query.
 */
function copyInto(length: number, all: typeof migrations): Map<string, unknown[][]> {
  const database = new Database(file)
  migrate(database, file, 1, all.slice(0, length))
  database.run('PRAGMA foreign_keys = OFF')
  database.run(`ATTACH '${app.file}' AS app`)
  const copied = new Map<string, unknown[][]>()
  for (const table of tablesOf(database)) {
    const known = new Set(columnsOf(database, table, 'app'))
    const columns = columnsOf(database, table).filter(name => known.has(name))
    database.run(`INSERT OR REPLACE INTO main.${table} (${columns}) SELECT ${columns} FROM app.${table}`)
    copied.set(`${columns} FROM ${table}`, rowsOf(database, `${columns} FROM main.${table}`))
  }
  expect(database.query('PRAGMA main.foreign_key_check').values()).toEqual([])
  database.run('DETACH app')
  database.close()
  return copied
}

const all = [...migrations, ...laterMigrations]

test.each(all.map((_, at) => at + 1))(
  'a database that was filled after %i migrations keeps its rows and references when it is migrated',
  async length => {
    await fill()
    const copied = copyInto(length, all)
    const filled = [...copied].filter(([, rows]) => rows.length > 0).map(([what]) => what.split(' FROM ')[1])
    expect(filled).toEqual(
      expect.arrayContaining(words('attempts incoming_payments settlements transactions unmatched_payments')),
    )
    const storage = await asLaterVersion(() => openStorage(file, 2, {}, { as: 'server', mode: 'sandbox' }))
    const [attempt] = (copied.get([...copied.keys()].find(key => key.endsWith(' FROM attempts'))!) ?? [])!
    const found = await storage.read(tables => tables.attempts.find(String(attempt![0])))
    expect(found).toMatchObject({ shared: false, requiredEndpoints: 1 })
    const orphan = storage.write(tables =>
      tables.attempts.insert({ ...found!, id: 'x', address: 'y', orderId: 'z' }),
    )
    await expect(orphan).rejects.toThrow(/FOREIGN KEY/)
    await storage.close()
    const database = new Database(file)
    for (const [what, rows] of copied) expect([what, rowsOf(database, what)]).toEqual([what, rows])
    expect(database.query('SELECT name FROM migrations ORDER BY name').values().flat()).toEqual(
      all.map(({ name }) => name),
    )
    expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
    expect(() => {
      database.run('PRAGMA foreign_keys = ON')
      database.run('DELETE FROM attempts')
    }).toThrow(/FOREIGN KEY/)
    database.close()
    expect(audit(file)).toEqual([])
  },
)
