import { Database } from 'bun:sqlite'
import { migrations } from '../../migrations/index.ts'
import { foldStatistics } from './fold-statistics.ts'
import { runScript } from './postgres.ts'

type Value = string | number | null
type Row = Record<string, Value>

let schema: Uint8Array | undefined

/** An in-memory database with only the tables: the other engine has already checked what is copied. */
function emptyCopy(): Database {
  if (!schema) {
    const made = new Database(':memory:')
    for (const { sql } of migrations) made.run(sql)
    for (const { name } of made.query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    ))
      made.run(`DROP TRIGGER ${name}`)
    made.run('DELETE FROM commits')
    schema = made.serialize()
  }
  return Database.deserialize(schema)
}

const columnsOf = (database: Database, table: string): string[] =>
  database
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)

/** In the order of insertion, as SQLite numbers rows. */
const orderOf = (columns: string[]): string =>
  ['created_at', 'id'].filter(name => columns.includes(name)).join() || columns[0]!

const bytesOf = (value: Value): Value | Uint8Array =>
  typeof value === 'string' && value.startsWith('\\x')
    ? new Uint8Array(Buffer.from(value.slice(2), 'hex'))
    : value

/**
 * Copies all rows of a PostgreSQL database to SQLite, so that checks written for one engine work with the
 * other.
 */
export function mirrorOf(url: string): Database {
  const copy = emptyCopy()
  const tables = copy
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => ({ name, columns: columnsOf(copy, name) }))
  const parts = tables.map(
    ({ name, columns }) => `'${name}', (SELECT json_agg(t ORDER BY ${orderOf(columns)}) FROM ${name} t)`,
  )
  // A function takes at most 100 arguments.
  const halves = [parts.slice(0, 40), parts.slice(40)]
  const objects = halves.map(half => `json_build_object(${half.join()})`)
  const answer = JSON.parse(runScript(url, `SELECT json_build_array(${objects.join()})`))
  const content = Object.assign({}, ...answer) as Record<string, Row[] | null>
  copy.run('BEGIN')
  for (const { name, columns } of tables) {
    const insert = copy.prepare(`INSERT INTO ${name} (${columns}) VALUES (${columns.map(() => '?')})`)
    for (const row of content[name] ?? []) insert.run(...columns.map(column => bytesOf(row[column] ?? null)))
  }
  foldStatistics(copy)
  copy.run('COMMIT')
  return copy
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
