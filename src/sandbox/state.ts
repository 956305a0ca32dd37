import { Database } from 'bun:sqlite'
import { Refusal } from '../domain/errors.ts'

const RETRY_SECONDS = 30

/** The state of the simulated upstreams. It is in a separate file, so that it survives a restart. */
export interface State {
  get<T>(kind: string, id: string): T | null
  put(kind: string, id: string, value: unknown): void
  list<T>(kind: string): T[]
  remove(kind: string, id: string): void
}

/** Runs a write. On a full or read-only disk the caller may try again, as with the database of the shop. */
function write(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!/^SQLITE_(FULL|IOERR|READONLY)/.test(String((error as { code?: unknown }).code))) throw error
    throw new Refusal('storage_unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS })
  }
}

export function openState(file: string): State & { close(): void } {
  const database = new Database(file, { create: true, strict: true })
  database.run('PRAGMA journal_mode = WAL')
  database.run('PRAGMA synchronous = NORMAL')
  database.run(
    'CREATE TABLE IF NOT EXISTS state (kind TEXT, id TEXT, value TEXT, PRIMARY KEY (kind, id)) STRICT',
  )
  const find = database.query<{ value: string }, [string, string]>(
    'SELECT value FROM state WHERE kind = ? AND id = ?',
  )
  const all = database.query<{ value: string }, [string]>(
    'SELECT value FROM state WHERE kind = ? ORDER BY rowid',
  )
  const upsert = database.query<null, [string, string, string]>(
    'INSERT INTO state VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const erase = database.query<null, [string, string]>('DELETE FROM state WHERE kind = ? AND id = ?')
  return {
    get: (kind, id) => {
      const row = find.get(kind, id)
      return row ? JSON.parse(row.value) : null
    },
    put: (kind, id, value) => {
      write(() => upsert.run(kind, id, JSON.stringify(value)))
    },
    list: kind => all.all(kind).map(row => JSON.parse(row.value)),
    remove: (kind, id) => {
      write(() => erase.run(kind, id))
    },
    close: () => database.close(),
  }
}
