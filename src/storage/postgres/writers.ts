import type { StorageHooks } from '../engine.ts'
import { GroupWriter } from '../group-writer.ts'
import { retryLostRaces, type StorageGuard } from '../guard.ts'
import type { Tables } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { writeTablesOf } from '../tables/index.ts'
import { WriteGroup } from '../tables/write-group.ts'
import type { Connection } from './connection.ts'
import { explainFaults } from './faults.ts'
import { FOLDED_MAX, Folding } from './folding.ts'
import { Link } from './link.ts'
import { lockFold } from './locks.ts'
import { queryBuilder } from './session.ts'
import { WriteTransaction } from './write-transaction.ts'
import { WriterPool } from './writer-pool.ts'

const WRITERS = 6

type Hooks = Required<Omit<StorageHooks, 'ownClock'>>

/** A connection that writes: its tables, and its writer with group commit. */
function openWriter(open: () => Promise<Connection>, isolation: 'beside' | 'byRow', hooks: Hooks) {
  const link = new Link(async () => {
    const connection = await open()
    // Looking through a whole table would conflict with every write to it.
    await connection.script('SET enable_seqscan = off')
    return connection
  })
  const group = new WriteGroup()
  const transaction = new WriteTransaction(link, isolation)
  let scheduledAt = Number.POSITIVE_INFINITY
  const builder = queryBuilder(transaction)
  const tables = writeTablesOf(builder, {
    onScheduled(dueAt) {
      scheduledAt = Math.min(scheduledAt, dueAt)
    },
    onChanged() {},
    group,
  })
  const writer = new GroupWriter(transaction, {
    begin: () => group.begin(),
    end: isKept => group.end(isKept),
    beforeCommit: () => tables.statistics.flush(),
    afterCommit: hooks.onCommit,
    close() {},
  })
  function reportScheduled(): void {
    if (scheduledAt === Number.POSITIVE_INFINITY) return
    const dueAt = scheduledAt
    scheduledAt = Number.POSITIVE_INFINITY
    hooks.onScheduled(dueAt)
  }
  const observer = hooks.observe(tables)
  return {
    writer,
    use: { link, tables, observer, makeTables: revocableTables(observer.tables), reportScheduled },
  }
}

type Use = ReturnType<typeof openWriter>['use']
type Work<T> = (tables: Tables) => Promise<T>
type RunOn<T> = (run: (use: Use) => Promise<T>) => Promise<T>

/** Runs a work on the connection that `on` chooses, until it loses no race. `calledFrom` names who wrote. */
async function runWork<T>(guard: StorageGuard, calledFrom: Error, on: RunOn<T>, work: Work<T>): Promise<T> {
  guard.assertMayBegin('A write')
  let stored = () => {}
  const run = ({ observer, makeTables, reportScheduled }: Use) =>
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
  const value = await explainFaults(() => retryLostRaces(() => on(run)))
  stored()
  return value
}

/** The connections of a process that write: some for all writes, and one for jobs and sums. */
export function openWriters(open: () => Promise<Connection>, given: Hooks, guard: StorageGuard) {
  const hooks: Hooks = {
    ...given,
    onCommit(ms) {
      given.onCommit(ms)
      folding.start()
    },
  }
  const slots = Array.from({ length: WRITERS }, () => openWriter(open, 'beside', hooks))
  const pool = new WriterPool(slots)
  const { writer, use } = openWriter(open, 'byRow', hooks)
  const folding = new Folding(() =>
    writer.write(async () =>
      (await lockFold(use.link.current())) ? use.tables.statistics.fold(FOLDED_MAX) : 0,
    ),
  )
  return {
    /** Runs work as if it ran alone. */
    write: <T>(calledFrom: Error, work: Work<T>): Promise<T> =>
      runWork(guard, calledFrom, run => pool.write(run), work),
    /** Runs work whose statements each lock the rows that they change. */
    writeByRow: <T>(
      calledFrom: Error,
      work: (tables: Tables, connection: Connection) => Promise<T>,
    ): Promise<T> =>
      runWork(
        guard,
        calledFrom,
        run => writer.write(() => run(use)),
        tables => work(tables, use.link.current()),
      ),
    /** Tries a connection in a transaction. */
    probe: (work: (connection: Connection) => Promise<void>): Promise<void> =>
      writer.write(() => work(use.link.current())),
    async idle(): Promise<void> {
      await pool.idle()
      await writer.idle()
    },
    /** Waits for the writes that were requested before. */
    async close(): Promise<void> {
      await folding.close()
      await pool.close()
      await writer.close()
      await Promise.all([use, ...slots.map(slot => slot.use)].map(({ link }) => link.drop()))
    },
  }
}
