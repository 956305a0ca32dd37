import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrations } from '../../migrations/index.ts'
import * as schema from '../../src/storage/schema/index.ts'
import { DatabaseError, migrate } from '../../src/storage/sqlite/migrate.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-migrations-'))
  file = join(folder, 'florin.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

const shapeOf = (database: Database) =>
  database.query("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").values().flat()

function migrated(all = migrations): Database {
  const database = new Database(file)
  migrate(database, file, 1, all)
  return database
}

describe('a database is refused', () => {
  test('that a newer program wrote', () => {
    migrated([...migrations, { name: '9999_future', sql: 'CREATE TABLE future (a TEXT) STRICT' }]).close()
    expect(() => openStorage(file, 2)).toThrow(/newer Florin .*9999_future/)
  })

  test('whose migrations were others', () => {
    migrated([{ name: '0001_other', sql: 'CREATE TABLE other (a TEXT) STRICT' }]).close()
    expect(() => openStorage(file, 2)).toThrow(DatabaseError)
  })

  test('that belongs to another program', () => {
    const database = new Database(file)
    database.run('CREATE TABLE songs (title TEXT)')
    database.close()
    expect(() => openStorage(file, 2)).toThrow(/another program/)
  })

  test('that is no database', () => {
    writeFileSync(
      file,
      'This is a letter to my aunt, and it is long enough to be read as a header.'.repeat(20),
    )
    expect(() => openStorage(file, 2)).toThrow(/damaged or is no SQLite database/)
  })

  test('and is left as it was', () => {
    writeFileSync(file, 'x'.repeat(5000))
    expect(() => openStorage(file, 2)).toThrow(DatabaseError)
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(5000))
  })
})

test('a migration that fails leaves the database as the last good one did', () => {
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

describe('from every prefix', () => {
  migrations.forEach((_, length) => {
    test(`of ${length} migrations the database becomes the same`, () => {
      const whole = migrated()
      const expected = shapeOf(whole)
      whole.close()
      rmSync(folder, { recursive: true })
      folder = mkdtempSync(join(tmpdir(), 'florin-migrations-'))
      file = join(folder, 'florin.sqlite')
      if (length > 0) migrated(migrations.slice(0, length)).close()
      const database = migrated()
      expect(shapeOf(database)).toEqual(expected)
      database.close()
    })
  })
})

test('a copy is made before a database that is in use is migrated', () => {
  migrated().close()
  const database = new Database(file)
  migrate(database, file, Date.parse('2026-01-02T03:04:05Z'), [
    ...migrations,
    { name: '9999_next', sql: 'SELECT 1' },
  ])
  database.close()
  expect(readdirSync(folder)).toContain('florin.sqlite.before-2026-01-02T030405.000Z')
})

test('the migrations are numbered in order, and each is listed', () => {
  const files = readdirSync(join(import.meta.dir, '../../migrations')).filter(name => name.endsWith('.sql'))
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
})

test('the tables in code and in the database have the same columns', () => {
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
