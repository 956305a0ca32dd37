import { Database, SQLiteError } from 'bun:sqlite'
import { type DatabaseContent, DatabaseError, type DatabaseState } from '../engine.ts'
import { findMissingCommits, readNote } from './commit-note.ts'
import { isDamage, isFile } from './files.ts'
import { lossOf } from './loss.ts'
import { pendingMigrations, readSchema } from './migrate.ts'
import { readMode } from './mode.ts'

const BUSY_TIMEOUT_MS = 5000

/** Tables, and the column with the time at which a row was last written. */
const writtenAt = [
  ['migrations', 'applied_at'],
  ['merchants', 'updated_at'],
  ['keys', 'created_at'],
  ['orders', 'updated_at'],
  ['attempts', 'updated_at'],
  ['incoming_payments', 'updated_at'],
  ['events', 'created_at'],
  ['deliveries', 'updated_at'],
] as const

/**
 * Finds inner pages without cells and children. SQLite's own check takes such a page for an empty table or
 * index, but the first row that is written there fails.
 */
const emptyRoots =
  "SELECT name FROM dbstat WHERE path = '/' AND pageno > 1 AND pagetype = 'internal' AND ncell = 0"

/** Puts SQLite's report on one line. It has a heading, and a line for each page. */
const inOneLine = (report: string): string =>
  report.replace('*** in database main ***\n', '').trim().replaceAll('\n', '; ')

/**
 * Reads rows with a statement that is used only once. `query` would keep it in memory: a check of the whole
 * database takes 600 KB.
 */
function readOnce<Row>(database: Database, sql: string): Row[] {
  const statement = database.prepare<Row, []>(sql)
  try {
    return statement.all()
  } finally {
    statement.finalize()
  }
}

/** Returns the findings of SQLite's own check: "ok", or the faults. */
function checkIntegrity(database: Database): string[] {
  try {
    const rows = readOnce<{ integrity_check: string }>(database, 'PRAGMA integrity_check(3)')
    return rows.map(({ integrity_check: text }) => text)
  } catch (error) {
    // A damaged constraint of a table cannot be compiled, so the check does not even begin.
    if (error instanceof SQLiteError && error.code === 'SQLITE_ERROR') return [error.message]
    throw error
  }
}

/** Reads a whole open database. Returns a description of its damage; null if there is none. */
export function findDamage(database: Database): string | null {
  const problems = checkIntegrity(database)
  if (problems[0] !== 'ok') return problems.map(inOneLine).join('; ')
  const broken = readOnce<{ name: string }>(database, emptyRoots)
  if (broken.length > 0) return `roots without content: ${broken.map(({ name }) => name).join(', ')}`
  const orphans = readOnce(database, 'PRAGMA foreign_key_check').length
  return orphans > 0 ? `rows with missing references: ${orphans}` : null
}

/** Describes a database file without changing or migrating it. */
export function readState(file: string): DatabaseState {
  const loss = lossOf(file)
  if (loss) return { kind: 'refused', reason: loss }
  if (!isFile(file)) return { kind: 'absent' }
  const noted = readNote(file)
  try {
    const database = new Database(file, { readwrite: true, create: false, strict: true })
    try {
      database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      const damage = findDamage(database)
      if (damage) return { kind: 'damaged', reason: damage }
      const { pending, newer } = readSchema(database)
      const missing = findMissingCommits(database, file, noted)
      if (missing) return { kind: 'refused', ...missing }
      const newestAt = newestRowAt(database)
      const mode = readMode(database)
      return {
        kind: 'whole',
        pendingMigrations: pending.length,
        newerMigrations: newer,
        newestAt,
        clockAhead: null,
        mode,
      }
    } finally {
      database.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isDamage(error)) return { kind: 'damaged', reason }
    return {
      kind: 'refused',
      reason: error instanceof DatabaseError ? reason : `Cannot read ${file}: ${reason}`,
    }
  }
}

function newestRowAt(database: Database): number | null {
  const instants = writtenAt.flatMap(([table, column]) => {
    const exists = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").all(table)
    if (exists.length === 0) return []
    const [row] = database.query<{ at: number | null }, []>(`SELECT MAX(${column}) AS at FROM ${table}`).all()
    return row?.at ?? []
  })
  return instants.length > 0 ? Math.max(...instants) : null
}

/**
 * Describes a database file that is not in use. Leaves WAL mode, so that the database is a single file.
 * Throws a DatabaseError, which calls the file `name`, if it belongs to another program, is too new or cannot
 * be read. `check` is called for a database of Florin without damage, before its rows are read; it may throw
 * to refuse the file.
 */
export function describeFile(
  file: string,
  name: string,
  check: () => void = () => {},
): DatabaseContent & { damage: string | null } {
  const database = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    database.run('PRAGMA journal_mode = DELETE')
    const damage = findDamage(database)
    if (damage === null && hasFlorinTables(database)) check()
    const content = readContent(database)
    if (content) return { ...content, damage }
    throw new DatabaseError(`${name} is not a Florin database.`)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new DatabaseError(`${name} is damaged or is not a SQLite database (${(error as Error).message}).`)
  } finally {
    database.close()
  }
}

/** Like `describeFile`, but throws if the file is damaged. */
export function verifyFile(file: string, name: string, check?: () => void): DatabaseContent {
  const { damage, ...content } = describeFile(file, name, check)
  if (damage === null) return content
  throw new DatabaseError(`${name} is damaged (${damage}).`)
}

function hasFlorinTables(database: Database): boolean {
  const tables = database.query("SELECT 1 FROM sqlite_master WHERE name IN ('migrations', 'orders')").all()
  return tables.length >= 2
}

function readContent(database: Database): DatabaseContent | null {
  if (!hasFlorinTables(database)) return null
  const pending = pendingMigrations(database).length
  const [last] = database.query<{ name: string }, []>('SELECT MAX(name) AS name FROM migrations').all()
  const [counted] = database.query<{ orders: number }, []>('SELECT COUNT(*) AS orders FROM orders').all()
  if (!last?.name || !counted) return null
  return { orders: counted.orders, migration: last.name, pendingMigrations: pending }
}
