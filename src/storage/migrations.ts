import { createHash } from 'node:crypto'
import { migrations } from '../../migrations/index.ts'
import { DatabaseError } from './engine.ts'

export interface Migration {
  /** NNNN_name */
  name: string
  sql: string
}

/** A row of the table `migrations`. */
export interface AppliedMigration {
  name: string
  hash: string
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
    `The database was written by a newer version of Florin (it has the migration ${name}). ` +
      'Use that version, or restore an older backup.',
  )

/** The migrations after those that were applied. Throws a DatabaseError for another version's database. */
export function pendingAfter(
  applied: readonly AppliedMigration[],
  remedy: Remedy,
  all: Migration[] = migrations,
): Migration[] {
  for (const [at, { name, hash }] of applied.entries()) {
    const known = all[at]
    if (!known) throw newerVersion(name)
    if (known.name !== name || hashOf(known) !== hash) throw unreleasedVersion(remedy)
  }
  return all.slice(applied.length)
}
