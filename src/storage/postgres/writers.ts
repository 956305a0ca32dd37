import { GroupWriter } from '../group-writer.ts'
import { type Hooks, type TablesForWrites, tablesForWrites } from '../make-storage.ts'
import type { Connection } from './connection.ts'
import { requireInTime } from './faults.ts'
import { FOLDED_MAX, Folding } from './folding.ts'
import { Link } from './link.ts'
import { lockFold } from './locks.ts'
import { queryBuilder } from './session.ts'
import { WriteTransaction } from './write-transaction.ts'

/** A writing connection, with its tables. */
interface Slot<T> {
  writer: GroupWriter
  use: T
}

/** The connections that write at the same time. Each write goes to the least busy one. */
class WriterPool<T> {
  constructor(private readonly slots: readonly Slot<T>[]) {}

  write<R>(run: (use: T) => Promise<R>): Promise<R> {
    const { writer, use } = this.slots.reduce((best, slot) =>
      slot.writer.load < best.writer.load ? slot : best,
    )
    const since = performance.now()
    return writer.write(async () => {
      requireInTime(since)
      return run(use)
    })
  }

  async idle(): Promise<void> {
    await Promise.all(this.slots.map(({ writer }) => writer.idle()))
  }

  /** Waits for all writes that were requested before, then closes the writers. */
  async close(): Promise<void> {
    await Promise.all(this.slots.map(({ writer }) => writer.close()))
  }
}

/** Opens a writing connection. Returns it with its tables, and its writer with group commit. */
function openWriter(open: () => Promise<Connection>, isolation: 'beside' | 'byRow', hooks: Hooks) {
  const link = new Link(async () => {
    const connection = await open()
    // A sequential scan would conflict with every other write to the table.
    await connection.script('SET enable_seqscan = off')
    return connection
  })
  const transaction = new WriteTransaction(link, isolation)
  const use = tablesForWrites(queryBuilder(transaction), hooks, () => {})
  const { tables, group } = use
  const writer = new GroupWriter(transaction, {
    begin: () => group.begin(),
    end: isKept => group.end(isKept),
    beforeCommit: () => tables.statistics.flush(),
    afterCommit: hooks.onCommit,
    close() {},
  })
  return { writer, link, use }
}

/** Opens the writing connections of a process: several for all writes, and one for jobs and sums. */
export function openWriters(open: () => Promise<Connection>, given: Hooks, count: number) {
  const hooks: Hooks = {
    ...given,
    onCommit(ms) {
      given.onCommit(ms)
      folding.start()
    },
  }
  const slots = Array.from({ length: count }, () => openWriter(open, 'beside', hooks))
  const pool = new WriterPool(slots)
  const { writer, link, use } = openWriter(open, 'byRow', hooks)
  const folding = new Folding(() =>
    writer.write(async () => ((await lockFold(link.current())) ? use.tables.statistics.fold(FOLDED_MAX) : 0)),
  )
  return {
    /** Runs work with the same result as if it ran alone. */
    onWriter: <T>(run: (use: TablesForWrites) => Promise<T>): Promise<T> => pool.write(run),
    /** Runs work whose statements each lock the rows that they change. */
    byRow: <T>(run: (use: TablesForWrites) => Promise<T>): Promise<T> => writer.write(() => run(use)),
    byRowConnection: () => link.current(),
    /** Runs work in a transaction, to find out if the connection can write. */
    probe: (work: (connection: Connection) => Promise<void>): Promise<void> =>
      writer.write(() => work(link.current())),
    async idle(): Promise<void> {
      await pool.idle()
      await writer.idle()
    },
    /** Waits for all writes that were requested before, then closes the connections. */
    async close(): Promise<void> {
      await folding.close()
      await pool.close()
      await writer.close()
      await Promise.all([link, ...slots.map(slot => slot.link)].map(one => one.drop()))
    },
  }
}
