import { DatabaseError, type DatabaseMode, type DatabaseUse } from '../engine.ts'
import type { Migration } from '../migrations.ts'
import { checkClock } from './clock.ts'
import { type Connection, connect } from './connection.ts'
import { expand } from './expand.ts'
import { connectFirst } from './first-connection.ts'
import { lockSandbox, lockShared, whileAlone, whileMigrating } from './locks.ts'
import { applyMigrations, checkSchema, readSchema } from './migrate.ts'
import type { Target } from './socket.ts'

const VERSION_MIN = 150_000

/** Returns the hosts and the name of a database, without the user and the password. */
export function locationOf({ hosts, database }: Target): string {
  const names = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  return `postgres://${names.join()}/${database}`
}

const descriptions: Record<DatabaseMode, string> = {
  sandbox: 'is a database of the sandbox, whose payments are simulated. Set FLORIN_SANDBOX=true',
  live: 'is a live database, whose payments are real. Unset FLORIN_SANDBOX',
}

/** Throws a DatabaseError if Florin cannot use the server or the database. */
export async function checkServer(connection: Connection): Promise<void> {
  const [row] = await connection.rows(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  )
  if (Number(row?.version) < VERSION_MIN) {
    throw new DatabaseError('The server is older than PostgreSQL 15. Update it, or use another server.')
  }
  if (row?.encoding !== 'UTF8') {
    const remedy = "Create one with ENCODING 'UTF8' TEMPLATE template0, and set FLORIN_DATABASE_URL to it."
    throw new DatabaseError(`The database has the encoding ${row?.encoding}, not UTF8. ${remedy}`)
  }
}

/** Returns the mode of a database; null if no server has used it. */
export async function readMode(connection: Connection): Promise<DatabaseMode | null> {
  const [found] = await connection.rows("SELECT to_regclass('installation') IS NOT NULL AS exists")
  if (!found?.exists) return null
  const [row] = await connection.rows('SELECT mode FROM installation')
  return (row?.mode as DatabaseMode | undefined) ?? null
}

async function checkMode(connection: Connection, target: Target, mode: DatabaseMode): Promise<void> {
  const decided = await readMode(connection)
  if (decided === null || decided === mode) return
  const other = 'or set FLORIN_DATABASE_URL to another database'
  throw new DatabaseError(`${locationOf(target)} ${descriptions[decided]}, ${other}.`)
}

async function decideMode(connection: Connection, mode: DatabaseMode, now: number): Promise<void> {
  await connection.rows(
    'INSERT INTO installation (id, mode, decided_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING',
    [mode, now],
  )
}

/**
 * Applies pending migrations. If all of them only expand the schema, other servers may use the database
 * meanwhile; otherwise throws a DatabaseError if one does.
 */
export async function migrate(connection: Connection, now: number): Promise<string[]> {
  const { pending } = await readSchema(connection)
  if (pending.length === 0) return []
  if (pending.every(({ expands }) => expands)) return expand(connection, pending, now)
  const done = await whileAlone(connection, () => applyMigrations(connection, pending, now))
  if (done) return done.value
  throw new DatabaseError(
    'The database has to be migrated, but another process is using it, and ' +
      `${changing(pending)} changes what older versions use. ` +
      'Stop all servers that use the database, then start this version.',
  )
}

async function prepare(connection: Connection, target: Target, now: number, use: DatabaseUse): Promise<void> {
  await checkServer(connection)
  if (use.as === 'server') await checkClock(connection)
  const { pending, isEmpty } = await readSchema(connection)
  if (use.as === 'server') await checkMode(connection, target, use.mode)
  if (use.as === 'command' && pending.length > 0 && !(isEmpty && use.mayCreate)) {
    if (isEmpty) {
      const remedy = 'Check FLORIN_DATABASE_URL, or create the first merchant: florin merchant create.'
      throw new DatabaseError(`${locationOf(target)} is empty. ${remedy}`)
    }
    throw new DatabaseError(
      `The database needs migrations of this version of Florin: ${pending.length}. ` +
        `${pending.every(({ expands }) => expands) ? 'Run' : 'Stop the servers, then run'} florin migrate, ` +
        'or start a server with this version.',
    )
  }
  await migrate(connection, now)
  if (use.as === 'server') await decideMode(connection, use.mode, now)
  await lockShared(connection)
}

const changing = (pending: Migration[]): string =>
  pending.find(({ expands }) => !expands)?.name ?? 'a migration'

/**
 * Opens another connection to a database that may have been migrated meanwhile. If `holds` is true, no
 * process can apply a migration that this version cannot work with until the connection ends.
 */
export async function connectAgain(target: Target, holds: boolean): Promise<Connection> {
  const connection = await connect(target)
  try {
    if (holds) await lockShared(connection)
    await checkSchema(connection)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/**
 * Connects to the database, and creates or migrates it if the use allows that. No other process can apply a
 * migration that this version cannot work with until the connection ends.
 */
export async function openDatabase(target: Target, now: number, use: DatabaseUse): Promise<Connection> {
  // Unlimited, because a migration may take any time.
  const connection = await connectFirst(target, { answerMs: Number.POSITIVE_INFINITY })
  try {
    await whileMigrating(connection, () => prepare(connection, target, now, use))
    if (use.as === 'server' && use.mode === 'sandbox' && !(await lockSandbox(connection))) {
      throw new DatabaseError(
        `A server is already running with the sandbox of ${locationOf(target)}. ` +
          'Stop it first, or set FLORIN_DATABASE_URL to another database.',
      )
    }
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
