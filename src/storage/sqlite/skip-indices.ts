import { Database } from 'bun:sqlite'
import { hasHeader, isFile } from './files.ts'

/** More addresses than a shop gives out between two backups. */
const SKIPPED_INDICES = 1000

/** Where an account or a view key gives out its next address, by the source. */
type NextIndices = Map<string, number>

const hasSources = (database: Database): boolean =>
  database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'address_sources'").get() !==
  null

function readIndices(database: Database): NextIndices {
  if (!hasSources(database)) return new Map()
  const rows = database
    .query<{ id: string; next_index: number }, []>(
      "SELECT id, next_index FROM address_sources WHERE kind <> 'pool'",
    )
    .all()
  return new Map(rows.map(({ id, next_index }) => [id, next_index]))
}

/** Of the database that a restore replaces. One that is missing or damaged says nothing. */
function readReplaced(file: string): NextIndices {
  if (!isFile(file) || !hasHeader(file)) return new Map()
  try {
    const database = new Database(file, { readonly: true })
    try {
      return readIndices(database)
    } finally {
      database.close()
    }
  } catch {
    return new Map()
  }
}

/**
 * Moves each account and view key of a restored copy past the addresses that may have been given out after
 * the backup: a buyer may still pay to them. Returns how many were moved.
 */
export function skipIndices(copy: string, replaced: string): number {
  const newer = readReplaced(replaced)
  const database = new Database(copy, { readwrite: true, create: false })
  try {
    const indices = readIndices(database)
    const update = database.query('UPDATE address_sources SET next_index = ? WHERE id = ?')
    database.transaction(() => {
      for (const [id, index] of indices) update.run(Math.max(index, newer.get(id) ?? 0) + SKIPPED_INDICES, id)
    })()
    return indices.size
  } finally {
    database.close()
  }
}
