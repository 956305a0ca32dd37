import type { BackupRecord } from '../domain/backup.ts'
import type { BackupFile } from '../domain/upkeep.ts'
import type { ChangeSink, ChangeSource } from './change-source.ts'
import type { SlowWork } from './guard.ts'
import type { Storage, Tables } from './port.ts'

/** Thrown for a problem with the database that the operator can fix. The message says how. */
export class DatabaseError extends Error {}

/** Observes writes. They run one after another, and each may run again. */
export interface WriteObserver {
  tables: Tables
  /** called before each run of a write */
  begin(): void
  /**
   * called after each run; the returned function is called once the write is on disk, and never if it fails
   */
  end(): () => void
}

/** Callbacks of the server. */
export interface StorageHooks {
  /** called after each commit that scheduled jobs, with the earliest time at which one is due */
  onScheduled?: (dueAt: number) => void
  /** called once with the tables of writes, to wrap them */
  observe?: (tables: Tables) => WriteObserver
  /** called after work that blocked the database for too long */
  onSlow?: (work: SlowWork) => void
  /** called after each commit, with the time until it was on disk */
  onCommit?: (ms: number) => void
  /** clock of this machine; replaced only by tests */
  ownClock?: () => number
  /** numbers of connections to PostgreSQL; lower only in tests */
  connections?: Connections
}

/** Numbers of connections that read and write at the same time. */
export interface Connections {
  readers: number
  writers: number
}

/** Additional callbacks for a database in a file. */
export interface OpenHooks extends StorageHooks {
  /**
   * called once with the changes of the database; the returned sink is stopped before the database is closed
   */
  replicate?: ((source: ChangeSource) => ChangeSink) | undefined
}

/**
 * Mode of a database: its payments are simulated or real. The first server that uses it sets the mode
 * permanently.
 */
export type DatabaseMode = 'sandbox' | 'live'

/**
 * The use that a process makes of a database. A server creates and migrates the database, and is the only one
 * in its directory. It cannot open a database of the other mode. A command may run beside a server, and never
 * changes an existing schema.
 */
export type DatabaseUse = { as: 'server'; mode: DatabaseMode } | { as: 'command'; mayCreate: boolean }

export interface DatabaseCopy {
  file: string
  /** time when the copy was made */
  at: number
  bytes: number
}

export interface MigrateResult {
  /** the migrations that were applied */
  migrations: string[]
  /** dated copy from before the migration; null if nothing was pending */
  copy: string | null
}

export type DatabaseState =
  | { kind: 'absent' }
  | { kind: 'damaged'; reason: string }
  /** `remedy` is missing if the directory or the version of Florin is wrong */
  | { kind: 'refused'; reason: string; remedy?: string }
  | {
      kind: 'whole'
      pendingMigrations: number
      /** applied migrations of newer versions that this version can work with */
      newerMigrations: string[]
      newestAt: number | null
      /** milliseconds by which the clock of the database is ahead of this machine's; null for a file */
      clockAhead: number | null
      /** mode of the database; null until a server has used it */
      mode: DatabaseMode | null
    }

export interface DatabaseContent {
  orders: number
  /** name of the last migration that was applied */
  migration: string
  /** number of pending migrations of this version */
  pendingMigrations: number
}

/** If `anyway` is set, a database that is damaged or has lost writes is copied too. */
export interface BackupOptions {
  force: boolean
  anyway: boolean
}

export interface BackupResult extends DatabaseContent {
  file: string
  bytes: number
  /** description of the damage to the copy; null if there is none */
  damage: string | null
  /** the writes that the database has lost; null if none are missing */
  loss: string | null
}

/** The result of `backUpInto`. */
export interface ScheduledBackup {
  file: string
  /** number of backups in the folder */
  kept: number
  /** true if the backup was restored into a temporary folder, as a test */
  isTried: boolean
  /** reason why the trial restore failed; null if it succeeded or there was none */
  trialProblem: string | null
}

/**
 * If `isMoved` is set, no addresses are skipped, because nothing has used the database since the backup was
 * made. Only allowed for a directory without a database.
 */
export interface RestoreOptions {
  force: boolean
  isMoved?: boolean
}

export interface RestoreResult extends DatabaseContent {
  file: string
  database: string
  bytes: number
  /** new name of the replaced database */
  replaced: string | null
  /** number of accounts and view keys for which 1,000 addresses were skipped */
  skippedSources: number
}

export interface UndoneMigration {
  /** the dated copy that was put back; it is kept */
  copy: string
  /** new name of the migrated database */
  replaced: string
}

/** A database in SQLite or PostgreSQL. Methods fail with a DatabaseError if the operator has to act. */
export interface DatabaseEngine {
  /** path of the database, or its URL without user and password */
  readonly location: string
  /** true for a file on this machine */
  readonly isFile: boolean
  /** Opens the database. Creates or migrates it first if the use allows that. */
  open(now: number, use: DatabaseUse, hooks?: OpenHooks): Promise<Storage>
  /** Applies pending migrations. No other process may be using the database. */
  migrate(now: number): Promise<MigrateResult>
  /** Lists the copies that migrations and restores made, newest first. */
  copies(): DatabaseCopy[]
  /** Returns the time when `backup` last succeeded or a backup was last recorded; null if never. */
  lastBackupAt(): Promise<number | null>
  /**
   * Records a backup that was made by other means, because `backup` cannot copy every database. Returns the
   * time.
   */
  recordBackup(): Promise<number>
  /**
   * Returns sizes in bytes. `log` is null for PostgreSQL, whose write-ahead log contains other databases too.
   */
  sizes(): Promise<{ database: number; log: number | null }>
  /** Describes the database without changing it. */
  readState(): Promise<DatabaseState>
  /** True if a server or another command has the database open. */
  isInUse(): Promise<boolean>
  /** Writes a verified copy of the database to a file. The database may be in use. */
  backup(target: string, options: BackupOptions): Promise<BackupResult>
  /**
   * Makes a backup in a folder and deletes old ones. Does a trial restore if one is due or `trial` is set.
   */
  backUpInto(folder: string, now: number, trial: boolean): Promise<ScheduledBackup>
  readBackups(folder: string, now: number): BackupRecord
  /** Lists the backups in a folder, newest first. */
  listBackups(folder: string): BackupFile[]
  /** Replaces the database with a verified copy of a backup. The database must not be in use. */
  restore(source: string, options: RestoreOptions, now: number): Promise<RestoreResult>
  /**
   * Puts back the copy that the last migration made, if nothing was written since. Otherwise changes nothing,
   * and returns null.
   */
  undoMigration(now: number): Promise<UndoneMigration | null>
}
