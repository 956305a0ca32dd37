import { DatabaseError } from '../engine.ts'
import type { Connection } from './connection.ts'

/** Numbers of advisory locks of the database. Other programs are unlikely to use the same. */
const locks = {
  fold: 70_110_114_001,
  use: 70_110_114_002,
  migrate: 70_110_114_003,
  sandbox: 70_110_114_004,
  serve: 70_110_114_005,
}

const MIGRATE_MS = 60_000
const MIGRATE_PAUSE_MS = 50

/**
 * How a write begins. LOCK TABLE comes before the first look at the data, so a write that has waited sees
 * what was stored meanwhile. The table has one row, which PostgreSQL does not use.
 */
export const begin = {
  /** Runs beside others. The server ends it if the result could differ from running one after another. */
  beside: 'BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE commits IN ROW EXCLUSIVE MODE',
  /** Waits for all that run, and lets none begin. */
  alone: 'BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE commits IN EXCLUSIVE MODE',
  /** Runs beside others, for statements that each lock the rows they change. */
  byRow: 'BEGIN ISOLATION LEVEL READ COMMITTED; LOCK TABLE commits IN ROW EXCLUSIVE MODE',
} as const

/** Takes the lock for adding up statistics, until the transaction ends. False if it is held. */
export async function lockFold(connection: Connection): Promise<boolean> {
  const [row] = await connection.rows(`SELECT pg_try_advisory_xact_lock(${locks.fold}) AS taken`)
  return row?.taken === true
}

/** Says that this process uses the database, until the connection ends. */
export async function lockShared(connection: Connection): Promise<void> {
  await connection.script(`SELECT pg_advisory_lock_shared(${locks.use})`)
}

/** Counts this process as a server, until the connection ends. */
export async function lockServing(connection: Connection): Promise<void> {
  await connection.script(`SELECT pg_advisory_lock_shared(${locks.serve})`)
}

/** How many processes count as servers. */
export async function countServing(connection: Connection): Promise<number> {
  const [row] = await connection.rows(
    `SELECT count(*)::int AS count FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = ${locks.serve}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  return Number(row?.count)
}

async function tryLock(connection: Connection, lock: number): Promise<boolean> {
  const [row] = await connection.rows(`SELECT pg_try_advisory_lock(${lock}) AS taken`)
  return row?.taken === true
}

/**
 * Runs work that decides what the schema is, one process after another. It asks again instead of waiting in
 * the database: an index that is being built would wait for the one who waits.
 */
export async function whileMigrating<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + MIGRATE_MS
  while (!(await tryLock(connection, locks.migrate))) {
    if (performance.now() > giveUpAt) {
      throw new DatabaseError(
        'Another process has been migrating the database for a while. Wait until it is done, then try again.',
      )
    }
    await Bun.sleep(MIGRATE_PAUSE_MS)
  }
  try {
    return await work()
  } finally {
    if (!connection.isLost()) await connection.script(`SELECT pg_advisory_unlock(${locks.migrate})`)
  }
}

/**
 * A sandbox keeps a part of its state outside the database, so it has one server. Returns false if there is
 * another one.
 */
export const lockSandbox = (connection: Connection): Promise<boolean> => tryLock(connection, locks.sandbox)

/** Runs work while no other process uses the database. Returns null, and does nothing, if one does. */
export async function whileAlone<T>(
  connection: Connection,
  work: () => Promise<T>,
): Promise<{ value: T } | null> {
  if (!(await tryLock(connection, locks.use))) return null
  try {
    return { value: await work() }
  } finally {
    if (!connection.isLost()) await connection.script(`SELECT pg_advisory_unlock(${locks.use})`)
  }
}
