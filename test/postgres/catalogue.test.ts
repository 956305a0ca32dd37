import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { checksOf, expressionsOf, indexOf, triggerOf } from '../support/expressions.ts'
import { newPostgresDatabase } from '../support/postgres.ts'

// Each engine has its own migrations. Both have to make the same schema.

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

/** With PostgreSQL, triggers enforce this reference; the migration gives the reason. */
const LOOSE = 'orders f customer_id customers id'

test('keys, references, unique columns and conditions are the same', async () => {
  const expected = tablesOf().flatMap(({ name, sql }) => {
    const columns = fromSqlite(`SELECT name, pk FROM pragma_table_info('${name}')`)
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const references = fromSqlite(`SELECT * FROM pragma_foreign_key_list('${name}')`)
    const unique = fromSqlite(`SELECT name FROM pragma_index_list('${name}') WHERE origin = 'u'`)
    return [
      `${name} p ${key.map(column => column.name).join()}`,
      ...references.map(({ from, table, to }) => `${name} f ${from} ${table} ${to}`),
      ...unique.map(index => {
        const of = fromSqlite(`SELECT name FROM pragma_index_info('${index.name}')`)
        return `${name} u ${of.map(column => column.name).join()}`
      }),
      ...checksOf(sql).map(check => `${name} c ${check}`),
    ]
  })
  const rows = await postgres.rows(
    `SELECT c.relname AS name, k.contype AS kind, o.relname AS other,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.conkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.num) AS columns,
       (SELECT string_agg(a.attname, ',' ORDER BY n.at) FROM unnest(k.confkey) WITH ORDINALITY n(num, at)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.num) AS targets,
       pg_get_expr(k.conbin, k.conrelid) AS condition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class o ON o.oid = k.confrelid
     WHERE c.relname <> 'migrations' AND c.relkind = 'r' AND k.connamespace = 'public'::regnamespace`,
  )
  const found = rows.map(({ name, kind, columns, other, targets, condition }) => {
    if (kind === 'f') return `${name} f ${columns} ${other} ${targets}`
    return `${name} ${kind} ${kind === 'c' ? expressionsOf(String(condition), 'postgres') : columns}`
  })
  expect(expected).toContain(LOOSE)
  expect(found.sort()).toEqual(expected.filter(one => one !== LOOSE).sort())
})

test('indexes are the same, with their columns and conditions', async () => {
  const expected = fromSqlite("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .map(({ sql }) => indexOf(sql, 'sqlite'))
    .sort()
  const rows = await postgres.rows(
    `SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
     AND indexname NOT IN (SELECT conname FROM pg_constraint) AND tablename <> 'migrations'`,
  )
  expect(rows.map(({ sql }) => indexOf(String(sql), 'postgres')).sort()).toEqual(expected)
})

test('triggers are the same, except the one against a statement that PostgreSQL lacks', async () => {
  const expected = fromSqlite("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .filter(({ name }) => name !== 'audit_log_no_replace')
    .map(({ sql }) => triggerOf(sql, 'sqlite'))
  const rows = await postgres.rows(
    `SELECT pg_get_triggerdef(oid) AS sql FROM pg_trigger WHERE NOT tgisinternal
     AND tgname NOT IN ('merchants_number', 'orders_customer', 'customers_of_orders')`,
  )
  expect(rows.map(({ sql }) => triggerOf(String(sql), 'postgres')).sort()).toEqual(expected.sort())
  expect(rows.length).toBeGreaterThan(10)
})
