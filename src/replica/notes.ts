import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { KnownLog } from '../storage/change-source.ts'

/** What the machine of the database knows about its replica. */
export interface ReplicaNote {
  /** which store it is about */
  store: string
  /** the last segment that was stored; null if a new generation has to begin */
  shipped: { generation: string; sequence: number; hash: string; log: KnownLog } | null
  serial: number
  /** the newest moment that can be restored; null if none can */
  restorableAt: number | null
  /** what is wrong, as a sentence */
  problem: string | null
  notedAt: number
}

const ownerFile = (dataDir: string): string => join(dataDir, 'florin.replica-owner')
const noteFile = (dataDir: string): string => join(dataDir, 'florin.replica')

function replaceFile(file: string, text: string, isFlushed: boolean): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(handle, text)
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
    if (!isNow && !isOld && note.problem === last?.problem && note.shipped === last?.shipped) return
    try {
      replaceFile(noteFile(this.dataDir), JSON.stringify({ store: this.store, ...note }), false)
      this.#last = note
    } catch {
      // A disk that is full. The next start begins a new generation.
    }
  }
}
