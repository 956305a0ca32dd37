import type { StorageHooks } from './engine.ts'
import { callSite, retryLostRaces, type StorageGuard } from './guard.ts'
import type { KeptTable, KeyWithMerchant, Storage, Tables } from './port.ts'
import { revocableTables } from './revocable.ts'
import type { Db } from './tables/db.ts'
import { readTablesOf, writeTablesOf } from './tables/index.ts'
import { WriteGroup } from './tables/write-group.ts'

export type Hooks = Required<Omit<StorageHooks, 'ownClock' | 'connections'>>

export const withoutHooks: Hooks = {
  onScheduled() {},
  onSlow() {},
  onCommit() {},
  observe: tables => ({ tables, begin() {}, end: () => () => {} }),
}

type MakeTables = (check: () => void) => Tables
type Work<T> = (tables: Tables) => Promise<T>
/** Runs a function with the tables of a connection that the engine chooses. */
type On<Use> = <T>(run: (use: Use) => Promise<T>) => Promise<T>

/** Makes tables for reads. They throw once their read has ended. */
export const tablesForReads = (db: Db): MakeTables => revocableTables(readTablesOf(db))

export function tablesForWrites(db: Db, hooks: Hooks, onChanged: (name: KeptTable) => void) {
  const group = new WriteGroup()
  let scheduledAt = Number.POSITIVE_INFINITY
  const tables = writeTablesOf(db, {
    onScheduled(dueAt) {
      scheduledAt = Math.min(scheduledAt, dueAt)
    },
    onChanged,
    group,
  })
  const observer = hooks.observe(tables)
  return {
    tables,
    group,
    observer,
    makeTables: revocableTables(observer.tables),
    reportScheduled() {
      if (scheduledAt === Number.POSITIVE_INFINITY) return
      const dueAt = scheduledAt
      scheduledAt = Number.POSITIVE_INFINITY
      hooks.onScheduled(dueAt)
    },
  }
}

export type TablesForWrites = ReturnType<typeof tablesForWrites>

/** Runs work, and turns errors of a driver into errors that callers handle. */
type Explain = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs work on the connection that `on` chooses, again after each lost race. Reports scheduled jobs once they
 * are stored. `calledFrom` is an error of `callSite`, which names the caller.
 */
export async function runWrite<T>(
  { guard, explain }: { guard: StorageGuard; explain: Explain },
  calledFrom: Error,
  on: On<TablesForWrites>,
  work: Work<T>,
): Promise<T> {
  guard.assertMayBegin('A write')
  let stored = () => {}
  const run = ({ observer, makeTables, reportScheduled }: TablesForWrites) =>
    guard.run('write', calledFrom, async check => {
      observer.begin()
      const value = await work(makeTables(check))
      const onStored = observer.end()
      stored = () => {
        onStored()
        reportScheduled()
      }
      return value
    })
  const value = await explain(() => retryLostRaces(() => on(run)))
  stored()
  return value
}

/** The parts of storage that differ between engines. All functions are called outside of reads and writes. */
interface Engine
  extends Pick<Storage, 'isShared' | 'clockAhead' | 'servers' | 'check' | 'inspect' | 'compact' | 'close'> {
  guard: StorageGuard
  explain: Explain
  onReader: On<MakeTables>
  onWriter: On<TablesForWrites>
  /** cache of rows between reads; without it, every read asks the database */
  kept?: { find<T>(names: readonly KeptTable[], key: string, read: () => Promise<T>): Promise<T> }
  /** functions that lease jobs, if several servers may do so; without them, jobs are leased in a write */
  leases?: Pick<Storage, 'claimJobs' | 'extendJobs'>
}

export function makeStorage(engine: Engine): Storage {
  const { guard, explain, onReader, onWriter, kept, isShared, clockAhead, servers } = engine
  async function read<T>(work: Work<T>): Promise<T> {
    const calledFrom = callSite()
    guard.assertMayBegin('A read')
    return explain(() =>
      onReader(makeTables => guard.run('read', calledFrom, check => work(makeTables(check)))),
    )
  }
  const write = async <T>(work: Work<T>): Promise<T> => runWrite(engine, callSite(), onWriter, work)
  const remember: Storage['remember'] = (names, key, work) => {
    guard.assertMayBegin('A read')
    return kept ? kept.find(names, key, () => read(work)) : read(work)
  }
  return {
    isShared,
    clockAhead,
    servers,
    read,
    write,
    remember,
    findKey: id => remember(['keys', 'merchants'], `key ${id}`, tables => findKey(tables, id)),
    claimJobs: (...due) => write(tables => tables.jobs.claim(...due)),
    extendJobs: (leases, leaseUntil) => write(tables => tables.jobs.extend(leases, leaseUntil)),
    ...engine.leases,
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertMayBegin('A check')
      await explain(engine.check)
    },
    async inspect() {
      guard.assertMayBegin('An inspection')
      return engine.inspect()
    },
    async compact() {
      guard.assertMayBegin('A rewrite')
      return engine.compact()
    },
    async close() {
      guard.close()
      await engine.close()
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
