import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { newPostgresDatabase } from '../support/postgres.ts'

// The schema of PostgreSQL is made of the migrations for SQLite by rules. Nothing may be lost on the way.

let sqlite: Database
let postgres: Connection
let drop: () => Promise<void>

beforeAll(async () => {
  sqlite = new Database(':memory:')
  for (const { sql } of migrations) sqlite.run(sql)
  const made = await newPostgresDatabase()
  drop = made.drop
  postgres = await connect(databaseUrl(made.url)!)
})
afterAll(async () => {
  sqlite.close()
  await postgres.close()
  await drop()
})

// biome-ignore lint/suspicious/noExplicitAny: rows of catalogues
type Row = Record<string, any>

const fromSqlite = (text: string): Row[] => sqlite.query<Row, []>(text).all()
const tablesOf = () =>
  fromSqlite(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
const types: Row = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea' }
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\bstrpos\(/g, 'instr(')
    .replaceAll(/\bchr\(/g, 'char(')
    .replaceAll(/::\w+|["()\s]|collate c\b/g, '')
    .replaceAll('<>', '!=')

test('tables and columns are the same, with their types, defaults and whether they may be null', async () => {
  const expected = tablesOf().flatMap(({ name }) =>
    fromSqlite(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${name}')`).map(
      column =>
        `${name}.${column.name} ${types[column.type]} ${column.notnull ? 'not null' : 'null'} ` +
        `${column.dflt_value ?? 'none'}`,
    ),
  )
  const found = await postgres.rows(
    `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'`,
  )
  expect(found.filter(row => row.data_type === 'text' && row.collation_name !== 'C')).toEqual([])
  const names = found.map(
    row =>
      `${row.table_name}.${row.column_name} ${row.data_type} ${row.is_nullable === 'NO' ? 'not null' : 'null'} ` +
      `${String(row.column_default ?? 'none').replace(/::\w+$/, '')}`,
  )
  expect(names.sort()).toEqual(expected.sort())
  expect(names.length).toBeGreaterThan(300)
})

/** Triggers keep this reference: see the rules of the schema. */
const LOOSE = 'orders f customer_id customers id'

test('keys, references and unique columns are the same', async () => {
  const expected = tablesOf().flatMap(({ name, sql }) => {
    const columns = fromSqlite(`SELECT name, pk FROM pragma_table_info('${name}')`)
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const references = fromSqlite(`SELECT * FROM pragma_foreign_key_list('${name}')`)
    const unique = fromSqlite(`SELECT name FROM pragma_index_list('${name}') WHERE origin = 'u'`)
    const checks = sql.replaceAll(/--[^\n]*/g, '').match(/\bCHECK \(/g) ?? []
    return [
      `${name} p ${key.map(column => column.name).join()}`,
      ...references.map(({ from, table, to }) => `${name} f ${from} ${table} ${to}`),
      ...unique.map(index => {
        const of = fromSqlite(`SELECT name FROM pragma_index_info('${index.name}')`)
        return `${name} u ${of.map(column => column.name).join()}`
      }),
      `${name} has ${checks.length} checks`,
    ]
  })
  const rows = await postgres.rows(
    `SELECT c.relname AS name, k.contype AS kind, o.relname AS other,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.conkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.num) AS columns,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.confkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.num) AS targets
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class o ON o.oid = k.confrelid
     WHERE c.relname <> 'migrations' AND c.relkind = 'r' AND k.connamespace = 'public'::regnamespace`,
  )
  const checks = Map.groupBy(
    rows.filter(({ kind }) => kind === 'c'),
    ({ name }) => name,
  )
  const found = [
    ...rows
      .filter(({ kind }) => kind !== 'c')
      .map(({ name, kind, columns, other, targets }) =>
        kind === 'f' ? `${name} f ${columns} ${other} ${targets}` : `${name} ${kind} ${columns}`,
      ),
    ...tablesOf().map(({ name }) => `${name} has ${checks.get(name)?.length ?? 0} checks`),
  ]
  expect(expected).toContain(LOOSE)
  expect(found.sort()).toEqual(expected.filter(one => one !== LOOSE).sort())
})

test('indexes are the same, with their columns and conditions', async () => {
  const expected = fromSqlite("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .map(({ sql }) => plain(sql.replaceAll(/--[^\n]*/g, '')))
    .sort()
  const rows = await postgres.rows(
    `SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
     AND indexname NOT IN (SELECT conname FROM pg_constraint) AND tablename <> 'migrations'`,
  )
  const found = rows
    .map(({ sql }) => plain(String(sql).replace('public.', '').replace('USING btree ', '')))
    .sort()
  expect(found).toEqual(expected)
})

test('triggers are the same, except the one against a statement that PostgreSQL lacks', async () => {
  const expected = fromSqlite("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .filter(({ name }) => name !== 'audit_log_no_replace')
    .map(({ name, sql }) => `${name} ${/'([^']*)'\); END$/.exec(sql)?.[1]}`)
  const rows = await postgres.rows(
    `SELECT t.tgname AS name, encode(t.tgargs, 'escape') AS text FROM pg_trigger t
     WHERE NOT t.tgisinternal
     AND t.tgname NOT IN ('merchants_number', 'orders_customer', 'customers_of_orders')`,
  )
  expect(rows.map(({ name, text }) => `${name} ${String(text).replace('\\000', '')}`).sort()).toEqual(
    expected.sort(),
  )
  expect(rows.length).toBeGreaterThan(10)
})
