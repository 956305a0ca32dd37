import type { Connections, DatabaseUse, StorageHooks } from '../engine.ts'
import { callSite, StorageGuard } from '../guard.ts'
import { makeStorage, runWrite, tablesForReads, withoutHooks } from '../make-storage.ts'
import type { Storage } from '../port.ts'
import { ComparedClocks } from './clock.ts'
import { type Connection, STATEMENT_MS } from './connection.ts'
import { explainFaults } from './faults.ts'
import { Link, openUnlessAway } from './link.ts'
import { findBlocker, probeOrders, whileAlone } from './locks.ts'
import { checkSchema } from './migrate.ts'
import { connectAgain, openDatabase } from './opening.ts'
import { Presence } from './presence.ts'
import { Readers } from './readers.ts'
import { queryBuilder } from './session.ts'
import type { Target } from './socket.ts'
import { openWriters } from './writers.ts'

const CONNECTIONS: Connections = { readers: 4, writers: 6 }

const builderOn = (link: Link) =>
  queryBuilder({
    query: async (text, values) => link.current().query(text, values),
    async insert(text, values) {
      await link.current().query(text, values)
    },
  })

/**
 * Throws if the clocks differ too much, the schema has changed, the table of orders is locked, or no row can
 * be written.
 */
async function probe(connection: Connection, clocks: ComparedClocks): Promise<void> {
  await clocks.compareStrictly(connection)
  await checkSchema(connection)
  await probeOrders(connection)
  await connection.script(
    // Each process writes a row of its own: if all wrote the same one, a hanging server would lock it.
    "INSERT INTO write_probes (id, padding) VALUES (pg_backend_pid(), ''); " +
      'DELETE FROM write_probes WHERE id = pg_backend_pid()',
  )
}

/** Rewrites each table. Returns false if another process uses the database. */
async function compact(connection: Connection): Promise<boolean> {
  const done = await whileAlone(connection, async () => {
    await connection.script('SET statement_timeout = 0')
    await connection.script('VACUUM (FULL)')
    await connection.script(`SET statement_timeout = ${STATEMENT_MS}`)
  })
  return done !== null
}

/**
 * Returns the functions that lease jobs, by the clock of the database. Each statement skips jobs that other
 * processes are leasing.
 */
function leasesOf(
  parts: { guard: StorageGuard; explain: typeof explainFaults },
  { byRow, byRowConnection }: ReturnType<typeof openWriters>,
  clocks: ComparedClocks,
): Pick<Storage, 'claimJobs' | 'extendJobs'> {
  return {
    claimJobs: (now, lease, leaseUntil, capacity) =>
      runWrite(parts, callSite(), byRow, async tables => {
        const ahead = await clocks.compareStrictly(byRowConnection())
        return tables.jobs.claim(now + ahead, lease, leaseUntil + ahead, capacity)
      }),
    extendJobs: (leases, leaseUntil) =>
      runWrite(parts, callSite(), byRow, async tables => {
        const ahead = await clocks.compare(byRowConnection())
        await tables.jobs.extend(leases, leaseUntil + ahead)
      }),
  }
}

interface PostgresStorage extends Storage {
  /** Runs work that only reads, on one of the connections for reads. */
  readOn<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

/**
 * Opens a database on a server. Throws a DatabaseError if it belongs to another program or a newer version.
 */
export async function openStorage(
  target: Target,
  now: number,
  hooks: StorageHooks = {},
  use: DatabaseUse = { as: 'command', mayCreate: true },
): Promise<PostgresStorage> {
  const given = { ...withoutHooks, ...hooks }
  const first = await explainFaults(() => openDatabase(target, now, use))
  const presence = new Presence(first, target, use, given.onScheduled)
  await presence.listen()
  // Every connection of a server locks the schema: any of them may be lost, or be the only one, during a
  // migration.
  const open = openUnlessAway(() => connectAgain(target, use.as === 'server'))
  const clocks = new ComparedClocks(hooks.ownClock)
  const onScheduled = (dueAt: number) => {
    given.onScheduled(dueAt)
    presence.wakeOthers(dueAt)
  }
  const count = hooks.connections ?? CONNECTIONS
  const writers = openWriters(open, { ...given, onScheduled }, count.writers)
  const links = Array.from({ length: count.readers }, () => new Link(open))
  const readers = new Readers(links, link => ({ link, makeTables: tablesForReads(builderOn(link)) }))
  const explain = <T>(work: () => Promise<T>): Promise<T> =>
    explainFaults(work, () => findBlocker(presence.current))
  const parts = { guard: new StorageGuard(given.onSlow), explain }
  const storage = makeStorage({
    ...parts,
    isShared: use.as === 'command' || use.mode === 'live',
    onReader: run => readers.read(({ makeTables }) => run(makeTables)),
    onWriter: writers.onWriter,
    leases: leasesOf(parts, writers, clocks),
    clockAhead: () => clocks.ahead,
    servers: () => presence.servers,
    check: () => writers.probe(connection => probe(connection, clocks)),
    inspect: async () => null,
    async compact() {
      await writers.idle()
      return compact(presence.current)
    },
    async close() {
      await writers.close()
      await readers.close()
      await presence.close()
    },
  })
  return { ...storage, readOn: work => readers.read(({ link }) => work(link.current())) }
}
