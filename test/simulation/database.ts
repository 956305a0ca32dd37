import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeNote } from '../../src/storage/sqlite/commit-note.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'

const MEMORY = '/dev/shm'

/** Creates a folder for the database, in memory if the system has such a folder. */
export function makeDataDir() {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'florin-simulation-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns a function that replaces the database by a new one, without running the migrations again. */
export async function databaseTemplate(folder: string, now: number): Promise<() => void> {
  const file = databaseFile(folder)
  await openStorage(file, now).close()
  const bytes = readFileSync(file)
  return () => {
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    // The commit note belongs to the replaced database.
    removeNote(file)
    writeFileSync(file, bytes)
  }
}

/** What is stored about the orders, read without the code that wrote it. */
export interface StoredRows {
  orders: { id: string; status: string }[]
  payments: {
    id: string
    attempt_id: string
    asset_id: string
    amount_atomic: string
    state: string
    settles: number
    is_unmatched: number
  }[]
}

export function readRows(folder: string): StoredRows {
  const database = new Database(databaseFile(folder), { readonly: true })
  try {
    return {
      orders: database.query<StoredRows['orders'][number], []>('SELECT id, status FROM orders').all(),
      payments: database
        .query<StoredRows['payments'][number], []>(
          `SELECT id, attempt_id, asset_id, amount_atomic, state, settles, EXISTS (SELECT 1 FROM unmatched_payments u
           WHERE u.incoming_payment_id = incoming_payments.id AND u.status = 'open') is_unmatched FROM incoming_payments`,
        )
        .all(),
    }
  } finally {
    database.close()
  }
}
