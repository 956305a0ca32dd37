import { Database } from 'bun:sqlite'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { mirrorOf } from '../support/mirror.ts'
import { newEmptyDatabase } from '../support/postgres.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { startRelay } from '../support/silent-relay.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

const MEMORY = '/dev/shm'
const TORN_BYTES = 5000

/** The storage of one machine: a folder, or a database on a server. */
export interface Disk {
  readonly folder: string
  /** Prepares the storage for a machine. Returns the settings that name its database. */
  open(): Promise<Record<string, string>>
  /**
   * Call when its machine crashes: whatever that machine still writes changes nothing. Returns the storage as
   * the next machine finds it.
   */
  leave(isTorn: boolean): Disk
  /** Runs work that reads the rows of the database. */
  read<T>(work: (database: Database) => T): T
  remove(): void
}

/** The database of a world, and the storage of each machine that uses it. */
export interface Ground {
  disks: Disk[]
  remove(): Promise<void>
}

/** A folder for a database. It is in memory if the system has such a folder. */
export function newFolder(): string {
  const places = [MEMORY, tmpdir()]
  for (const place of places) {
    try {
      return mkdtempSync(join(place, 'florin-world-'))
    } catch {}
  }
  throw new Error(`Neither ${places.join(' nor ')} can be written to.`)
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Appends meaningless bytes after the last commit, as a write does that a crash interrupts. */
function tear(folder: string): void {
  const [log] = readdirSync(folder).filter(name => name.endsWith('-wal'))
  if (log) appendFileSync(join(folder, log), Buffer.alloc(TORN_BYTES, 0xa5))
}

/** The storage of a machine whose database is a file. */
const inFolder = (folder: string): Disk => ({
  folder,
  open: async () => ({}),
  leave(isTorn) {
    const left = newFolder()
    for (const file of readdirSync(folder).filter(name => !name.endsWith('-shm')))
      cpSync(join(folder, file), join(left, file))
    if (isTorn) tear(left)
    return inFolder(left)
  },
  read(work) {
    const database = new Database(databaseFile(folder), { readonly: true })
    try {
      return work(database)
    } finally {
      database.close()
    }
  },
  remove: () => removeFolder(folder),
})

/**
 * The storage of a machine whose database is on a server. All connections of a machine go through a relay,
 * which is cut when the machine crashes. The machines share the file with the key of the credentials.
 */
function onServer(url: string, secretsFile: string): Disk {
  const folder = newFolder()
  let relay: Awaited<ReturnType<typeof startRelay>> | null = null
  return {
    folder,
    async open() {
      relay?.stop()
      const { hostname: host, port } = new URL(url)
      relay = await startRelay({ host, port: Number(port) })
      const own = new URL(url)
      own.port = `${relay.port}`
      return { FLORIN_DATABASE_URL: own.href, FLORIN_SECRETS_FILE: secretsFile }
    },
    leave() {
      relay?.stop()
      return onServer(url, secretsFile)
    },
    read(work) {
      const copy = mirrorOf(url)
      try {
        return work(copy)
      } finally {
        copy.close()
      }
    },
    remove() {
      relay?.stop()
      removeFolder(folder)
    },
  }
}

let empty: Promise<Buffer> | undefined

/**
 * An empty database in a file. Its migrations run only once in a process. Without `isMigrated`, the first
 * server runs them.
 */
async function newFile(now: number, isMigrated: boolean): Promise<Ground> {
  const folder = newFolder()
  const ground = { disks: [inFolder(folder)], remove: async () => {} }
  if (!isMigrated) return ground
  const file = databaseFile(folder)
  empty ??= openStorage(file, now)
    .close()
    .then(() => readFileSync(file))
  writeFileSync(file, await empty, { mode: 0o600 })
  return ground
}

/** An empty database on a server, which two machines share. */
async function newDatabase(isMigrated: boolean): Promise<Ground> {
  const { url, drop } = await (isMigrated ? newPostgresDatabase() : newEmptyDatabase())
  const shared = newFolder()
  const disks = [1, 2].map(() => onServer(url, join(shared, 'secrets.key')))
  const remove = async (): Promise<void> => {
    removeFolder(shared)
    await drop()
  }
  return { disks, remove }
}

/** Makes the database of a world. Without `isMigrated`, it has no tables of this version yet. */
export const newGround = (engine: Engine, now: number, isMigrated: boolean): Promise<Ground> =>
  engine === 'postgres' ? newDatabase(isMigrated) : newFile(now, isMigrated)
