import { Database } from 'bun:sqlite'
import { audit } from '../support/auditor.ts'

const REST_MAX_MS = 5000
/** How a delivery went and that its job is over are two writes: in between there is a job too many. */
const UNDER_WAY = 'a delivery that is to be tried has its job, and no other has one'

/** The rows of a query. */
export function rowsOf(file: string, sql: string): unknown[][] {
  const database = new Database(file, { readonly: true })
  try {
    return database.query(sql).values() as unknown[][]
  } finally {
    database.close()
  }
}

/** What SQLite and the auditor object to, once the deliveries are over that a server makes meanwhile. */
export async function faultsOf(file: string): Promise<string[]> {
  const damaged = rowsOf(file, 'PRAGMA integrity_check').map(String)
  if (damaged.join() !== 'ok') return damaged
  const until = performance.now() + REST_MAX_MS
  while (true) {
    const faults = audit(file)
    const isResting = faults.every(fault => fault.startsWith(UNDER_WAY)) && performance.now() < until
    if (faults.length === 0 || !isResting) return faults
    await Bun.sleep(20)
  }
}
