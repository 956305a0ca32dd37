import type { DatabaseUse, StorageHooks } from '../engine.ts'
import { DatabaseError } from '../engine.ts'
import { GroupWriter } from '../group-writer.ts'
import { retryLostRaces, StorageGuard } from '../guard.ts'
import type { Storage, Tables } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { readTablesOf, writeTablesOf } from '../tables/index.ts'
import { WriteGroup } from '../tables/write-group.ts'
import { checkClock } from './clock.ts'
import { type Connection, connect, type Target } from './connection.ts'
import { explainFaults } from './faults.ts'
import { Link } from './link.ts'
import { BEGIN_WRITE, whileAlone } from './locks.ts'
import { pendingMigrations } from './migrate.ts'
import { openDatabase } from './opening.ts'
import { Presence } from './presence.ts'
import { Readers } from './readers.ts'
import { queryBuilder } from './session.ts'
import { WriteTransaction } from './write-transaction.ts'

const READERS = 4

const noHooks: Required<StorageHooks> = {
  onScheduled() {},
  onSlow() {},
  onCommit() {},
  observe: tables => ({ tables, begin() {}, end: () => () => {} }),
}

const builderOn = (link: Link) => queryBuilder(async (text, values) => link.current().query(text, values))

/** The tables of the writing connection, and its writer. */
function openWriter(link: Link, { onCommit, observe, onScheduled }: Required<StorageHooks>) {
  const group = new WriteGroup()
  const transaction = new WriteTransaction(link, BEGIN_WRITE)
  let scheduledAt = Number.POSITIVE_INFINITY
  const builder = queryBuilder((text, values) => transaction.query(text, values))
  const tables = writeTablesOf(builder, {
    onScheduled(dueAt) {
      scheduledAt = Math.min(scheduledAt, dueAt)
    },
    onKeyChanged() {},
    group,
  })
  const writer = new GroupWriter(transaction, {
    begin: () => group.begin(),
    end: isKept => group.end(isKept),
    beforeCommit: () => tables.statistics.flush(),
    afterCommit: onCommit,
    close() {},
  })
  function reportScheduled(): void {
    if (scheduledAt === Number.POSITIVE_INFINITY) return
    const dueAt = scheduledAt
    scheduledAt = Number.POSITIVE_INFINITY
    onScheduled(dueAt)
  }
  return { writer, observer: observe(tables), reportScheduled }
}

/** Throws if the database does not take a row, or has another schema. */
async function probe(connection: Connection): Promise<void> {
  await checkClock(connection)
  const { pending } = await pendingMigrations(connection)
  if (pending.length > 0) throw new DatabaseError('The database has pending migrations.')
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

/** Opens a database on a server. Throws a DatabaseError for one that is foreign or too new. */
export async function openStorage(
  target: Target,
  now: number,
  hooks: StorageHooks = {},
  use: DatabaseUse = { as: 'command', mayCreate: true },
): Promise<Storage> {
  const given = { ...noHooks, ...hooks }
  const first = await explainFaults(() => openDatabase(target, now, use))
  const presence = new Presence(first, target, use, given.onScheduled)
  await presence.listen()
  const open = () => connect(target)
  const writing = new Link(open)
  const { writer, observer, reportScheduled } = openWriter(writing, {
    ...given,
    onScheduled(dueAt) {
      given.onScheduled(dueAt)
      presence.wakeOthers(dueAt)
    },
  })
  const links = Array.from({ length: READERS }, () => new Link(open))
  const readers = new Readers(links, link => revocableTables(readTablesOf(builderOn(link))))
  const guard = new StorageGuard(given.onSlow)
  const tablesForWrite = revocableTables(observer.tables)
  async function read<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const calledFrom = new Error()
    guard.assertMayBegin('A read')
    return explainFaults(() =>
      readers.read(tables => guard.run('read', calledFrom, check => work(tables(check)))),
    )
  }
  return {
    isShared: use.as === 'command' || use.mode === 'live',
    read,
    findKey: id =>
      read(async tables => {
        const key = await tables.keys.find(id)
        return key && { key, merchant: await tables.merchants.find(key.merchantId) }
      }),
    async write(work) {
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
      const value = await explainFaults(() => retryLostRaces(() => writer.write(run)))
      onStored()
      reportScheduled()
      return value
    },
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertMayBegin('A check')
      await explainFaults(() => writer.write(() => probe(writing.current())))
    },
    async inspect() {
      guard.assertMayBegin('An inspection')
      return null
    },
    async compact() {
      guard.assertMayBegin('A rewrite')
      await writer.idle()
      return compact(presence.current)
    },
    async close() {
      guard.close()
      await writer.close()
      await readers.close()
      await writing.drop()
      await presence.close()
    },
  }
}
