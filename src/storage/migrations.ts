import { createHash } from 'node:crypto'
import type { Migration } from '../../migrations/index.ts'
import { Refusal } from '../domain/errors.ts'
import { DatabaseError } from './engine.ts'

export type { Migration }

/** A row of the table `migrations`. */
export interface AppliedMigration {
  name: string
  hash: string
  /** 1 if older versions can use the database after this migration, otherwise 0 */
  expands: number
}

/** The difference between the schema of a database and that of this version. */
export interface SchemaState {
  pending: Migration[]
  /** migrations of newer versions that this version can work with */
  newer: string[]
}

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')

/** A sentence that says how to use another database instead of the refused one. */
type Remedy = string

export const unreleasedVersion = (remedy: Remedy): DatabaseError =>
  new DatabaseError(
    'The database was created by an unreleased version of Florin and cannot be migrated. ' +
      `${remedy}, or keep using that version.`,
  )

const newerVersion = (name: string): DatabaseError =>
  new DatabaseError(
    `The database was written by a newer version of Florin (it has the migration ${name}, which needs that ` +
      'version). Use that version, or restore an older backup.',
    { cause: new Refusal('storage_unavailable') },
  )

/**
 * Compares the applied migrations with those of this version. Throws a DatabaseError if the database belongs
 * to another program or an incompatible version.
 */
export function compareSchema(
  applied: readonly AppliedMigration[],
  remedy: Remedy,
  all: readonly Migration[],
): SchemaState {
  const newer: string[] = []
  for (const [at, row] of applied.entries()) {
    const known = all[at]
    if (known && (known.name !== row.name || hashOf(known) !== row.hash)) throw unreleasedVersion(remedy)
    if (known) continue
    if (row.expands !== 1) throw newerVersion(row.name)
    newer.push(row.name)
  }
  return { pending: all.slice(applied.length), newer }
}
