import { existsSync, rmSync } from 'node:fs'
import { goBack } from './back.ts'
import { ask, type Environment } from './child.ts'
import { fetchRelease, needSpace } from './fetch-release.ts'
import { findNewer, type Source } from './find.ts'
import { lockUpdates } from './lock.ts'
import type { PublicKey } from './minisign.ts'
import { install, type Journal, type Place, readJournal, tidy, writeJournal } from './place.ts'
import type { Database } from './port.ts'
import { becomesReady, type Readiness } from './readiness.ts'
import type { Unit } from './unit.ts'
import { UpdateError } from './update-error.ts'

const MB = 1024 * 1024
const ASK_MS = 60_000
/** Min time for the former version to become ready again. */
const FORMER_MS = 60_000
const TRIAL_MS = 60 * 60_000
/**
 * Number of times that the database must fit on the disk: as the backup, as the copy of the trial, as the
 * copy that its migration makes, and as what the migration writes.
 */
const COPIES = 4

/** The resources of an update. */
export interface Parts {
  place: Place
  source: Source
  database: Database
  dataDir: string
  /** environment of the executables that are run */
  environment: Environment
  /** the unit that runs the server; null if systemd does not run it */
  unit: Unit | null
  readiness: Readiness
  /** max time for a server to become ready, without its migrations */
  readyMs: number
  freeBytes(folder: string): number
  now(): number
  /** shows a line to the person who waits */
  say(line: string): void
}

interface Updated {
  from: string
  /** the version that is installed now; null if there is no newer one */
  to: string | null
  /** the backup that was made; null if there is no database in a file */
  backup: string | null
  /** true if the new version runs and is ready; otherwise the server has to be started */
  isReady: boolean
}

async function alone<T>({ lock }: Place, work: () => Promise<T>): Promise<T> {
  const unlock = lockUpdates(lock)
  if (unlock === null) throw new UpdateError('Another update is running. Nothing was changed.')
  try {
    return await work()
  } finally {
    unlock()
  }
}

const versionOf = async (executable: string, environment: Environment): Promise<string> =>
  String((await ask(executable, ['version'], environment, ASK_MS)).version)

const runningUnit = async (unit: Unit | null): Promise<Unit | null> =>
  (await unit?.isActive()) ? unit : null

/** Tries the new executable on a copy of the database. Returns the backup, and how long the trial took. */
async function tryOnCopy({ database, place, environment, say, ...parts }: Parts, version: string) {
  if (!database.isFile) {
    say('The database is in PostgreSQL, so the new version is not tried on a copy of it.')
    return { backup: null, ms: 0 }
  }
  if (!(await database.exists())) return { backup: null, ms: 0 }
  needSpace(parts.dataDir, COPIES * (await database.bytes()) + 64 * MB, parts.freeBytes)
  const backup = await database.backUp()
  say(`Backed up the database to ${backup}`)
  const since = performance.now()
  say(`Trying Florin ${version} on a copy of the database`)
  try {
    await ask(place.download, ['update', '--trial', backup], environment, TRIAL_MS)
  } catch (error) {
    const { message } = error as Error
    throw new UpdateError(
      `Florin ${version} cannot use a copy of the database, so it was not installed: ${message}`,
    )
  }
  return { backup, ms: performance.now() - since }
}

/**
 * Starts the new version. If it is not ready in time, goes back to the former one and throws an UpdateError.
 */
async function startNew(parts: Parts, unit: Unit, { from, to }: Journal, mostMs: number): Promise<void> {
  const { place, readiness, say } = parts
  const before = await unit.pid()
  say(`Restarting the server with Florin ${to}`)
  await unit.restart()
  if (await becomesReady(unit, before, mostMs, readiness)) return tidy(place)
  say(`Florin ${to} is not ready. Going back to ${from}`)
  await unit.stop()
  let outcome: string
  try {
    outcome = await goBack(parts)
  } catch (error) {
    await unit.start()
    throw error
  }
  say(`Starting Florin ${from}`)
  await unit.start()
  tidy(place)
  const isReady = await becomesReady(unit, 0, Math.max(mostMs, FORMER_MS), readiness)
  throw new UpdateError(
    `Florin ${to} was not ready within ${Math.round(mostMs / 1000)} s, so ${from} is installed again` +
      `${isReady ? ' and ready' : ', but it is not ready either: see journalctl -u florin'}. ${outcome}`,
  )
}

/**
 * Finishes an update that was interrupted after it replaced the executable. Returns null if there was no such
 * update.
 */
async function resume(parts: Parts): Promise<Updated | null> {
  const { place, unit, environment, say } = parts
  const journal = readJournal(place)
  if (journal === null || unit === null) {
    tidy(place)
    return null
  }
  const { from, to } = journal
  const installed = await versionOf(place.executable, environment).catch(() => null)
  if (installed === from || !existsSync(place.previous)) {
    say(`An update from ${from} to ${to} was interrupted; ${installed} is installed`)
    if (!(await unit.isActive())) await unit.start()
    tidy(place)
    return null
  }
  say(`An update from ${from} to ${to} was interrupted; continuing`)
  await startNew(parts, unit, journal, parts.readyMs)
  return { from, to, backup: null, isReady: true }
}

/** Installs the newest version. Throws an UpdateError if that is refused or fails. */
export const update = (parts: Parts, key: PublicKey): Promise<Updated> =>
  alone(parts.place, async () => {
    const resumed = await resume(parts)
    if (resumed !== null) return resumed
    const { place, source, unit, say } = parts
    const { version: from } = source
    const newer = await findNewer(source)
    if (newer === null) return { from, to: null, backup: null, isReady: false }
    const { release } = newer
    const { version: to } = release
    try {
      say(`Downloading Florin ${to}`)
      await fetchRelease({ ...parts, key }, release)
      const { backup, ms } = await tryOnCopy(parts, to)
      const running = await runningUnit(unit)
      if (running !== null) writeJournal(place, { from, to })
      say(`Installing Florin ${to}`)
      install(place)
      if (running !== null) await startNew(parts, running, { from, to }, parts.readyMs + 3 * ms)
      return { from, to, backup, isReady: running !== null }
    } finally {
      rmSync(place.download, { force: true })
    }
  })

interface RolledBack {
  from: string
  to: string
  /** a sentence that says what was done with the database */
  database: string
  isReady: boolean
}

/**
 * Goes back to the version from before the last update. Throws an UpdateError if that is refused or fails.
 */
export const rollBack = (parts: Omit<Parts, 'source'>): Promise<RolledBack> =>
  alone(parts.place, async () => {
    const { place, unit, environment, database, readiness, readyMs, say } = parts
    if (!existsSync(place.previous)) {
      throw new UpdateError(`There is no previous version: ${place.previous} does not exist.`)
    }
    const from = await versionOf(place.executable, environment).catch(() => 'that does not run')
    const to = await versionOf(place.previous, environment)
    if (from === to) throw new UpdateError(`The previous version is ${to} too. Nothing was changed.`)
    const running = await runningUnit(unit)
    if (running === null && (await database.exists()) && (await database.isInUse())) {
      throw new UpdateError('A server or another command is using the database. Stop it first.')
    }
    say(`Going back to Florin ${to}`)
    await running?.stop()
    let outcome: string
    try {
      outcome = await goBack(parts)
    } finally {
      await running?.start()
    }
    tidy(place)
    if (running !== null && !(await becomesReady(running, 0, readyMs, readiness))) {
      throw new UpdateError(
        `Florin ${to} is installed again, but it is not ready: see journalctl -u florin. ${outcome}`,
      )
    }
    return { from, to, database: outcome, isReady: running !== null }
  })
