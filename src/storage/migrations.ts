import { createHash } from 'node:crypto'
import type { Migration } from '../../migrations/index.ts'
import { Refusal } from '../domain/errors.ts'
import { DatabaseError } from './engine.ts'

export type { Migration }

/** A row of the table `migrations`. */
export interface AppliedMigration {
  name: string
  hash: string
  /** 1 if versions that do not know it can use the database, otherwise 0 */
  expands: number
}

/** What this version knows of the schema of a database. */
export interface SchemaState {
  pending: Migration[]
  /** the migrations of newer versions, with which this version can use the database */
  newer: string[]
}

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')

/** How to use another database than the one that is refused. */
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
 * Compares the migrations that were applied with those of this version. Throws a DatabaseError for another
 * program's or version's database.
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
