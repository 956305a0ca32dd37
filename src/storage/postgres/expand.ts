import { DatabaseError } from '../engine.ts'
import type { Migration } from '../migrations.ts'
import { type Connection, LOCK_WAIT_MS } from './connection.ts'
import { expansionOf, type LaterIndex } from './expanding.ts'
import { noteMigration } from './migrate.ts'

/** Max wait for a table lock. It is short, because other statements queue behind one that waits. */
const LOCK_MS = 1000
/**
 * Max wait of an index build for earlier reads and writes. It is long, because nothing waits for the build.
 */
const BUILD_LOCK_MS = 120_000
const PAUSE_MS = 500
/** Max tries. With the wait of each, they take longer than any statement of a server may. */
const TRIES_MAX = 60
const WAITED = ['55P03', '40P01']

/**
 * Applies migrations that expand the schema while other processes use it. Each step can be repeated, so an
 * interrupted try can be resumed.
 */
export async function expand(connection: Connection, pending: Migration[], now: number): Promise<string[]> {
  for (const migration of pending) {
    try {
      await apply(connection, migration, now)
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => {})
      throw new DatabaseError(
        `The migration ${migration.name} is not complete: ${(error as Error).message}. ` +
          'Servers of the previous version can go on. Start this version again once this is solved.',
      )
    }
  }
  await connection.script(`SET lock_timeout = ${LOCK_WAIT_MS}`)
  return pending.map(({ name }) => name)
}

async function apply(connection: Connection, migration: Migration, now: number): Promise<void> {
  const { additions, indexes, refused } = expansionOf(migration.sql)
  if (refused[0] !== undefined) throw new Error(`it contains ${refused[0]}`)
  await connection.script(`SET lock_timeout = ${LOCK_MS}`)
  await withoutWaiting(() => addAll(connection, additions))
  await connection.script(`SET lock_timeout = ${BUILD_LOCK_MS}`)
  for (const index of indexes) await build(connection, index)
  await noteMigration(connection, migration, now)
}

/** Runs work again until the lock is free, and pauses between tries so that other statements can run. */
async function withoutWaiting(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES_MAX || !WAITED.includes(String((error as { code?: unknown }).code))) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}

async function addAll(connection: Connection, additions: readonly string[]): Promise<void> {
  if (additions.length === 0) return
  try {
    await connection.script(`BEGIN;\n${additions.join(';\n')};\nCOMMIT`)
  } catch (error) {
    await connection.script('ROLLBACK')
    throw error
  }
}

/**
 * Builds an index without blocking writes. Drops the unusable index that an interrupted try may have left.
 */
async function build(connection: Connection, { name, definition }: LaterIndex): Promise<void> {
  const [left] = await connection.rows(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1::text)',
    [name],
  )
  if (left?.valid === true) return
  if (left) await connection.script(`DROP INDEX CONCURRENTLY ${name}`)
  await connection.script(`CREATE INDEX CONCURRENTLY ${name} ${definition}`)
}
