import { Database } from 'bun:sqlite'
import { audit, auditDatabase } from '../support/auditor.ts'
import { mirrorOf } from '../support/mirror.ts'

const DELIVERY_MAX_MS = 5000
/**
 * A delivery's result is stored in one write and its job removed in another: in between is a job too many.
 */
const UNDER_WAY = 'a delivery has a job if and only if it is to be tried'

const isOnServer = (file: string): boolean => file.startsWith('postgres://')

/** The rows of a query in a file, or in the database of a URL. */
export function rowsOf(file: string, sql: string): unknown[][] {
  const database = isOnServer(file) ? mirrorOf(file) : new Database(file, { readonly: true })
  try {
    return database.query(sql).values() as unknown[][]
  } finally {
    database.close()
  }
}

/** The invariants that are broken, in a file or in the database of a URL. */
export function auditOf(file: string): string[] {
  if (!isOnServer(file)) return audit(file)
  const copy = mirrorOf(file)
  try {
    return auditDatabase(copy)
  } finally {
    copy.close()
  }
}

/** The problems that SQLite and the auditor find, after waiting for running deliveries. */
export async function problemsIn(file: string): Promise<string[]> {
  const damaged = isOnServer(file) ? ['ok'] : rowsOf(file, 'PRAGMA integrity_check').map(String)
  if (damaged.join() !== 'ok') return damaged
  const until = performance.now() + DELIVERY_MAX_MS
  while (true) {
    const problems = auditOf(file)
    const isDelivering = problems.every(fault => fault.startsWith(UNDER_WAY)) && performance.now() < until
    if (problems.length === 0 || !isDelivering) return problems
    await Bun.sleep(20)
  }
}
