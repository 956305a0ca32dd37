import { ask, type Environment } from './child.ts'
import { type Place, takeBack } from './place.ts'
import type { Database } from './port.ts'
import { UpdateError } from './update-error.ts'

const MIGRATE_MS = 30 * 60_000

interface Way {
  place: Place
  database: Database
  environment: Environment
  now(): number
}

/**
 * Returns the reason why the previous executable cannot use the database; null if it can. If it cannot, the
 * database is not changed.
 */
async function refusalOf({ place, environment }: Way): Promise<string | null> {
  try {
    await ask(place.previous, ['migrate'], environment, MIGRATE_MS)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Puts the previous executable back. If it cannot use the database, also puts back the copy from before the
 * migration. No server may be running. Throws an UpdateError, and changes nothing, if writes would be lost.
 * Returns a sentence about the database.
 */
export async function goBack(way: Way): Promise<string> {
  const { place, database } = way
  const refusal = (await database.exists()) ? await refusalOf(way) : null
  if (refusal === null) {
    takeBack(place)
    return 'The database was kept as it is.'
  }
  const undone = await database.undoMigration(way.now())
  if (undone === null) {
    throw new UpdateError(
      `The previous version cannot use the database (${refusal.replace(/[.]$/, '')}), and the newer one ` +
        'has written to it since it was migrated. Those writes would be lost, so nothing was put back. ' +
        'Find out why the newer version is not ready: journalctl -u florin. "Upgrades" in the operations ' +
        'guide says how to go back to a copy all the same.',
    )
  }
  takeBack(place)
  const { copy, replaced } = undone
  return `Nothing was written since the migration, so ${copy} was put back. The migrated one is ${replaced}.`
}
