import { Database } from 'bun:sqlite'
import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError } from '../engine.ts'
import type { CopiedRow, CopiedTable } from '../table-copy.ts'
import { removeNote } from './commit-note.ts'
import { fileTimestamp, syncDirectory } from './files.ts'
import { findDamage } from './integrity.ts'
import { lockExclusive } from './lock.ts'
import { MOVED, movedText } from './loss.ts'
import { readSchema } from './migrate.ts'
import { leaveWalMode } from './restore.ts'

/** A database file whose rows are copied elsewhere. No other process can open it meanwhile. */
interface MovingFile {
  tables: CopiedTable[]
  rowsOf(table: CopiedTable): AsyncIterable<CopiedRow>
  /** Renames the file, so that no server uses it any more. Returns the new name. */
  moveAway(now: number): string
  close(): void
}

const columnsOf = (database: Database, table: string) =>
  database.query<{ name: string; pk: number }, []>(`SELECT name, pk FROM pragma_table_info('${table}')`).all()

/** Returns all tables except the list of migrations, because the other database has its own. */
function tablesOf(database: Database): CopiedTable[] {
  const names = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()
    .flatMap(({ name }) => (name === 'migrations' ? [] : name))
  return names.map(name => {
    const columns = columnsOf(database, name)
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    return { name, columns: columns.map(column => column.name), key: key.map(column => column.name) }
  })
}

function check(database: Database, file: string): void {
  const { pending, newer } = readSchema(database)
  if (pending.length > 0) {
    throw new DatabaseError(`${file} is of an older version of Florin. Run florin migrate first.`)
  }
  if (newer.length > 0) {
    throw new DatabaseError(
      `${file} has migrations of a newer version of Florin (${newer.join(', ')}). Move it with that version.`,
    )
  }
  const damage = findDamage(database)
  if (damage) throw new DatabaseError(`${file} is damaged: ${damage}. Restore a backup first.`)
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join()

/** Opens a database file to copy its rows. Throws a DatabaseError if it is missing, damaged or in use. */
export function openMovingFile(file: string): MovingFile {
  if (!existsSync(file)) {
    throw new DatabaseError(movedText(file) ?? `No database at ${file}. Check FLORIN_DATA_DIR.`)
  }
  const unlock = lockExclusive(dirname(file))
  if (!unlock) throw new DatabaseError(`A server or another command is using ${file}. Stop it first.`)
  let database: Database | null = null
  try {
    leaveWalMode(file)
    database = new Database(file, { readonly: true, strict: true })
    check(database, file)
    return movingFile(database, file, unlock)
  } catch (error) {
    database?.close()
    unlock()
    throw error
  }
}

const movingFile = (database: Database, file: string, unlock: () => void): MovingFile => ({
  tables: tablesOf(database),
  async *rowsOf({ name, columns, key }) {
    const query = `SELECT ${quoted(columns)} FROM "${name}" ORDER BY ${quoted(key)}`
    const statement = database.prepare<Record<string, CopiedRow[number]>, []>(query)
    for (const row of statement.iterate()) yield columns.map(column => row[column] ?? null)
  },
  moveAway(now) {
    const name = `${file}.${MOVED}-${fileTimestamp(now)}`
    renameSync(file, name)
    removeNote(file)
    syncDirectory(dirname(file))
    return name
  },
  close() {
    database.close()
    unlock()
  },
})
