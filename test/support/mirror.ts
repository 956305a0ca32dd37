import { Database } from 'bun:sqlite'
import { migrations } from '../../migrations/index.ts'
import { foldStatistics } from './fold-statistics.ts'
import { runPrepared, runScript } from './psql.ts'

type Value = string | number | null
type Row = Record<string, Value>

interface Table {
  name: string
  columns: string[]
}

/** The tables of both engines without rows. */
interface Schema {
  empty: Uint8Array
  tables: Table[]
}

let known: Schema | undefined

/** The columns by which rows are sorted, in the order of their insertion, as SQLite numbers rows. */
const orderOf = (columns: string[]): string =>
  ['created_at', 'id'].filter(name => columns.includes(name)).join() || columns[0]!

/** Only the tables, without triggers: the other engine has already checked the rows. */
function readSchema(): Schema {
  const made = new Database(':memory:')
  for (const { sql } of migrations) made.run(sql)
  const named = (type: string) =>
    made.query<{ name: string }, [string]>('SELECT name FROM sqlite_master WHERE type = ?').all(type)
  for (const { name } of named('trigger')) made.run(`DROP TRIGGER ${name}`)
  made.run('DELETE FROM commits')
  const columns = made.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
  const tables = named('table').map(({ name }) => ({
    name,
    columns: columns.all(name).map(column => column.name),
  }))
  return { empty: made.serialize(), tables }
}

function schema(): Schema {
  known ??= readSchema()
  return known
}

const bytesOf = (value: Value): Value | Uint8Array =>
  typeof value === 'string' && value.startsWith('\\x')
    ? new Uint8Array(Buffer.from(value.slice(2), 'hex'))
    : value

const TABLES = `SELECT string_agg(relname, ' ') FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

/** Copies the rows of some tables at one moment. An earlier version, and some tests, leave out tables. */
function copyRows(url: string, copy: Database, named: Table[]): void {
  const names = runPrepared(url, 'names_of_tables', TABLES).trim().split(' ')
  const tables = named.filter(({ name }) => names.includes(name))
  if (tables.length === 0) return
  const rows = tables.map(
    ({ name, columns }) =>
      `SELECT '${name}' AS name, (SELECT json_agg(t ORDER BY ${orderOf(columns)}) FROM ${name} t) AS rows`,
  )
  const statement = `SELECT json_object_agg(name, rows) FROM (${rows.join(' UNION ALL ')}) t`
  const answer = runPrepared(url, `rows_${Bun.hash(statement)}`, statement)
  const content: Record<string, Row[] | null> = JSON.parse(answer)
  copy.run('BEGIN')
  for (const { name, columns } of tables) {
    const rows = content[name]
    if (!rows) continue
    // A database that this version has not migrated lacks some columns, so these are left out.
    const stored = columns.filter(column => rows[0] && column in rows[0])
    const insert = copy.prepare(`INSERT INTO ${name} (${stored}) VALUES (${stored.map(() => '?')})`)
    for (const row of rows) insert.run(...stored.map(column => bytesOf(row[column] ?? null)))
  }
  foldStatistics(copy)
  copy.run('COMMIT')
}

/**
 * Copies all rows of a PostgreSQL database to SQLite, so that checks written for SQLite work with both
 * engines.
 */
export function mirrorOf(url: string): Database {
  const { empty, tables } = schema()
  const copy = Database.deserialize(empty)
  copyRows(url, copy, tables)
  return copy
}

const SUMS = ['statistics', 'method_statistics']
/** PostgreSQL appends changes of sums, which are added when they are copied. */
const BELONGING_TO_SUMS = [...SUMS, 'statistic_changes', 'merchants']

/** Like `mirrorOf`, but each query copies only the tables that it names and no earlier query has named. */
export function readerOf(url: string): Database {
  const { empty, tables } = schema()
  const copy = Database.deserialize(empty)
  const rest = new Map(tables.map(table => [table.name, table]))
  const copyNamed = (sql: string): void => {
    const words: string[] = sql.match(/\w+/g) ?? []
    const names = words.some(word => SUMS.includes(word)) ? [...words, ...BELONGING_TO_SUMS] : words
    const missing = [...new Set(names)].flatMap(name => rest.get(name) ?? [])
    for (const { name } of missing) rest.delete(name)
    if (missing.length > 0) copyRows(url, copy, missing)
  }
  return new Proxy(copy, {
    get(_, name) {
      const value = Reflect.get(copy, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'query') copyNamed(String(args[0]))
        return value.apply(copy, args)
      }
    },
  })
}

const quoted = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'number' ? `${value}` : `'${value.replaceAll("'", "''")}'`

/** In PostgreSQL, dropping a trigger needs the name of its table. */
function withTable(sql: string): string {
  const name = /^DROP TRIGGER (\w+)$/.exec(sql)?.[1]
  if (name === undefined) return sql
  const all = migrations.map(migration => migration.sql).join('\n')
  const table = new RegExp(`CREATE TRIGGER ${name} BEFORE [\\w, ]+ ON (\\w+)`).exec(all)?.[1]
  return `${sql} ON ${table}`
}

/** Runs a statement that changes rows, with values for its question marks. */
export function changeMirrored(url: string, sql: string, values: Value[]): void {
  let position = 0
  runScript(
    url,
    withTable(sql).replaceAll('?', () => quoted(values[position++] ?? null)),
  )
}
