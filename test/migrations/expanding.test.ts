import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { postgresMigrations } from '../../migrations/postgres/index.ts'
import { expansionOf } from '../../src/storage/postgres/expanding.ts'
import { readState } from '../../src/storage/sqlite/integrity.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { merchantRow } from '../storage/contract/given.ts'
import { newFolder } from '../support/process.ts'
import { rollingMigrations, rollingPostgresMigrations } from '../support/rolling-migrations.ts'

const [expanding, contracting] = rollingMigrations as [(typeof migrations)[0], (typeof migrations)[0]]

describe('a migration that expands', () => {
  test('contains only statements that older servers can live with', () => {
    for (const { name, sql, expands } of [...postgresMigrations, ...rollingPostgresMigrations])
      if (expands) expect([name, expansionOf(sql).refused]).toEqual([name, []])
  })

  test('adds tables and columns first, and builds indexes of existing tables while other writes run', () => {
    const { additions, indexes } = expansionOf(rollingPostgresMigrations[0]!.sql)
    expect(additions.length).toBe(5)
    expect(indexes).toEqual([
      { name: 'orders_by_table', definition: 'ON orders (merchant_id, table_number)' },
    ])
  })

  test.each([
    'ALTER TABLE orders ADD COLUMN IF NOT EXISTS note TEXT COLLATE "C" NOT NULL',
    'ALTER TABLE orders ADD COLUMN IF NOT EXISTS note TEXT COLLATE "C" UNIQUE',
    'ALTER TABLE orders ADD COLUMN IF NOT EXISTS note TEXT COLLATE "C" REFERENCES notes (id)',
    `ALTER TABLE orders ADD COLUMN IF NOT EXISTS note TEXT COLLATE "C" CHECK (note <> '')`,
    'ALTER TABLE orders ADD COLUMN IF NOT EXISTS at BIGINT NOT NULL DEFAULT (random())',
    'ALTER TABLE orders ADD COLUMN note BIGINT',
    'CREATE TABLE notes (\n  id BIGINT\n)',
    'CREATE INDEX orders_by_note ON orders (note)',
    'ALTER TABLE orders DROP COLUMN description',
    'ALTER TABLE orders RENAME TO purchases',
    'CREATE UNIQUE INDEX IF NOT EXISTS one_order ON orders (merchant_id)',
    "CREATE OR REPLACE TRIGGER no_orders BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change('no')",
    "CREATE OR REPLACE TRIGGER orders_no_delete BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change('no')",
    'CREATE TABLE IF NOT EXISTS notes (\n  order_id TEXT COLLATE "C" PRIMARY KEY REFERENCES orders (id)\n)',
    'DROP TABLE orders',
    'UPDATE orders SET description = NULL',
    'INSERT INTO orders DEFAULT VALUES',
  ])('cannot contain %s', statement => {
    const allowed = 'CREATE TABLE IF NOT EXISTS things (\n  id TEXT COLLATE "C" PRIMARY KEY\n);\n'
    expect(expansionOf(`${allowed}${statement};\n`).refused).toEqual([statement])
  })
})

describe('a database in a file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = newFolder()
    file = join(folder, 'florin.sqlite')
  })

  async function migratedWith(...added: typeof migrations) {
    await openStorage(file, 1).close()
    const database = new Database(file)
    migrate(database, file, 2, [...migrations, ...added])
    database.close()
  }

  test('that a newer version has expanded can be used by the previous version', async () => {
    await migratedWith(expanding)
    expect(readState(file)).toMatchObject({
      kind: 'whole',
      pendingMigrations: 0,
      newerMigrations: [expanding.name],
    })
    const storage = openStorage(file, 3, {}, { as: 'server', mode: 'live' })
    await storage.write(tables => tables.merchants.insert(merchantRow({ name: 'Corner Coffee' })))
    await storage.check()
    await storage.close()
  })

  test('that a newer version has changed in other ways cannot be used by the previous version', async () => {
    await migratedWith(expanding, contracting)
    expect(() => openStorage(file, 3)).toThrow(/newer version of Florin \(it has the migration 9002_no_names/)
    expect(readState(file)).toMatchObject({ kind: 'refused' })
  })
})
