import { DatabaseError } from '../engine.ts'
import { type Connection, LOCK_WAIT_MS } from './connection.ts'

/** Numbers of Florin's advisory locks. Other programs are unlikely to use the same ones. */
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
 * Max wait of a probe for a table lock. It is longer than a migration that expands the schema blocks writes,
 * and shorter than `/readyz` waits.
 */
const PROBE_MS = 2000

/**
 * First statements of a write. LOCK TABLE comes before the first read, so that a write that had to wait sees
 * what was stored meanwhile. On PostgreSQL, the table `commits` serves only for these locks.
 */
export const begin = {
  /** Runs alongside other writes. The server aborts it if the result could differ from a serial execution. */
  beside: 'BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE commits IN ROW EXCLUSIVE MODE',
  /** Waits for all running writes, and blocks all others. */
  alone: 'BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE commits IN EXCLUSIVE MODE',
  /** Runs alongside other writes, for statements that each lock the rows they change. */
  byRow: 'BEGIN ISOLATION LEVEL READ COMMITTED; LOCK TABLE commits IN ROW EXCLUSIVE MODE',
} as const

/**
 * Takes the lock for adding up statistics, until the transaction ends. Returns false if another process holds
 * it.
 */
export async function lockFold(connection: Connection): Promise<boolean> {
  const [row] = await connection.rows(`SELECT pg_try_advisory_xact_lock(${locks.fold}) AS taken`)
  return row?.taken === true
}

/** Marks the database as used by this process, until the connection ends. */
export async function lockShared(connection: Connection): Promise<void> {
  await connection.script(`SELECT pg_advisory_lock_shared(${locks.use})`)
}

/** Counts this process as a server, until the connection ends. */
export async function lockServing(connection: Connection): Promise<void> {
  await connection.script(`SELECT pg_advisory_lock_shared(${locks.serve})`)
}

/** Returns the number of processes that count as servers. */
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
 * Runs work that depends on the schema, in one process at a time. Polls for the lock, because an index build
 * would wait for each session that waits for a lock in the database.
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
 * Takes the lock of the sandbox. Returns false if another server holds it. Only one server may use a sandbox,
 * because a part of its state is not in the database.
 */
export const lockSandbox = (connection: Connection): Promise<boolean> => tryLock(connection, locks.sandbox)

/** Runs work while no other process uses the database. If one does, returns null without running it. */
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

/** Lock modes that block writes to a table. */
const BLOCKING = "('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')"

/** Describes the session that has locked a table for longest; null if no session has. */
export async function findBlocker(connection: Connection): Promise<string | null> {
  const [row] = await connection.rows(
    `SELECT l.pid, l.relation::regclass::text AS table, a.usename AS name, a.application_name AS program,
       floor(extract(epoch FROM clock_timestamp() - a.xact_start))::int AS seconds
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'relation' AND l.granted AND l.mode IN ${BLOCKING} AND l.pid <> pg_backend_pid()
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY a.xact_start LIMIT 1`,
  )
  if (!row) return null
  const program = row.program ? ` with ${row.program}` : ''
  // The server hides from other users when a session began.
  const since = row.seconds === null ? '' : ` for ${row.seconds} s`
  return (
    `the table ${row.table} has been locked by session ${row.pid} of user ${row.name}${program}${since}. ` +
    `Wait for it, or end it: SELECT pg_terminate_backend(${row.pid})`
  )
}

/** Throws if orders cannot be written because another session has locked their table for some time. */
export async function probeOrders(connection: Connection): Promise<void> {
  await connection.script(
    [
      `SET LOCAL lock_timeout = ${PROBE_MS}`,
      'LOCK TABLE orders IN ROW EXCLUSIVE MODE',
      `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`,
    ].join('; '),
  )
}
