import { DatabaseError } from '../engine.ts'
import type { CopiedRow, CopiedTable, CopiedValue } from '../table-copy.ts'
import type { Connection } from './connection.ts'
import { connectFirst } from './first-connection.ts'
import { whileAlone, whileMigrating } from './locks.ts'
import { migrateWithin, readSchema } from './migrate.ts'
import { checkServer, locationOf } from './opening.ts'
import type { Target } from './socket.ts'

const ROWS_MAX = 1000
const BYTES_MAX = 4 * 1024 * 1024

/** A database on a server, into which rows are copied. */
export interface TargetDatabase {
  /** true if the database has no tables; otherwise it can only be read */
  isEmpty: boolean
  insert(table: CopiedTable, rows: AsyncIterable<CopiedRow>): Promise<void>
  rowsOf(table: CopiedTable): AsyncIterable<CopiedRow>
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join()

const jsonOf = (value: CopiedValue): CopiedValue => {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}

async function insertAll(
  connection: Connection,
  table: CopiedTable,
  rows: AsyncIterable<CopiedRow>,
): Promise<void> {
  const { name, columns } = table
  const names = quoted(columns)
  const statement =
    `INSERT INTO "${name}" (${names}) ` +
    `SELECT ${names} FROM json_populate_recordset(NULL::"${name}", $1::text::json)`
  let batch: string[] = []
  let bytes = 0
  const flush = async () => {
    if (batch.length > 0) await connection.rows(statement, [`[${batch.join()}]`])
    batch = []
    bytes = 0
  }
  for await (const row of rows) {
    const text = JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, jsonOf(row[at]!)])))
    batch.push(text)
    bytes += text.length
    if (batch.length >= ROWS_MAX || bytes >= BYTES_MAX) await flush()
  }
  await flush()
}

async function* readAll(connection: Connection, table: CopiedTable): AsyncGenerator<CopiedRow> {
  const { name, columns, key } = table
  // Each table has its own cursor name, because the columns of a prepared FETCH must never change.
  const cursor = `copied_${name}`
  const query = `SELECT ${quoted(columns)} FROM "${name}" ORDER BY ${quoted(key)}`
  await connection.script(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const { rows } = await connection.query(`FETCH ${ROWS_MAX} FROM ${cursor}`, [])
    yield* rows as CopiedRow[]
    if (rows.length < ROWS_MAX) break
  }
  await connection.script(`CLOSE ${cursor}`)
}

interface Reference {
  table: string
  name: string
  definition: string
}

/**
 * Drops the foreign keys and returns them. Rows are copied table by table, so the keys hold only at the end.
 */
async function loosen(connection: Connection): Promise<Reference[]> {
  const references = (await connection.rows(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  )) as unknown as Reference[]
  for (const { table, name } of references)
    await connection.script(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
  return references
}

async function setTriggers(
  connection: Connection,
  tables: readonly CopiedTable[],
  to: 'ENABLE' | 'DISABLE',
): Promise<void> {
  for (const { name } of tables) await connection.script(`ALTER TABLE "${name}" ${to} TRIGGER USER`)
}

async function tighten(connection: Connection, references: readonly Reference[]): Promise<void> {
  for (const { table, name, definition } of references)
    await connection.script(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`)
  await connection.script(
    "SELECT setval('merchants_number', (SELECT coalesce(max(number), 0) + 1 FROM merchants), false)",
  )
}

async function fillEmpty(
  connection: Connection,
  tables: readonly CopiedTable[],
  now: number,
  work: () => Promise<void>,
): Promise<void> {
  const { pending } = await readSchema(connection)
  for (const migration of pending) await migrateWithin(connection, migration, now)
  const references = await loosen(connection)
  await setTriggers(connection, tables, 'DISABLE')
  // The copied rows include those that migrations inserted.
  await connection.script(tables.map(({ name }) => `DELETE FROM "${name}";`).join(''))
  await work()
  await tighten(connection, references)
  await setTriggers(connection, tables, 'ENABLE')
}

/** Runs work in a transaction, which stores all that is inserted or nothing. */
async function inTransaction(connection: Connection, work: () => Promise<void>): Promise<void> {
  await connection.script('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
  await connection.script('BEGIN ISOLATION LEVEL REPEATABLE READ')
  try {
    await work()
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => {})
    throw error
  }
  const tag = await connection.script('COMMIT')
  if (tag !== 'COMMIT') throw new DatabaseError('The server undid all changes. See its log, and try again.')
}

/**
 * Runs work with a database that no other process uses. An empty database gets the schema first. All that is
 * inserted is stored at the end, or nothing.
 */
export async function receive(
  target: Target,
  tables: readonly CopiedTable[],
  now: number,
  work: (receiving: TargetDatabase) => Promise<void>,
): Promise<void> {
  const connection = await connectFirst(target)
  try {
    const done = await whileMigrating(connection, async () => {
      await checkServer(connection)
      const { pending, isEmpty } = await readSchema(connection)
      if (!isEmpty && pending.length > 0) throw new DatabaseError(`${locationOf(target)} is not empty.`)
      const receiving: TargetDatabase = {
        isEmpty,
        insert: (table, rows) => insertAll(connection, table, rows),
        rowsOf: table => readAll(connection, table),
      }
      return whileAlone(connection, () =>
        inTransaction(connection, () =>
          isEmpty ? fillEmpty(connection, tables, now, () => work(receiving)) : work(receiving),
        ),
      )
    })
    if (done === null) {
      throw new DatabaseError(`Another process is using ${locationOf(target)}. Stop it first.`)
    }
  } finally {
    // If nothing was committed, the server rolls back.
    await connection.close()
  }
}
