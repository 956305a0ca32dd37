import type { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { lockServer } from './lock.ts'
import type { Writer } from './writer.ts'

/** Rewrites the database file and empties its WAL. Returns false if a server is running. */
export async function compact(file: string, database: Database, writer: Writer): Promise<boolean> {
  // The server itself asks, too, and would stand still while it waits for its own lock.
  const unlock = lockServer(dirname(file), 0)
  if (!unlock) return false
  try {
    await writer.idle()
    database.run('VACUUM')
    const [result] = database.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').all()
    return result?.busy === 0
  } finally {
    unlock()
  }
}
