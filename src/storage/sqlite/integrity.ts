import { Database } from 'bun:sqlite'
import { isDamage } from './files.ts'
import { DatabaseError, pendingMigrations } from './migrate.ts'

/** What a whole database holds. */
export interface Content {
  orders: number
  /** the newest one that was applied */
  migration: string
  /** how many this program would still apply */
  pendingMigrations: number
}

/** What is damaged in an open database, in the words of SQLite; null for nothing. Reads all of it. */
export function damageOf(database: Database): string | null {
  const faults = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check(3)').all()
  if (faults[0]?.integrity_check !== 'ok') return faults.map(row => row.integrity_check).join('; ')
  const orphans = database.query('PRAGMA foreign_key_check').all().length
  return orphans > 0 ? `${orphans} rows refer to rows that are not there` : null
}

/**
 * Reads a database file through that nobody else has open, and makes it one that needs nothing beside it.
 * Throws a DatabaseFault, which tells of it by the name, where it is damaged, foreign or of a newer Florin.
 */
export function examine(file: string, name: string): Content {
  const database = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    database.run('PRAGMA journal_mode = DELETE')
    const damage = damageOf(database)
    if (damage) throw new DatabaseError(`${name} is damaged (${damage}).`)
    const content = contentOf(database)
    if (content) return content
    throw new DatabaseError(`${name} is no database of Florin.`)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new DatabaseError(`${name} is damaged or is no SQLite database (${(error as Error).message}).`)
  } finally {
    database.close()
  }
}

function contentOf(database: Database): Content | null {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE name IN ('migrations', 'orders')")
    .all()
  if (tables.length < 2) return null
  const pending = pendingMigrations(database).length
  const [last] = database.query<{ name: string }, []>('SELECT MAX(name) AS name FROM migrations').all()
  const [counted] = database.query<{ orders: number }, []>('SELECT COUNT(*) AS orders FROM orders').all()
  if (!last?.name || !counted) return null
  return { orders: counted.orders, migration: last.name, pendingMigrations: pending }
}
