import { Database } from 'bun:sqlite'
import { dirname, join } from 'node:path'
import { DatabaseError, type DatabaseUse, type OpenHooks, type StorageHooks } from '../engine.ts'
import { retryLostRaces, StorageGuard } from '../guard.ts'
import type { KeyWithMerchant, Storage, Tables } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { readTablesOf, writeTablesOf } from '../tables/index.ts'
import { WriteGroup } from '../tables/write-group.ts'
import { SqliteChanges } from './change-source.ts'
import { CommitNote } from './commit-note.ts'
import { findDamage } from './integrity.ts'
import { KeptRows } from './kept-rows.ts'
import { lockServer } from './lock.ts'
import { openDatabase } from './opening.ts'
import { probe } from './probe.ts'
import { Reader } from './reader.ts'
import { queryBuilder } from './session.ts'
import { explainUnavailable } from './unavailable.ts'
import { Writer } from './writer.ts'

const BUSY_TIMEOUT_MS = 5000

export const databaseFile = (dataDir: string): string => join(dataDir, 'florin.sqlite')

function openReader(file: string): Database {
  const database = new Database(file, { readonly: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return database
}

const noHooks: Required<Omit<StorageHooks, 'ownClock'>> = {
  onScheduled() {},
  onSlow() {},
  onCommit() {},
  observe: tables => ({ tables, begin() {}, end: () => () => {} }),
}

/** The tables of the writing connection, and its writer. */
function openWriter(writing: Database, file: string, hooks: typeof noHooks) {
  const { onCommit, observe, onScheduled } = hooks
  const note = new CommitNote(writing, file)
  const group = new WriteGroup()
  const kept = new KeptRows(writing)
  const dataVersion = writing.prepare<{ data_version: number }, []>('PRAGMA data_version')
  let scheduledAt = Number.POSITIVE_INFINITY
  const tables = writeTablesOf(queryBuilder(writing), {
    onScheduled(dueAt) {
      scheduledAt = Math.min(scheduledAt, dueAt)
    },
    onChanged: name => kept.changed(name),
    group,
  })
  const writer = new Writer(writing, {
    begin() {
      group.begin(dataVersion.get()?.data_version)
      note.begin()
    },
    end(isKept) {
      group.end(isKept)
      note.end(isKept)
    },
    async beforeCommit() {
      await tables.statistics.flush()
      note.count()
    },
    afterCommit(ms) {
      note.write()
      group.committed()
      kept.committed()
      onCommit(ms)
    },
    close: () => note.close(),
  })
  function reportScheduled(): void {
    if (scheduledAt === Number.POSITIVE_INFINITY) return
    const dueAt = scheduledAt
    scheduledAt = Number.POSITIVE_INFINITY
    onScheduled(dueAt)
  }
  return { writer, kept, observer: observe(tables), reportScheduled }
}

function emptyWal(database: Database): void {
  try {
    // Another process may read for as long as it runs.
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A full or read-only disk. The WAL stays, and the next process reads it.
  }
}

function startReplica(file: string, writing: Database, start: NonNullable<OpenHooks['replicate']>) {
  const source = new SqliteChanges(file, writing)
  const sink = start(source)
  return {
    async stop() {
      await sink.stop()
      source.stop()
    },
    close: () => source.close(),
  }
}

/** Opens the database file. Throws a DatabaseError for a file that is damaged, foreign or too new. */
export function openStorage(
  file: string,
  now: number,
  hooks: OpenHooks = {},
  use: DatabaseUse = { as: 'command', mayCreate: true },
): Storage {
  const given = { ...noHooks, ...hooks }
  const { writing, release } = explainOpening(file, () => openDatabase(file, now, use))
  const reading = openReader(file)
  const { writer, kept, observer, reportScheduled } = openWriter(writing, file, given)
  const replica = hooks.replicate && startReplica(file, writing, hooks.replicate)
  const reader = new Reader(reading)
  const guard = new StorageGuard(given.onSlow)
  const tablesForWrite = revocableTables(observer.tables)
  const tablesForRead = revocableTables(readTablesOf(queryBuilder(reading)))
  async function read<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const calledFrom = new Error()
    guard.assertMayBegin('A read')
    const run = () => guard.run('read', calledFrom, check => work(tablesForRead(check)))
    return explainUnavailable(() => reader.read(run))
  }
  const remember: Storage['remember'] = (names, key, work) => {
    guard.assertMayBegin('A read')
    return kept.find(names, key, () => read(work))
  }
  async function write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const calledFrom = new Error()
    guard.assertMayBegin('A write')
    let onStored = () => {}
    const run = () =>
      guard.run('write', calledFrom, async check => {
        observer.begin()
        const value = await work(tablesForWrite(check))
        onStored = observer.end()
        return value
      })
    const value = await explainUnavailable(() => retryLostRaces(() => writer.write(run)))
    onStored()
    reportScheduled()
    return value
  }
  return {
    isShared: false,
    read,
    remember,
    findKey: id => remember(['keys', 'merchants'], `key ${id}`, tables => findKey(tables, id)),
    write,
    claimJobs: (...due) => write(tables => tables.jobs.claim(...due)),
    extendJobs: (leases, leaseUntil) => write(tables => tables.jobs.extend(leases, leaseUntil)),
    clockAhead: () => 0,
    servers: () => 1,
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertMayBegin('A check')
      await explainUnavailable(() => writer.write(async () => probe(writing)))
    },
    async inspect() {
      guard.assertMayBegin('An inspection')
      return reader.read(async () => findDamage(reading))
    },
    async compact() {
      guard.assertMayBegin('A rewrite')
      return compact(file, writing, writer)
    },
    async close() {
      guard.close()
      await writer.close()
      await reader.close()
      await replica?.stop()
      emptyWal(writing)
      writing.close()
      replica?.close()
      release()
    },
  }
}

async function findKey(
  tables: Pick<Tables, 'keys' | 'merchants'>,
  id: string,
): Promise<KeyWithMerchant | null> {
  const key = await tables.keys.find(id)
  return key && { key, merchant: await tables.merchants.find(key.merchantId) }
}

export function explainOpening<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (/not a database|malformed|corrupt/.test(message)) {
      throw new DatabaseError(
        `${file} is damaged or is not a SQLite database (${message}). Restore a backup.`,
      )
    }
    throw new DatabaseError(`Cannot open ${file}: ${message}`)
  }
}

/** Rewrites the database file and empties its WAL. Returns false if a server is running. */
async function compact(file: string, database: Database, writer: Writer): Promise<boolean> {
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
