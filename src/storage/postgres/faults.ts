import { Refusal } from '../../domain/errors.ts'
import { DatabaseError } from '../engine.ts'
import { ConnectionLost } from './connection.ts'

const RETRY_SECONDS = 10

/**
 * Codes of errors about locks: a statement waited too long for a lock, or reached its time limit, which is
 * usually due to a lock too.
 */
const LOCKED = /^(55P03|57014)$/

/** Faults that only the operator can fix, by the error code of PostgreSQL or the system. */
const reasons: [code: RegExp, reason: string, remedy: string][] = [
  [/^28P01$/, 'the user or the password is wrong', 'Check FLORIN_DATABASE_URL.'],
  [/^28/, 'the server refuses this user, host or encryption', 'Check FLORIN_DATABASE_URL and pg_hba.conf.'],
  [/^55000$/, 'it takes no connections', 'See ALLOW_CONNECTIONS of the database.'],
  [/^3D000$/, 'the database does not exist', 'Create it, or correct FLORIN_DATABASE_URL.'],
  [/^42501$/, 'the user lacks a privilege', 'Make the user the owner of the database.'],
  [/^25006$/, 'it is read-only', 'Name the primary server in FLORIN_DATABASE_URL, not a standby.'],
  [/^53100$/, 'the disk of the server is full', 'Free some space there.'],
  [
    /^53300$/,
    'the server takes no more connections',
    'Raise max_connections of the server, or the connection limit of the role or the database.',
  ],
  [/^53/, 'the server lacks memory or other resources', 'See its log.'],
  [LOCKED, 'another session held it up for too long', 'See pg_stat_activity on the server.'],
  [/^(25P03|57P0[1234])$/, 'the server ended the session', 'See its log.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host is not found', 'Check the host in FLORIN_DATABASE_URL and DNS.'],
  [/^(ENOENT|ECONNREFUSED)$/, 'no server listens there', 'Start it, or correct FLORIN_DATABASE_URL.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|TLS|SSL/,
    'its certificate is not trusted',
    'Set sslrootcert=FILE in FLORIN_DATABASE_URL to the certificate of its authority.',
  ],
  [
    /^08P01$/,
    'it, or a pooler in front of it, refuses how Florin connects',
    'See the log of both, and "Poolers" in postgresql.md.',
  ],
  [
    /^(E[A-Z]+|08.*|CONNECTION_.*|CONNECT_TIMEOUT)$/,
    'it cannot be reached',
    'Check the server and the network.',
  ],
]

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? '' : codeOf(cause)
}

/** Describes a fault of the server or the network for the operator; null for other errors. */
export function describeFault(error: unknown): string | null {
  const code = codeOf(error)
  const found = reasons.find(([pattern]) => pattern.test(code))
  if (found) return `${found[1]} (${code}). ${found[2]}`
  if (error instanceof ConnectionLost) return 'the connection was lost. Check the server and the network.'
  return null
}

/** The message for callers. Details for the operator are in the log. */
const AWAY =
  'The database cannot be used at the moment. Wait for the number of seconds in the Retry-After header, ' +
  'then try again.'
const HELD_UP =
  'Another program has locked the database. Wait for the number of seconds in the Retry-After header, then ' +
  'try again.'

function explained(error: unknown, fault: string): DatabaseError {
  const message = LOCKED.test(codeOf(error)) ? HELD_UP : AWAY
  const cause = new Refusal('storage_unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
  return new DatabaseError(`The database cannot be used: ${fault}`, { cause })
}

/**
 * Max wait for a connection. It is longer than a statement waits for a lock, and no request waits as long for
 * its answer.
 */
const QUEUE_MS = 25_000

/**
 * Throws if work has waited too long for a connection. No request waits for it any more, and it would delay
 * the work behind it.
 */
export function requireInTime(since: number): void {
  if (performance.now() - since < QUEUE_MS) return
  throw explained(
    new Error(),
    'it is too slow for all that waits for it. See pg_stat_activity on the server.',
  )
}

/**
 * Runs work, and turns faults of the database into a DatabaseError for the operator. `findLock` describes the
 * session that holds a lock; null if it finds none.
 */
export async function explainFaults<T>(
  work: () => Promise<T>,
  findLock: () => Promise<string | null> = async () => null,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseError || error instanceof Refusal) throw error
    const fault = describeFault(error)
    if (fault === null) throw error
    const lock = LOCKED.test(codeOf(error)) ? await findLock().catch(() => null) : null
    throw explained(error, lock ?? fault)
  }
}
