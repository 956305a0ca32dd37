import type { DatabaseUse, StorageHooks } from '../engine.ts'
import { StorageGuard } from '../guard.ts'
import type { Storage, Tables } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { readTablesOf } from '../tables/index.ts'
import { ComparedClocks } from './clock.ts'
import type { Connection } from './connection.ts'
import { explainFaults } from './faults.ts'
import { Link } from './link.ts'
import { whileAlone } from './locks.ts'
import { checkSchema } from './migrate.ts'
import { connectAgain, openDatabase } from './opening.ts'
import { Presence } from './presence.ts'
import { Readers } from './readers.ts'
import { queryBuilder } from './session.ts'
import type { Target } from './socket.ts'
import { openWriters } from './writers.ts'

const READERS = 4

const noHooks: Required<Omit<StorageHooks, 'ownClock'>> = {
  onScheduled() {},
  onSlow() {},
  onCommit() {},
  observe: tables => ({ tables, begin() {}, end: () => () => {} }),
}

const builderOn = (link: Link) =>
  queryBuilder({
    query: async (text, values) => link.current().query(text, values),
    async insert(text, values) {
      await link.current().query(text, values)
    },
  })

/** Throws if the database does not take a row, or has another schema. */
async function probe(connection: Connection, clocks: ComparedClocks): Promise<void> {
  await clocks.compareStrictly(connection)
  await checkSchema(connection)
  await connection.script(
    "INSERT INTO write_probes (id, padding) VALUES (1, '') ON CONFLICT (id) DO UPDATE SET padding = ''",
  )
}

/** Rewrites each table. Returns false if another process uses the database. */
async function compact(connection: Connection): Promise<boolean> {
  const done = await whileAlone(connection, async () => {
    await connection.script('SET statement_timeout = 0')
    await connection.script('VACUUM (FULL)')
    await connection.script('RESET statement_timeout')
  })
  return done !== null
}

interface PostgresStorage extends Storage {
  /** Runs work that only reads, on one of the connections for reads. */
  readOn<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

/** Opens a database on a server. Throws a DatabaseError for one that is foreign or too new. */
export async function openStorage(
  target: Target,
  now: number,
  hooks: StorageHooks = {},
  use: DatabaseUse = { as: 'command', mayCreate: true },
): Promise<PostgresStorage> {
  const given = { ...noHooks, ...hooks }
  const first = await explainFaults(() => openDatabase(target, now, use))
  const presence = new Presence(first, target, use, given.onScheduled)
  await presence.listen()
  // Each connection of a server holds the schema: one may be lost alone, or opened during a migration.
  const open = () => connectAgain(target, use.as === 'server')
  const guard = new StorageGuard(given.onSlow)
  const clocks = new ComparedClocks(hooks.ownClock)
  const onScheduled = (dueAt: number) => {
    given.onScheduled(dueAt)
    presence.wakeOthers(dueAt)
  }
  const writers = openWriters(open, { ...given, onScheduled }, guard)
  const links = Array.from({ length: READERS }, () => new Link(open))
  const readers = new Readers(links, link => ({
    link,
    makeTables: revocableTables(readTablesOf(builderOn(link))),
  }))
  async function read<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const calledFrom = new Error()
    guard.assertMayBegin('A read')
    return explainFaults(() =>
      readers.read(({ makeTables }) => guard.run('read', calledFrom, check => work(makeTables(check)))),
    )
  }
  return {
    isShared: use.as === 'command' || use.mode === 'live',
    read,
    readOn: work => readers.read(({ link }) => work(link.current())),
    // Other servers may change them at any time.
    remember: (_names, _key, work) => read(work),
    findKey: id =>
      read(async tables => {
        const key = await tables.keys.find(id)
        return key && { key, merchant: await tables.merchants.find(key.merchantId) }
      }),
    write: work => writers.write(new Error(), work),
    claimJobs: (now, lease, leaseUntil, capacity) =>
      writers.writeByRow(new Error(), async (tables, connection) => {
        const ahead = await clocks.compareStrictly(connection)
        return tables.jobs.claim(now + ahead, lease, leaseUntil + ahead, capacity)
      }),
    extendJobs: (leases, leaseUntil) =>
      writers.writeByRow(new Error(), async (tables, connection) => {
        const ahead = await clocks.compare(connection)
        await tables.jobs.extend(leases, leaseUntil + ahead)
      }),
    clockAhead: () => clocks.ahead,
    servers: () => presence.servers,
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertMayBegin('A check')
      await explainFaults(() => writers.probe(connection => probe(connection, clocks)))
    },
    async inspect() {
      guard.assertMayBegin('An inspection')
      return null
    },
    async compact() {
      guard.assertMayBegin('A rewrite')
      await writers.idle()
      return compact(presence.current)
    },
    async close() {
      guard.close()
      await writers.close()
      await readers.close()
      await presence.close()
    },
  }
}
