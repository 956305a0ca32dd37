import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseCopy } from '../engine.ts'
import { removeDatabase } from './copy.ts'

const KEPT_MS = 30 * 24 * 3600_000

const kinds = ['before', 'replaced'] as const

/** Parses the time in the name of a copy, which has no colons. */
const instantOf = (name: string): number =>
  Date.parse(name.replace(/^.*-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d[.]\d{3}Z)$/, '$1:$2:$3'))

/** Lists the dated copies beside the database, newest first. */
export function listCopies(file: string, only: readonly (typeof kinds)[number][] = kinds): DatabaseCopy[] {
  const folder = dirname(file)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  const pattern = new RegExp(`^${RegExp.escape(basename(file))}[.](${only.join('|')})-[0-9T.Z-]+$`)
  return readdirSync(folder)
    .filter(name => pattern.test(name) && !Number.isNaN(instantOf(name)))
    .map(name => ({
      file: join(folder, name),
      at: instantOf(name),
      bytes: statSync(join(folder, name)).size,
    }))
    .sort((a, b) => b.at - a.at)
}

/** Removes copies older than 30 days, but never the newest of each kind. */
export function pruneCopies(file: string, now: number): void {
  for (const kind of kinds) {
    const [, ...older] = listCopies(file, [kind])
    for (const copy of older) if (now - copy.at > KEPT_MS) removeDatabase(copy.file)
  }
}

function lastMigration(file: string): string | null {
  const database = new Database(file, { readwrite: true, create: false })
  try {
    const query = 'SELECT MAX(name) AS name FROM migrations'
    return database.query<{ name: string | null }, []>(query).get()?.name ?? null
  } catch {
    return null
  } finally {
    database.close()
  }
}

/** Removes copies that earlier tries of the same migration made. */
export function removeEarlierTries(file: string, copy: string): void {
  const last = lastMigration(copy)
  for (const other of listCopies(file, ['before'])) {
    if (other.file !== copy && lastMigration(other.file) === last) removeDatabase(other.file)
  }
}
