import { DatabaseError } from './engine.ts'
import { explainFaults } from './postgres/faults.ts'
import { locationOf } from './postgres/opening.ts'
import { receive, type TargetDatabase } from './postgres/receive.ts'
import type { Target } from './postgres/socket.ts'
import { openMovingFile } from './sqlite/move-away.ts'
import { databaseFile } from './sqlite/open.ts'
import { type CopiedRow, differences, type PaidSum, type TableSum, Tally } from './table-copy.ts'

export interface MoveResult {
  from: string
  /** URL of the database, without user and password */
  to: string
  /** new name of the database file */
  kept: string
  /** true if an earlier run had copied the rows */
  wasCopied: boolean
  tables: TableSum[]
  /** paid orders per currency, equal in both databases */
  paid: PaidSum[]
}

async function consume(rows: AsyncIterable<CopiedRow>): Promise<void> {
  for await (const _ of rows);
}

/**
 * Copies all rows of the database file in a data directory to an empty database on a server, compares both,
 * and then renames the file. No process may use either of them. After a failure, the file is unchanged and
 * the database is empty, unless the rows were already stored: then the next run compares them and finishes
 * the move.
 */
export function moveToServer(dataDir: string, target: Target, now: number): Promise<MoveResult> {
  const from = databaseFile(dataDir)
  const to = locationOf(target)
  return explainFaults(async () => {
    const file = openMovingFile(from)
    try {
      const [sent, received] = [new Tally(), new Tally()]
      let wasCopied = false
      await receive(target, file.tables, now, async (receiving: TargetDatabase) => {
        wasCopied = !receiving.isEmpty
        for (const table of file.tables) {
          const rows = sent.count(table, file.rowsOf(table))
          await (receiving.isEmpty ? receiving.insert(table, rows) : consume(rows))
        }
        for (const table of file.tables) await consume(received.count(table, receiving.rowsOf(table)))
        compare(sent, received, to, wasCopied)
      })
      const kept = file.moveAway(now)
      return { from, to, kept, wasCopied, tables: sent.tables, paid: sent.paid }
    } finally {
      file.close()
    }
  })
}

function compare(sent: Tally, received: Tally, to: string, wasCopied: boolean): void {
  const unequal = differences(sent.tables, received.tables)
  if (unequal.length === 0) return
  if (wasCopied) {
    throw new DatabaseError(
      `${to} is not empty and has other rows. Set FLORIN_DATABASE_URL to an empty database. ` +
        `Tables that differ: ${unequal.join(', ')}.`,
    )
  }
  throw new DatabaseError(
    `The copied rows of ${unequal.join(', ')} differ from those of the file. Nothing was changed. ` +
      'This is a bug in Florin; please report it.',
  )
}
