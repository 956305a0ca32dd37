/** Some changes were missed: the next ones do not follow the last ones that were read. */
export class ChangesLost extends Error {}

/** A position in the write-ahead log of a database. */
export interface LogPosition {
  /** identify the log; null while it is empty */
  salts: readonly [number, number] | null
  offset: number
  /** checksum of everything before `offset`, as stored in the log */
  checksum: readonly [number, number]
}

/** Consecutive commits: the last version of each page that they changed. */
export interface Changes {
  pageSize: number
  /** size of the database after them */
  databasePages: number
  /** by number, from 1 */
  pages: ReadonlyMap<number, Uint8Array>
  /** true if there were no further changes when they were read */
  isAll: boolean
}

/** The position in the log that a process knows from an earlier time. */
export interface KnownLog {
  position: LogPosition | null
  /** mark of the database file if it contained all changes; otherwise null */
  mark: string | null
}

/**
 * The changes of an open database, in order and without gaps, including those of other processes. While
 * attached, no process can remove an unread change, so the write-ahead log grows until `checkpoint`.
 */
export interface ChangeSource {
  /**
   * Starts to retain changes. Returns true if they continue `known`; otherwise the caller must checkpoint
   * first.
   */
  attach(known: KnownLog | null): boolean
  /** Lets the database remove changes again, as without a source. */
  detach(): void
  /** Reads the next commits, up to about `bytesMax`; null if there are none. Throws ChangesLost. */
  read(bytesMax: number): Changes | null
  /**
   * Moves all changes into the database file, after passing the unread ones to `rest`. Returns false if
   * another process has to finish first. On success, the file does not change until the next call or
   * `detach`.
   */
  checkpoint(rest: (changes: Changes) => void): boolean
  position(): LogPosition
  /** size of the write-ahead log; 0 if the database file contains all changes */
  logBytes(): number
  /** Size of the database in bytes, and of its pages. Valid after `checkpoint`. */
  size(): { bytes: number; pageSize: number }
  /** Reads a part of the database file. Valid after `checkpoint`. */
  readDatabase(offset: number, length: number): Uint8Array
  /** Identifies the content of the database file. Valid after `checkpoint`. */
  mark(): string
  /** Closes its connections to the database. */
  stop(): void
  /** Called after the last connection to the database was closed. */
  close(): void
}

/** A consumer of changes, which keeps a copy of them. */
export interface ChangeSink {
  /** Called before the database is closed: copies the last changes. */
  stop(): Promise<void>
}
