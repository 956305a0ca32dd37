import { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import {
  type ChangeSource,
  type Changes,
  ChangesLost,
  type KnownLog,
  type LogPosition,
} from '../change-source.ts'
import { isBusy } from './files.ts'
import { hasPosition, positionAfter, readCommits } from './wal.ts'

/**
 * Max pages in the log before a commit checkpoints them, while no source reads the log. It is SQLite's
 * default.
 */
const PAGES_KEPT = 1000
const nothing: LogPosition = { salts: null, offset: 0, checksum: [0, 0] }

/** Position in the file's header of the change counter and the size of the database. */
const COUNTERS_AT = 24
const COUNTERS_BYTES = 16

interface LogState {
  /** number of frames in the log, and of those that are already in the database file */
  log: number
  checkpointed: number
}

function connect(file: string): Database {
  const database = new Database(file, { readwrite: true, create: false, strict: true })
  database.run('PRAGMA busy_timeout = 0')
  database.run('PRAGMA wal_autocheckpoint = 0')
  return database
}

/**
 * Reads the changes in the write-ahead log. A long read transaction keeps all processes from restarting the
 * log. If it began when the database file contained the whole log, it also keeps them from writing to the
 * file. It is renewed only while no process can commit.
 */
export class SqliteChanges implements ChangeSource {
  readonly #pin: Database
  readonly #gate: Database
  readonly #look: Database
  #position = nothing
  #isKnown = false
  /** True if the database file contains the whole log, so that the next commit may restart it. */
  #mayRestart = false
  /**
   * The open database file. It is not closed before the database, because that would release this process's
   * locks.
   */
  #handle: number | null = null

  constructor(
    private readonly file: string,
    private readonly writing: Database,
  ) {
    this.#pin = connect(file)
    this.#gate = connect(file)
    this.#look = connect(file)
  }

  attach(known: KnownLog | null): boolean {
    this.writing.run('PRAGMA wal_autocheckpoint = 0')
    this.#hold()
    this.#mayRestart = false
    const position = known && this.#continued(known)
    this.#isKnown = position !== null
    this.#position = position ?? nothing
    return this.#isKnown
  }

  #continued({ position, mark }: KnownLog): LogPosition | null {
    const { log } = this.#state('NOOP')
    if (position !== null && hasPosition(this.file, position, log)) return position
    return mark !== null && mark === this.mark() ? (positionAfter(this.file, 0) ?? nothing) : null
  }

  detach(): void {
    this.#letGo()
    this.#isKnown = false
    this.writing.run(`PRAGMA wal_autocheckpoint = ${PAGES_KEPT}`)
  }

  read(bytesMax: number): Changes | null {
    const { log } = this.#state('NOOP')
    const options = { frames: log, mayRestart: this.#mayRestart, bytesMax }
    const { changes, position } = readCommits(this.file, this.#position, options)
    if (changes) this.#mayRestart = false
    this.#position = position
    return changes
  }

  checkpoint(rest: (changes: Changes) => void): boolean {
    try {
      this.#gate.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
    try {
      for (let changes = this.#rest(); changes; changes = this.#rest()) rest(changes)
      this.#letGo()
      const { log, checkpointed } = this.#state('PASSIVE')
      this.#hold()
      const end = (log > 0 ? positionAfter(this.file, log) : this.#position) ?? nothing
      if (this.#isKnown && end.offset !== this.#position.offset) {
        throw new ChangesLost('the write-ahead log has changes that were not read')
      }
      this.#mayRestart = log === checkpointed
      this.#isKnown = true
      this.#position = end
      return this.#mayRestart
    } finally {
      this.#gate.run('ROLLBACK')
    }
  }

  #rest = (): Changes | null => (this.#isKnown ? this.read(Number.POSITIVE_INFINITY) : null)

  position = (): LogPosition => this.#position

  logBytes(): number {
    const { log, checkpointed } = this.#state('NOOP')
    return log > checkpointed ? log * this.size().pageSize : 0
  }

  size(): { bytes: number; pageSize: number } {
    const number = (name: string): number => Number(this.#pin.query(`PRAGMA ${name}`).values()[0]?.[0])
    const pageSize = number('page_size')
    return { bytes: number('page_count') * pageSize, pageSize }
  }

  readDatabase(offset: number, length: number): Uint8Array {
    this.#handle ??= openSync(this.file, 'r')
    const bytes = new Uint8Array(length)
    if (readSync(this.#handle, bytes, 0, length, offset) < length) {
      throw new ChangesLost('the database file became shorter')
    }
    return bytes
  }

  mark(): string {
    const { ino, size, mtimeNs } = statSync(this.file, { bigint: true })
    const counters = Buffer.from(this.readDatabase(COUNTERS_AT, COUNTERS_BYTES)).toString('hex')
    return `${ino}:${size}:${mtimeNs}:${counters}`
  }

  stop(): void {
    this.#letGo()
    for (const database of [this.#pin, this.#gate, this.#look]) database.close()
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }

  #state(mode: 'NOOP' | 'PASSIVE'): LogState {
    const [state] = this.#look.query<LogState, []>(`PRAGMA wal_checkpoint(${mode})`).all()
    return { log: Math.max(0, state?.log ?? 0), checkpointed: Math.max(0, state?.checkpointed ?? 0) }
  }

  #hold(): void {
    if (this.#pin.inTransaction) return
    this.#pin.run('BEGIN')
    this.#pin.query('SELECT 1 FROM sqlite_master').all()
  }

  #letGo(): void {
    if (this.#pin.inTransaction) this.#pin.run('ROLLBACK')
  }
}
