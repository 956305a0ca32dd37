import type { BackupRecord } from '../domain/backup.ts'
import type { BackupFile } from '../domain/upkeep.ts'
import type { ChangeSink, ChangeSource } from './change-source.ts'
import type { SlowWork } from './guard.ts'
import type { Storage, Tables } from './port.ts'

/** A problem with the database that the operator can fix. The message says how. */
export class DatabaseError extends Error {}

/** Observes writes, which run one after another and may run again. */
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
  /** Wraps the tables of writes. Called once. */
  observe?: (tables: Tables) => WriteObserver
  /** called after work that blocked the database for too long */
  onSlow?: (work: SlowWork) => void
  /** called after each commit, with the time until it was on disk */
  onCommit?: (ms: number) => void
  /** clock of this machine; replaced only by tests */
  ownClock?: () => number
  /** connections to a server of databases; fewer only in tests */
  connections?: Connections
}

/** Connections that read or write at the same time. */
export interface Connections {
  readers: number
  writers: number
}

/** Additional callbacks for a database in a file. */
export interface OpenHooks extends StorageHooks {
  /** Receives the changes of the database. Called once; the sink is stopped before the database is closed. */
  replicate?: ((source: ChangeSource) => ChangeSink) | undefined
}

/** Simulated or real payments. The first server that uses a database decides for good. */
export type DatabaseMode = 'sandbox' | 'live'

/**
 * A server creates and migrates the database, and is the only one in its directory. Opening a database of the
 * other mode fails. A command runs beside a server and never changes the schema.
 */
export type DatabaseUse = { as: 'server'; mode: DatabaseMode } | { as: 'command'; mayCreate: boolean }

export interface DatabaseCopy {
  file: string
  /** when it was made */
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
  /** no `remedy`: the directory or the version of Florin is wrong */
  | { kind: 'refused'; reason: string; remedy?: string }
  | {
      kind: 'whole'
      pendingMigrations: number
      /** applied migrations of newer versions that this version can work with */
      newerMigrations: string[]
      newestAt: number | null
      /** ms by which its clock is ahead of this machine's; null for a file */
      clockAhead: number | null
      /** null until a server has used the database */
      mode: DatabaseMode | null
    }

export interface DatabaseContent {
  orders: number
  /** the last applied migration */
  migration: string
  /** number of migrations that this version would apply */
  pendingMigrations: number
}

/** `anyway`: also copy a database that is damaged or has lost writes. */
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

/** Result of `backUpInto`. */
export interface ScheduledBackup {
  file: string
  /** number of backups in the folder */
  kept: number
  /** true if the backup was restored into a temporary folder, as a test */
  isTried: boolean
  /** why the trial restore failed; null if it succeeded or there was none */
  trialProblem: string | null
}

/**
 * `isMoved`: nothing has used the database since the backup was made, so no addresses are skipped. Only for a
 * directory without a database.
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
  /** number of accounts and view keys that skipped 1,000 addresses */
  skippedSources: number
}

export interface UndoneMigration {
  /** the dated copy that was put back; it stays */
  copy: string
  /** new name of the migrated database */
  replaced: string
}

/** A database of one engine. Methods fail with a DatabaseError if the operator has to act. */
export interface DatabaseEngine {
  /** path of the database, or its URL without user and password */
  readonly location: string
  /** true for a file on this machine */
  readonly isFile: boolean
  /** Opens the database. Creates or migrates it first if the use allows that. */
  open(now: number, use: DatabaseUse, hooks?: OpenHooks): Promise<Storage>
  /** Applies pending migrations. No other process may be using the database. */
  migrate(now: number): Promise<MigrateResult>
  /** Copies that migrations and restores left, newest first. */
  copies(): DatabaseCopy[]
  /** When `backup` last succeeded or a backup was last recorded; null if never. */
  lastBackupAt(): Promise<number | null>
  /**
   * Records a backup that was made by other means, for databases that `backup` cannot copy. Returns its time.
   */
  recordBackup(): Promise<number>
  /** Sizes in bytes. The write-ahead log of a server is not only that of its database, so it is null. */
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
  readBackups(folder: string): BackupRecord
  /** The backups in a folder, newest first. */
  listBackups(folder: string): BackupFile[]
  /** Replaces the database with a verified copy of a backup. The database must not be in use. */
  restore(source: string, options: RestoreOptions, now: number): Promise<RestoreResult>
  /**
   * Puts back the copy that the last migration made, if nothing was written since. Otherwise changes nothing,
   * and returns null.
   */
  undoMigration(now: number): Promise<UndoneMigration | null>
}
