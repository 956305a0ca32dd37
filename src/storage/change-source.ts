/** Thrown if some changes were missed: the next ones do not follow the last ones that were read. */
export class ChangesLost extends Error {}

/** A position in the write-ahead log of a database. */
export interface LogPosition {
  /** the log's salts, which identify it; null while the log is empty */
  salts: readonly [number, number] | null
  offset: number
  /** checksum of everything before `offset`, as stored in the log */
  checksum: readonly [number, number]
}

/** The changes of consecutive commits: the last version of each page that they changed. */
export interface Changes {
  pageSize: number
  /** size of the database after the commits, in pages */
  databasePages: number
  /** the changed pages by number, from 1 */
  pages: ReadonlyMap<number, Uint8Array>
  /** true if no further changes followed when these were read */
  isAll: boolean
}

/** A position in the log that a process has stored earlier. */
export interface KnownLog {
  position: LogPosition | null
  /** mark of the database file if it contained all changes; otherwise null */
  mark: string | null
}

/**
 * The changes of an open database, in order and without gaps, including those of other processes. While the
 * source is attached, no process can remove an unread change, so the write-ahead log grows until
 * `checkpoint`.
 */
export interface ChangeSource {
  /**
   * Starts to retain changes. Returns true if they continue `known`; otherwise the caller must checkpoint
   * first.
   */
  attach(known: KnownLog | null): boolean
  /** Stops retaining changes: the database may remove unread ones again, as without a source. */
  detach(): void
  /**
   * Reads the next commits, up to about `bytesMax`; null if there are none. Throws ChangesLost if some were
   * missed.
   */
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
  /** Returns the size of the database and of its pages, in bytes. Valid after `checkpoint`. */
  size(): { bytes: number; pageSize: number }
  /** Reads a part of the database file. Valid after `checkpoint`. */
  readDatabase(offset: number, length: number): Uint8Array
  /** Returns a mark that identifies the content of the database file. Valid after `checkpoint`. */
  mark(): string
  /** Closes the source's connections to the database. */
  stop(): void
  /** Closes the source's files. Must be called after the last connection to the database was closed. */
  close(): void
}

/** A consumer of changes, which keeps a copy of them. */
export interface ChangeSink {
  /** Copies the last changes. Called before the database is closed. */
  stop(): Promise<void>
}
