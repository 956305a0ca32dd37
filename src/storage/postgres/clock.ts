import { DatabaseError } from '../engine.ts'
import type { Connection } from './connection.ts'

/** A server whose clock is ahead by more than a lease would take over jobs that run elsewhere. */
const SKEW_MAX_MS = 5000

/** Throws a DatabaseError if the clocks of this machine and of the server differ too much. */
export async function checkClock(
  connection: Connection,
  now: () => number = () => Date.now(),
): Promise<void> {
  const before = now()
  const [row] = await connection.rows(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  )
  const after = now()
  const there = Number(row?.now)
  const skew = there < before ? before - there : Math.max(0, there - after)
  if (skew <= SKEW_MAX_MS) return
  throw new DatabaseError(
    `The clocks of this machine and of the database differ by ${Math.round(skew / 1000)} seconds. ` +
      'Keep both in sync with NTP: servers that share a database depend on it.',
  )
}
