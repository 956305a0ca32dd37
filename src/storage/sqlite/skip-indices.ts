import { Database } from 'bun:sqlite'
import { hasHeader, isFile } from './files.ts'

/** Number of addresses to skip: more than a shop allocates between two backups. */
const SKIPPED_INDICES = 1000

interface GivenAddress {
  network: string
  address: string
  attempt_id: string
  allocated_at: number
}

interface AllocatedAddresses {
  /** next address index of an account or view key, by source */
  nextIndices: Map<string, number>
  /** allocated addresses of pools */
  pooled: GivenAddress[]
}

const hasSources = (database: Database): boolean =>
  database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'address_sources'").get() !==
  null

function readGiven(database: Database): AllocatedAddresses {
  if (!hasSources(database)) return { nextIndices: new Map(), pooled: [] }
  const rows = database
    .query<{ id: string; next_index: number }, []>(
      "SELECT id, next_index FROM address_sources WHERE kind <> 'pool'",
    )
    .all()
  const pooled = database
    .query<GivenAddress, []>(
      `SELECT a.network, a.address, a.attempt_id, a.allocated_at FROM source_addresses a
       JOIN address_sources s ON s.id = a.source_id WHERE s.kind = 'pool' AND a.attempt_id IS NOT NULL`,
    )
    .all()
  return { nextIndices: new Map(rows.map(({ id, next_index }) => [id, next_index])), pooled }
}

/**
 * Reads the allocated addresses from the database that a restore replaces. Returns none if it is missing or
 * damaged.
 */
function readReplaced(file: string): AllocatedAddresses {
  const nothing = { nextIndices: new Map(), pooled: [] }
  if (!isFile(file) || !hasHeader(file)) return nothing
  try {
    const database = new Database(file, { readonly: true })
    try {
      return readGiven(database)
    } finally {
      database.close()
    }
  } catch {
    return nothing
  }
}

/**
 * Skips addresses that may have been allocated after the backup, because buyers may still pay to them.
 * Advances each account and view key of a restored copy past them, and marks addresses of pools as allocated
 * if they were allocated in the replaced database. Returns the number of advanced accounts and view keys.
 */
export function skipIndices(copy: string, replaced: string, now: number): number {
  const newer = readReplaced(replaced)
  const database = new Database(copy, { readwrite: true, create: false })
  try {
    const { nextIndices } = readGiven(database)
    const move = database.query('UPDATE address_sources SET next_index = ?, skipped_at = ? WHERE id = ?')
    const give = database.query(
      `UPDATE source_addresses SET attempt_id = ?, allocated_at = ?
       WHERE network = ? AND address = ? AND attempt_id IS NULL`,
    )
    database.transaction(() => {
      for (const [id, index] of nextIndices) {
        move.run(Math.max(index, newer.nextIndices.get(id) ?? 0) + SKIPPED_INDICES, now, id)
      }
      for (const { network, address, attempt_id, allocated_at } of newer.pooled) {
        give.run(attempt_id, allocated_at, network, address)
      }
    })()
    return nextIndices.size
  } finally {
    database.close()
  }
}
