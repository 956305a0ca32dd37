import { postgresMigrations } from '../../../migrations/postgres/index.ts'
import { DatabaseError } from '../engine.ts'
import {
  type AppliedMigration,
  compareSchema,
  hashOf,
  type Migration,
  type SchemaState,
  unreleasedVersion,
} from '../migrations.ts'
import type { Connection } from './connection.ts'

const ELSEWHERE = 'Set FLORIN_DATABASE_URL to an empty database'

/**
 * Returns true if there is a table of migrations. Every new connection asks this, so it does not list all
 * tables, which takes PostgreSQL 2 ms.
 */
async function hasMigrations(connection: Connection): Promise<boolean> {
  const [row] = await connection.rows("SELECT to_regclass('migrations') IS NOT NULL AS found")
  return row?.found === true
}

async function appliedMigrations(connection: Connection): Promise<AppliedMigration[]> {
  if (!(await hasMigrations(connection))) {
    const [other] = await connection.rows(
      'SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LIMIT 1',
    )
    if (!other) return []
    throw new DatabaseError(`The database contains tables of another program. ${ELSEWHERE}.`)
  }
  const rows = await connection.rows(
    "SELECT name, hash, (to_json(m) ->> 'expands')::int AS expands FROM migrations m ORDER BY name",
  )
  if (rows.some(({ expands }) => expands === null)) throw unreleasedVersion(ELSEWHERE)
  return rows as unknown as AppliedMigration[]
}

/**
 * Compares the schema with that of this version. Throws a DatabaseError if the database belongs to another
 * program, or if this version cannot use it.
 */
export async function readSchema(connection: Connection): Promise<SchemaState & { isEmpty: boolean }> {
  const applied = await appliedMigrations(connection)
  return { ...compareSchema(applied, ELSEWHERE, postgresMigrations), isEmpty: applied.length === 0 }
}

/** Throws a DatabaseError if this version cannot use the database as it is now. */
export async function checkSchema(connection: Connection): Promise<void> {
  const { pending } = await readSchema(connection)
  if (pending.length > 0) throw new DatabaseError('The database has pending migrations.')
}

/** Applies migrations, each in a transaction. No other process may be using the database. */
export async function applyMigrations(
  connection: Connection,
  pending: Migration[],
  now: number,
): Promise<string[]> {
  for (const migration of pending) {
    try {
      await apply(connection, migration, now)
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => {})
      throw new DatabaseError(
        `The migration ${migration.name} failed and changed nothing: ${(error as Error).message}. ` +
          'Use the previous version of Florin until this is solved.',
      )
    }
  }
  return pending.map(({ name }) => name)
}

async function apply(connection: Connection, migration: Migration, now: number): Promise<void> {
  await connection.script('BEGIN')
  await migrateWithin(connection, migration, now)
  const tag = await connection.script('COMMIT')
  if (tag !== 'COMMIT') throw new Error('the database rolled it back')
}

/** Applies a migration in the current transaction. */
export async function migrateWithin(
  connection: Connection,
  migration: Migration,
  now: number,
): Promise<void> {
  if (!(await hasMigrations(connection))) {
    await connection.script(
      'CREATE TABLE migrations (name TEXT COLLATE "C" PRIMARY KEY, hash TEXT NOT NULL, ' +
        'applied_at BIGINT NOT NULL, expands BIGINT NOT NULL)',
    )
  }
  await connection.script(migration.sql)
  await noteMigration(connection, migration, now)
}

/** Records that a migration was applied. */
export async function noteMigration(
  connection: Connection,
  migration: Migration,
  now: number,
): Promise<void> {
  await connection.rows('INSERT INTO migrations (name, hash, applied_at, expands) VALUES ($1, $2, $3, $4)', [
    migration.name,
    hashOf(migration),
    now,
    migration.expands ? 1 : 0,
  ])
}
