import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { KnownLog } from '../storage/change-source.ts'
import type { Captured, Shipped } from './line.ts'
import { decodePages, encodePages } from './pages.ts'
import { hashOf } from './store.ts'

/** Changes in a file, which follow the last stored segment. */
export interface Rest {
  /** of the file */
  hash: string
  /** how far the log was read with them */
  log: KnownLog
  at: number
}

/** What the machine of the database knows about its replica. */
export interface ReplicaNote {
  /** which store it is about */
  store: string
  /** the last segment that was stored; null if a new generation has to begin */
  shipped: Shipped | null
  /** changes that are neither stored nor in the log any more, but in a file beside the note */
  rest: Rest | null
  serial: number
  /** the newest moment that can be restored; null if none can */
  restorableAt: number | null
  /** what is wrong, as a sentence */
  problem: string | null
  notedAt: number
}

const ownerFile = (dataDir: string): string => join(dataDir, 'florin.replica-owner')
const restFile = (dataDir: string): string => join(dataDir, 'florin.replica-rest')
const noteFile = (dataDir: string): string => join(dataDir, 'florin.replica')

function replaceFile(file: string, text: string | Uint8Array, isFlushed: boolean): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    if (isFlushed) fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(file))
    chownSync(`${file}.new`, uid, gid)
  }
  renameSync(`${file}.new`, file)
}

/** The ID of this installation, which its replica is marked with. */
export function ownerOf(dataDir: string): string {
  const file = ownerFile(dataDir)
  if (!existsSync(file)) replaceFile(file, randomBytes(12).toString('hex'), true)
  return readFileSync(file, 'latin1')
}

/** Makes this installation the one that a replica is marked with. */
export const adoptOwner = (dataDir: string, owner: string): void =>
  replaceFile(ownerFile(dataDir), owner, true)

export function readNote(dataDir: string, store: string): ReplicaNote | null {
  try {
    const note: ReplicaNote = JSON.parse(readFileSync(noteFile(dataDir), 'utf8'))
    return note.store === store ? note : null
  } catch {
    return null
  }
}

/** Writes changes to a file, for a next process. `log` is how far the log was read with them. */
export function keepRest(dataDir: string, waiting: readonly Captured[], log: KnownLog): Rest {
  const pages = new Map(waiting.flatMap(({ changes }) => [...changes.pages]))
  const { changes, at } = waiting.at(-1)!
  const { pageSize, databasePages } = changes
  for (const number of pages.keys()) if (number > databasePages) pages.delete(number)
  const bytes = encodePages({ head: { databasePages }, pageSize, pages })
  replaceFile(restFile(dataDir), bytes, false)
  return { hash: hashOf(bytes), log, at }
}

/** What the process before left; null if it is not there or not whole. */
export function readRest(dataDir: string, { hash, log, at }: Rest): Captured | null {
  try {
    const bytes = readFileSync(restFile(dataDir))
    if (hashOf(bytes) !== hash) return null
    const { head, pageSize, pages } = decodePages<{ databasePages: number }>(bytes)
    return { changes: { ...head, pageSize, pages, isAll: false }, log, at }
  } catch {
    return null
  }
}

export const dropRest = (dataDir: string): void => rmSync(restFile(dataDir), { force: true })

/** The note of a server, which writes it every second. */
export class Notes {
  #last: Omit<ReplicaNote, 'store'> | null = null

  constructor(
    private readonly dataDir: string,
    private readonly store: string,
    private readonly everyMs: number,
  ) {}

  read = (): ReplicaNote | null => readNote(this.dataDir, this.store)

  /**
   * Writes a note, unless it has no news. It is not flushed: after a power failure, an older note or none
   * leads to a new generation at worst.
   */
  write(note: Omit<ReplicaNote, 'store'>, isNow: boolean): void {
    const last = this.#last
    const isOld = note.notedAt - (last?.notedAt ?? 0) >= this.everyMs
    if (
      !isNow &&
      !isOld &&
      note.problem === last?.problem &&
      note.shipped === last?.shipped &&
      note.rest === last?.rest
    )
      return
    try {
      replaceFile(noteFile(this.dataDir), JSON.stringify({ store: this.store, ...note }), false)
      this.#last = note
    } catch {
      // A disk that is full. The next start begins a new generation.
    }
  }
}
