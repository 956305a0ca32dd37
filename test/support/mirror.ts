import { Database } from 'bun:sqlite'
import { migrations } from '../../migrations/index.ts'
import { foldStatistics } from './fold-statistics.ts'
import { runScript } from './psql.ts'

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

/** In the order of insertion, as SQLite numbers rows. */
const orderOf = (columns: string[]): string =>
  ['created_at', 'id'].filter(name => columns.includes(name)).join() || columns[0]!

/** The names of the tables that have rows. Reading an empty table costs as much as a full one. */
const FILLED = `SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND pg_relation_size(oid) > 0`

/** All rows at one moment, by table. */
function everyRow(url: string): string {
  const filled = runScript(url, FILLED)
  const rows = schema()
    .tables.filter(({ name }) => ` ${filled.trim()} `.includes(` ${name} `))
    .map(
      ({ name, columns }) =>
        `SELECT '${name}' AS name, (SELECT json_agg(t ORDER BY ${orderOf(columns)}) FROM ${name} t) AS rows`,
    )
  const answer = runScript(url, `SELECT json_object_agg(name, rows) FROM (${rows.join(' UNION ALL ')}) t`)
  // A table whose first row was inserted meanwhile is missing.
  return runScript(url, FILLED) === filled ? answer : everyRow(url)
}

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

function copyOf(answer: string): Database {
  const { empty, tables } = schema()
  const copy = Database.deserialize(empty)
  const content: Record<string, Row[] | null> = JSON.parse(answer)
  copy.run('BEGIN')
  for (const { name, columns } of tables) {
    const rows = content[name]
    if (!rows) continue
    const insert = copy.prepare(`INSERT INTO ${name} (${columns}) VALUES (${columns.map(() => '?')})`)
    for (const row of rows) insert.run(...columns.map(column => bytesOf(row[column] ?? null)))
  }
  foldStatistics(copy)
  copy.run('COMMIT')
  return copy
}

/**
 * Copies all rows of a PostgreSQL database to SQLite, so that checks written for SQLite work with both
 * engines.
 */
export const mirrorOf = (url: string): Database => copyOf(everyRow(url))

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
