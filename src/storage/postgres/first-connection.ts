import { DatabaseError } from '../engine.ts'
import { type Connection, connect } from './connection.ts'
import type { Target } from './socket.ts'

type Patient = Parameters<typeof connect>[1]

const POOLED =
  'FLORIN_DATABASE_URL leads to a connection pooler that gives statements of one connection to different ' +
  'sessions of PostgreSQL, so locks and prepared statements would be lost. Set its pool mode to session, ' +
  'or name PostgreSQL itself.'

async function sessionOf(connection: Connection): Promise<unknown> {
  const [row] = await connection.rows('SELECT pg_backend_pid() AS pid')
  return row?.pid
}

/**
 * Throws a DatabaseError if the connection has no session of its own. A pooler in transaction mode uses an
 * idle session for the next statement of any connection.
 */
async function checkSession(connection: Connection, target: Target): Promise<void> {
  const other = await connect(target)
  try {
    const session = await sessionOf(connection)
    const others = await sessionOf(other)
    if (session === others || session !== (await sessionOf(connection))) throw new DatabaseError(POOLED)
  } finally {
    await other.close()
  }
}

/** Opens the first connection of a process. Throws a DatabaseError if Florin cannot work with its pooler. */
export async function connectFirst(target: Target, patient?: Patient): Promise<Connection> {
  const connection = await connect(target, patient)
  try {
    await checkSession(connection, target)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
