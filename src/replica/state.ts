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
import type { Log } from '../domain/log.ts'
import { ChangesLost, type KnownLog } from '../storage/change-source.ts'
import { DatabaseError } from '../storage/engine.ts'
import {
  decodePages,
  encodePages,
  type PendingChanges,
  type ReplicaPosition,
  type SegmentQueue,
} from './segment.ts'
import { hashOf } from './store.ts'

/**
 * The changes in the spill file, which follow the newest uploaded segment. Stored as JSON with these field
 * names.
 */
interface Spill {
  /** hash of the spill file */
  hash: string
  /** position in the write-ahead log after these changes */
  log: KnownLog
  at: number
}

/**
 * The content of `florin.replica`, for the next process and florin doctor. Stored as JSON with these field
 * names.
 */
interface ReplicaState {
  /** name of the store; the state is ignored if another one is configured */
  store: string
  /** position from which the next process continues; null if it must begin a new generation */
  shipped: ReplicaPosition | null
  rest: Spill | null
  /** serial number of the newest manifest that was read or written */
  serial: number
  /** time of the newest restorable state; null if nothing can be restored */
  restorableAt: number | null
  /** the current failure, as a sentence; null if there is none */
  problem: string | null
  notedAt: number
}

const stateFile = (dataDir: string): string => join(dataDir, 'florin.replica')
const ownerFile = (dataDir: string): string => join(dataDir, 'florin.replica-owner')
const spillFile = (dataDir: string): string => join(dataDir, 'florin.replica-rest')

function replaceFile(file: string, content: string | Uint8Array, isFlushed: boolean): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeFileSync(handle, content)
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

/** The ID of this installation, which marks its replica. Creates one if necessary. */
export function ownerOf(dataDir: string): string {
  const file = ownerFile(dataDir)
  if (!existsSync(file)) replaceFile(file, randomBytes(12).toString('hex'), true)
  return readFileSync(file, 'latin1')
}

/** Gives this installation the ID of a replica, so that it may take the lease. */
export const adoptOwner = (dataDir: string, owner: string): void =>
  replaceFile(ownerFile(dataDir), owner, true)

/** Reads the state; null if there is none, or if it belongs to another store. */
export function readState(dataDir: string, store: string): ReplicaState | null {
  try {
    const state: ReplicaState = JSON.parse(readFileSync(stateFile(dataDir), 'utf8'))
    return state.store === store ? state : null
  } catch {
    return null
  }
}

/** Progress of a replica, stored beside the database for the next process. */
export class LocalState {
  /** state of the previous process; null if there is none */
  readonly found: ReplicaState | null
  /** newest confirmed segment; null if a new generation must begin */
  position: ReplicaPosition | null
  /** time of the newest restorable state; null if nothing can be restored */
  restorableAt: number | null
  /** position as last written to the file */
  #saved: ReplicaPosition | null
  #spill: Spill | null
  #written: ReplicaState | null = null

  constructor(
    private readonly dataDir: string,
    private readonly store: string,
    private readonly everyMs: number,
  ) {
    this.found = readState(dataDir, store)
    this.position = this.found?.shipped ?? null
    this.#saved = this.position
    this.#spill = this.found?.rest ?? null
    this.restorableAt = this.found?.restorableAt ?? null
    if (!this.#spill) this.#dropSpill()
  }

  /** Position up to which the write-ahead log was read, including the changes in the spill file. */
  log = (): KnownLog | null => this.#spill?.log ?? this.position?.log ?? null

  hasSpill = (): boolean => this.#spill !== null

  /**
   * Writes changes to the spill file, because the write-ahead log may lose them before they are uploaded.
   * `log` is the position in the write-ahead log after them.
   */
  spill(pending: readonly PendingChanges[], log: KnownLog): void {
    const pages = new Map(pending.flatMap(({ changes }) => [...changes.pages]))
    const { changes, at } = pending.at(-1)!
    const { pageSize, databasePages } = changes
    for (const number of pages.keys()) if (number > databasePages) pages.delete(number)
    const bytes = encodePages({ head: { databasePages }, pageSize, pages })
    replaceFile(spillFile(this.dataDir), bytes, false)
    this.#spill = { hash: hashOf(bytes), log, at }
  }

  /**
   * Reads the spill file; null if there is none. Throws ChangesLost if the file is missing or was changed.
   */
  readSpill(): PendingChanges | null {
    if (!this.#spill) return null
    const { hash, log, at } = this.#spill
    try {
      const bytes = readFileSync(spillFile(this.dataDir))
      const { head, pageSize, pages } = decodePages<{ databasePages: number }>(bytes)
      if (hashOf(bytes) === hash) return { changes: { ...head, pageSize, pages, isAll: false }, log, at }
    } catch {
      // An unreadable file is the same as a missing one.
    }
    throw new ChangesLost('the file florin.replica-rest is missing or was changed')
  }

  /** Forgets the position, so that a new generation begins. */
  reset(): void {
    this.position = null
    this.#saved = null
    this.#spill = null
    this.#dropSpill()
  }

  /**
   * Writes the state if it changed, if the stored one is old, or if `isNow`. `isListed` is true if the stored
   * manifest lists the run of this process. Until then, the stored position stays that of the previous
   * process, because the next process must continue from there.
   *  The file is not flushed: at worst, an older state after a power failure leads to a new generation.
   */
  save(
    queue: SegmentQueue | null,
    isListed: boolean,
    facts: Pick<ReplicaState, 'serial' | 'problem' | 'notedAt'>,
    isNow: boolean,
  ): void {
    const spill = this.#spill
    const isUploaded =
      isListed && spill !== null && queue !== null && !queue.pending().some(({ log }) => log === spill.log)
    if (isListed) this.#saved = this.position
    if (isUploaded) this.#spill = null
    const { store, restorableAt } = this
    const state = { store, ...facts, shipped: this.#saved, rest: this.#spill, restorableAt }
    const last = this.#written
    const isOld = state.notedAt - (last?.notedAt ?? 0) >= this.everyMs
    const hasNews =
      state.problem !== last?.problem || state.shipped !== last?.shipped || state.rest !== last?.rest
    if (isNow || isUploaded || isOld || hasNews) this.#write(state)
    if (isUploaded) this.#dropSpill()
  }

  #write(state: ReplicaState): void {
    try {
      replaceFile(stateFile(this.dataDir), JSON.stringify(state), false)
      this.#written = state
    } catch {
      // The disk is full. Without a newer state, the next process begins a new generation.
    }
  }

  #dropSpill(): void {
    rmSync(spillFile(this.dataDir), { force: true })
  }
}

/** Current failures, by part of the work. */
export class Problems {
  readonly #reasons = new Map<string, string>()

  constructor(private readonly log: Log) {}

  /** Returns the oldest failure as a sentence; null if there is none. */
  first = (): string | null => this.#reasons.values().next().value ?? null

  begin(part: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    const isExpected = error instanceof DatabaseError || error instanceof ChangesLost
    const isKnown = [...this.#reasons.values()].includes(reason)
    if (!isKnown) this.log[isExpected ? 'warn' : 'error']({ reason }, 'replica.failed')
    this.#reasons.set(part, reason)
  }

  end(part: string): void {
    if (this.#reasons.delete(part) && this.#reasons.size === 0) this.log.info({}, 'replica.works')
  }
}
