import { Database } from 'bun:sqlite'
import { isDamage, isFile } from './files.ts'
import { damageOf } from './integrity.ts'
import { DatabaseError, pendingMigrations } from './migrate.ts'

const BUSY_TIMEOUT_MS = 5000

export type Condition =
  | { kind: 'absent' }
  | { kind: 'damaged' | 'refused'; words: string }
  | { kind: 'whole'; pendingMigrations: number; newestAt: number | null }

/** Every instant at which a row was last written. */
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

/** What a database file is like. Changes nothing in it, and migrates nothing. */
export function conditionOf(file: string): Condition {
  if (!isFile(file)) return { kind: 'absent' }
  try {
    const database = new Database(file, { readwrite: true, create: false, strict: true })
    try {
      database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      const damage = damageOf(database)
      if (damage) return { kind: 'damaged', words: damage }
      const pending = pendingMigrations(database).length
      return { kind: 'whole', pendingMigrations: pending, newestAt: newestOf(database) }
    } finally {
      database.close()
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    if (isDamage(error)) return { kind: 'damaged', words }
    return {
      kind: 'refused',
      words: error instanceof DatabaseError ? words : `${file} cannot be read: ${words}`,
    }
  }
}

function newestOf(database: Database): number | null {
  const instants = writtenAt.flatMap(([table, column]) => {
    const isThere = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").all(table)
    if (isThere.length === 0) return []
    const [row] = database.query<{ at: number | null }, []>(`SELECT MAX(${column}) AS at FROM ${table}`).all()
    return row?.at ?? []
  })
  return instants.length > 0 ? Math.max(...instants) : null
}
