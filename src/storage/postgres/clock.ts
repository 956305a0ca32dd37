import { DatabaseError } from '../engine.ts'
import type { Connection } from './connection.ts'

/** Max difference between clocks: clocks kept by NTP never differ as much. */
const SKEW_MAX_MS = 5000

const ownClock = (): number => Date.now()

/**
 * Returns the milliseconds by which the server's clock is ahead of this machine's; 0 if the measurement shows
 * no difference.
 */
export async function clockAhead(connection: Connection, now: () => number = ownClock): Promise<number> {
  const before = now()
  const [row] = await connection.rows(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  )
  const after = now()
  const there = Number(row?.now)
  return there < before ? there - before : Math.max(0, there - after)
}

function assertClose(ahead: number): void {
  if (Math.abs(ahead) <= SKEW_MAX_MS) return
  throw new DatabaseError(
    'The clocks of this machine and of the database differ by ' +
      `${Math.round(Math.abs(ahead) / 1000)} seconds. ` +
      'Keep both in sync with NTP: servers that share a database depend on it.',
  )
}

/** Throws a DatabaseError if the clocks of this machine and the server differ too much. */
export async function checkClock(connection: Connection, now?: () => number): Promise<void> {
  assertClose(await clockAhead(connection, now))
}

/** Compares the clocks of this machine and the server whenever leases depend on them. */
export class ComparedClocks {
  #ahead = 0

  constructor(private readonly now: () => number = ownClock) {}

  /** Milliseconds by which the server's clock was ahead at the last comparison. */
  get ahead(): number {
    return this.#ahead
  }

  async compare(connection: Connection): Promise<number> {
    this.#ahead = await clockAhead(connection, this.now)
    return this.#ahead
  }

  /** Like `compare`, but throws a DatabaseError if the clocks differ too much. */
  async compareStrictly(connection: Connection): Promise<number> {
    const ahead = await this.compare(connection)
    assertClose(ahead)
    return ahead
  }
}
