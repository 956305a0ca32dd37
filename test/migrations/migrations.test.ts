import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrations } from '../../migrations/index.ts'
import { postgresMigrations } from '../../migrations/postgres/index.ts'
import { DatabaseError } from '../../src/storage/engine.ts'
import * as schema from '../../src/storage/schema/index.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { laterMigrations } from '../support/later-migrations.ts'
import { newFolder } from '../support/process.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = newFolder()
  file = join(folder, 'florin.sqlite')
})

const shapeOf = (database: Database) =>
  database.query("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").values().flat()

function migrated(all = migrations): Database {
  const database = new Database(file)
  migrate(database, file, 1, all)
  return database
}

/** A database as an unreleased version left it, with the names of its migrations but without their hashes. */
function unreleased(names: string[]): void {
  const database = new Database(file)
  database.run('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT')
  for (const name of names) database.run('INSERT INTO migrations VALUES (?, 1)', [name])
  database.run('CREATE TABLE orders (id TEXT PRIMARY KEY) STRICT')
  database.close()
}

const hashOf = () => Bun.hash(readFileSync(file))

describe('a database is refused', () => {
  test('if a newer version wrote it', () => {
    migrated([...migrations, { name: '9999_future', sql: 'CREATE TABLE future (a TEXT) STRICT' }]).close()
    expect(() => openStorage(file, 2)).toThrow(/newer version .*9999_future/)
  })

  test.each([
    ['one migration', ['0001_florin']],
    ['four', ['0001_florin', '0002_products_refunds', '0003_address_sources', '0004_crypto_first']],
  ])('and not changed if an unreleased version wrote it, with %s', (_, names) => {
    unreleased(names)
    const before = hashOf()
    expect(() => openStorage(file, 2)).toThrow(
      new DatabaseError(
        'The database was created by an unreleased version of Florin and cannot be migrated. ' +
          'Set FLORIN_DATA_DIR to a new directory, or keep using that version.',
      ),
    )
    expect(hashOf()).toBe(before)
  })

  test.each([
    ['the same name and other content', '0001_florin'],
    ['another name', '0001_other'],
  ])('if its first migration has %s', (_, name) => {
    migrated([{ name, sql: 'CREATE TABLE other (a TEXT) STRICT' }]).close()
    expect(() => openStorage(file, 2)).toThrow(/unreleased version/)
  })

  test.each(['CREATE TABLE songs (title TEXT)', 'CREATE TABLE migrations (version INTEGER)'])(
    'if another program wrote it: %s',
    sql => {
      const database = new Database(file)
      database.run(sql)
      database.close()
      expect(() => openStorage(file, 2)).toThrow(/another program/)
    },
  )

  test('if the file is not a database', () => {
    writeFileSync(
      file,
      'This is a letter to my aunt, and it is long enough to be read as a header.'.repeat(20),
    )
    expect(() => openStorage(file, 2)).toThrow(/damaged or is not a SQLite database/)
  })

  test('and not changed', () => {
    writeFileSync(file, 'x'.repeat(5000))
    expect(() => openStorage(file, 2)).toThrow(DatabaseError)
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(5000))
  })
})

test('a migration that fails changes nothing', () => {
  migrated().close()
  const database = new Database(file)
  const before = shapeOf(database)
  const broken = {
    name: '9999_broken',
    sql: 'CREATE TABLE half (a TEXT) STRICT; INSERT INTO nowhere VALUES (1);',
  }
  expect(() => migrate(database, file, 2, [...migrations, broken])).toThrow()
  expect(shapeOf(database)).toEqual(before)
  database.close()
})

test.each(Array.from({ length: migrations.length + laterMigrations.length }, (_, at) => at))(
  'a database with the first %i migrations gets the same schema as a new one',
  length => {
    const all = [...migrations, ...laterMigrations]
    const whole = migrated(all)
    const expected = shapeOf(whole)
    whole.close()
    folder = newFolder()
    file = join(folder, 'florin.sqlite')
    if (length > 0) migrated(all.slice(0, length)).close()
    const database = migrated(all)
    expect(shapeOf(database)).toEqual(expected)
    expect(shapeOf(database).join()).toContain('decimals >= 0')
    database.close()
  },
)

test('a database that is in use is copied before it is migrated', () => {
  migrated().close()
  const database = new Database(file)
  migrate(database, file, Date.parse('2026-01-02T03:04:05Z'), [
    ...migrations,
    { name: '9999_next', sql: 'SELECT 1' },
  ])
  database.close()
  expect(readdirSync(folder)).toContain('florin.sqlite.before-2026-01-02T030405.000Z')
})

/** SQLite 3.40, which Debian 12 has, rejects json_valid(NULL); the SQLite in Bun accepts it. */
test('the CHECK of a nullable JSON column allows NULL explicitly', () => {
  const database = migrated()
  const tables = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_master WHERE type = 'table'")
    .all()
  const definitions = tables
    .flatMap(({ sql }) => sql.split('\n'))
    .filter(line => line.includes('json_valid('))
  const nullable = definitions.filter(line => !line.includes('NOT NULL'))
  expect(nullable.length).toBeGreaterThan(0)
  expect(nullable.filter(line => !/CHECK \((\w+) IS NULL OR json_valid\(\1\)\)/.test(line))).toEqual([])
  database.close()
})

test('the migrations of both engines are listed in order and completely', () => {
  const filesIn = (folder: string) =>
    readdirSync(join(import.meta.dir, '../../migrations', folder)).filter(name => name.endsWith('.sql'))
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(filesIn('.').sort())
  expect(postgresMigrations.map(({ name }) => `${name}.sql`)).toEqual(filesIn('postgres').sort())
  const kindsOf = (all: typeof migrations) => all.map(({ name, expands = false }) => [name, expands])
  expect(kindsOf(postgresMigrations)).toEqual(kindsOf(migrations))
})

test('the schema in code has the tables and columns of the database', () => {
  const database = migrated()
  const tables = (Object.values(schema) as SQLiteTable[]).filter(value => is(value, SQLiteTable))
  const inDatabase = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migrations'",
    )
    .all()
  expect(tables.map(getTableName).sort()).toEqual(inDatabase.map(({ name }) => name).sort())
  for (const table of tables) {
    const columns = database
      .query<{ name: string; notnull: number }, [string]>('SELECT name, "notnull" FROM pragma_table_info(?)')
      .all(getTableName(table))
    const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    const inCode = Object.entries(getTableColumns(table)).map(([name, column]) => ({
      name: snake(name),
      notnull: column.notNull ? 1 : 0,
    }))
    expect(inCode.sort(byName), getTableName(table)).toEqual(columns.sort(byName))
  }
  database.close()
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
