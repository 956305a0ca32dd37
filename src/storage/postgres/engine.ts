import { type DatabaseEngine, DatabaseError, type DatabaseState } from '../engine.ts'
import { clockAhead } from './clock.ts'
import type { Connection } from './connection.ts'
import { describeFault, explainFaults } from './faults.ts'
import { connectFirst } from './first-connection.ts'
import { whileAlone, whileMigrating } from './locks.ts'
import { readSchema } from './migrate.ts'
import { openStorage } from './open.ts'
import { checkServer, locationOf, migrate, readMode } from './opening.ts'
import type { Target } from './socket.ts'

/**
 * Returns the engine of a database on a server. `unmoved` is the file of a shop that was not moved to the
 * server; null if there is none.
 */
export function postgresEngine(target: Target, unmoved: string | null = null): DatabaseEngine {
  const location = locationOf(target)
  let opened: Awaited<ReturnType<typeof openStorage>> | null = null
  async function connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await connectFirst(target, { answerMs: Number.POSITIVE_INFINITY })
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
  /**
   * Runs work on the open storage if there is one, because metrics ask every few seconds; otherwise connects.
   */
  const onAny = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    explainFaults(() => (opened ? opened.readOn(work) : connected(work)))
  return {
    location,
    isFile: false,
    open: (now, use, hooks) =>
      explainFaults(async () => {
        if (unmoved !== null) await connected(one => refuseUnmoved(one, unmoved))
        const storage = await openStorage(target, now, hooks, use)
        opened = storage
        return {
          ...storage,
          async close() {
            opened = null
            await storage.close()
          },
        }
      }),
    migrate: now =>
      explainFaults(() =>
        connected(async connection => {
          if (unmoved !== null) await refuseUnmoved(connection, unmoved)
          const migrations = await whileMigrating(connection, () =>
            migrateExisting(connection, location, now),
          )
          return { migrations, copy: null }
        }),
      ),
    copies: () => [],
    lastBackupAt: () => onAny(lastBackupAt),
    recordBackup: () => explainFaults(() => connected(recordBackup)),
    sizes: () => onAny(sizes),
    readState: () => connected(one => readState(one, unmoved)).catch(refused),
    isInUse: () =>
      connected(async connection => (await whileAlone(connection, async () => {})) === null).catch(
        () => false,
      ),
    backup: async () => refuseBackup(location),
    backUpInto: async () => refuseBackup(location),
    readBackups: () => ({
      ...{ madeAt: null, triedAt: null, problem: null, fault: null },
      ...{ trialAt: null, trialProblem: null, trialFault: null },
    }),
    listBackups: () => [],
    async restore() {
      const remedy =
        'Stop all servers, then run pg_restore into an empty database and set FLORIN_DATABASE_URL to it.'
      throw new DatabaseError(
        `florin restore reads a SQLite file, and the database is ${location}. ${remedy}`,
      )
    },
    undoMigration: async () => null,
  }
}

const unmovedShop = (file: string) => ({
  reason: `${file} holds a shop, but the database of FLORIN_DATABASE_URL is empty.`,
  remedy: `Run florin migrate-to to move it, or move ${file} away to begin an empty shop.`,
})

/**
 * Throws if the database is empty although there is the file of a shop: the first command would begin another
 * shop.
 */
async function refuseUnmoved(connection: Connection, file: string): Promise<void> {
  const { isEmpty } = await readSchema(connection)
  if (!isEmpty) return
  const { reason, remedy } = unmovedShop(file)
  throw new DatabaseError(`${reason} ${remedy}`)
}

async function lastBackupAt(connection: Connection): Promise<number | null> {
  const { isEmpty } = await readSchema(connection)
  if (isEmpty) return null
  const [row] = await connection.rows('SELECT backed_up_at AS at FROM installation')
  return row?.at == null ? null : Number(row.at)
}

async function sizes(connection: Connection): Promise<{ database: number; log: null }> {
  const [row] = await connection.rows('SELECT pg_database_size(current_database()) AS bytes')
  return { database: Number(row?.bytes), log: null }
}

/** Records a backup at the time of the server's clock, with which all machines compare theirs. */
async function recordBackup(connection: Connection): Promise<number> {
  const { isEmpty } = await readSchema(connection)
  const [row] = isEmpty
    ? []
    : await connection.rows(
        `UPDATE installation SET backed_up_at = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
         RETURNING backed_up_at AS at`,
      )
  if (row) return Number(row.at)
  throw new DatabaseError('No server has used this database yet, so there is nothing to back up.')
}

function refuseBackup(location: string): never {
  const remedy =
    'Run pg_dump --format=custom --file FILE, or use the backups of your server, and then ' +
    'florin backup --record.'
  throw new DatabaseError(`florin backup copies a SQLite file, and the database is ${location}. ${remedy}`)
}

async function migrateExisting(connection: Connection, location: string, now: number): Promise<string[]> {
  await checkServer(connection)
  const { isEmpty } = await readSchema(connection)
  if (isEmpty) throw new DatabaseError(`${location} is empty. Check FLORIN_DATABASE_URL, or start a server.`)
  return migrate(connection, now)
}

async function readState(connection: Connection, unmoved: string | null): Promise<DatabaseState> {
  await checkServer(connection)
  const { pending, newer, isEmpty } = await readSchema(connection)
  if (isEmpty && unmoved !== null) return { kind: 'refused', ...unmovedShop(unmoved) }
  if (isEmpty) return { kind: 'absent' }
  const mode = await readMode(connection)
  return {
    kind: 'whole',
    pendingMigrations: pending.length,
    newerMigrations: newer,
    newestAt: null,
    clockAhead: await clockAhead(connection),
    mode,
  }
}

function refused(error: unknown): DatabaseState {
  const reason = describeFault(error) ?? (error as Error).message
  return {
    kind: 'refused',
    reason: error instanceof DatabaseError ? error.message : `The database cannot be used: ${reason}`,
    remedy: 'Check FLORIN_DATABASE_URL and the server.',
  }
}
