/** Changes were lost from sight: what follows does not continue what was read. */
export class ChangesLost extends Error {}

/** How far the write-ahead log of a database was read. */
export interface LogPosition {
  /** identify the log; null while it is empty */
  salts: readonly [number, number] | null
  offset: number
  /** of everything before `offset`, as the log has it */
  checksum: readonly [number, number]
}

/** Some commits: each page that they changed, as the last of them left it. */
export interface Changes {
  pageSize: number
  /** how many pages the database has after them */
  databasePages: number
  /** by number; the first page is 1 */
  pages: ReadonlyMap<number, Uint8Array>
  /** there were no more when they were read */
  isAll: boolean
}

/** What a process knows about a database from an earlier time. */
export interface KnownLog {
  position: LogPosition | null
  /** of the database file, when all changes were in it; null if they were not */
  mark: string | null
}

/**
 * The changes of an open database, in order and without a gap, also those of other processes. While it is
 * attached, nobody can remove a change that was not read, so the write-ahead log grows until `checkpoint`.
 */
export interface ChangeSource {
  /** Starts to keep changes. Returns whether `known` is continued; otherwise `checkpoint` begins. */
  attach(known: KnownLog | null): boolean
  /** Lets the database remove changes by itself, as without a source. */
  detach(): void
  /** Reads commits that were not read, in portions; null if there are none. Throws ChangesLost. */
  read(bytesMax: number): Changes | null
  /**
   * Moves all changes into the database file. First passes those that were not read to `rest`. Returns false
   * if another process has to finish first. The file then stays as it is until the next call, or `detach`.
   */
  checkpoint(rest: (changes: Changes) => void): boolean
  position(): LogPosition
  /** the size of the write-ahead log, while it has changes that are not in the database file */
  logBytes(): number
  /** the size of the database in bytes and pages, after `checkpoint` */
  size(): { bytes: number; pageSize: number }
  /** Reads a part of the database file, after `checkpoint`. */
  readDatabase(offset: number, length: number): Uint8Array
  /** Identifies the content of the database file, after `checkpoint`. */
  mark(): string
  /** Closes its connections to the database. */
  stop(): void
  /** After the last connection to the database was closed. */
  close(): void
}

/** What keeps a copy of the changes. */
export interface ChangeSink {
  /** Before the database is closed: copies the last changes. */
  stop(): Promise<void>
}
