import type { BackupRecord } from '../domain/backup.ts'
import type { ChangeSink, ChangeSource } from './change-source.ts'
import type { SlowWork } from './guard.ts'
import type { Storage, Tables } from './port.ts'

/** A problem with the database that the operator can fix. The message says how. */
export class DatabaseError extends Error {}

/** Sees what each write does. Writes run one after another, and may run again. */
export interface WriteObserver {
  tables: Tables
  /** called before each run of a write */
  begin(): void
  /** Called after a run. What it returns is called once the write is on disk, and never if it fails. */
  end(): () => void
}

/** What the server is notified of. */
export interface StorageHooks {
  /** called after each commit that scheduled jobs, with the time at which the first of them is due */
  onScheduled?: (dueAt: number) => void
  /** Wraps the tables that writes use. Called once. */
  observe?: (tables: Tables) => WriteObserver
  /** called after work that blocked the database for too long */
  onSlow?: (work: SlowWork) => void
  /** called after each commit, with the time until it was on disk */
  onCommit?: (ms: number) => void
  /** the clock of this machine; tests have one that is wrong */
  ownClock?: () => number
}

/** What a server that keeps a copy of a database in a file adds. */
export interface OpenHooks extends StorageHooks {
  /** Gets the changes of the database. Called once, and stopped before the database is closed. */
  replicate?: ((source: ChangeSource) => ChangeSink) | undefined
}

/** Whether the payments in a database are simulated or real. The first server decides it for good. */
export type DatabaseMode = 'sandbox' | 'live'

/**
 * What a process does with the database. A server creates and migrates it, and is the only one in its
 * directory. A database of the other mode refuses it. A command runs beside a server, and never changes the
 * schema.
 */
export type DatabaseUse = { as: 'server'; mode: DatabaseMode } | { as: 'command'; mayCreate: boolean }

/** A dated copy beside the database. */
export interface DatabaseCopy {
  file: string
  /** when it was made */
  at: number
  bytes: number
}

export interface MigrateResult {
  /** the migrations that were applied */
  migrations: string[]
  /** the dated copy from before; null if nothing was pending */
  copy: string | null
}

export type DatabaseState =
  | { kind: 'absent' }
  | { kind: 'damaged'; reason: string }
  /** without a `remedy`, the directory or the version of Florin is wrong */
  | { kind: 'refused'; reason: string; remedy?: string }
  | {
      kind: 'whole'
      pendingMigrations: number
      /** of newer versions; this version can use the database all the same */
      newerMigrations: string[]
      newestAt: number | null
      /** by how many ms its clock is ahead of this machine's; null for a file */
      clockAhead: number | null
      /** null until a server has used the database */
      mode: DatabaseMode | null
    }

/** The content of an undamaged database. */
export interface DatabaseContent {
  orders: number
  /** the last migration that was applied */
  migration: string
  /** how many migrations this version would apply */
  pendingMigrations: number
}

/** `anyway` also copies a database that is damaged. */
export interface BackupOptions {
  force: boolean
  anyway: boolean
}

export interface BackupResult extends DatabaseContent {
  file: string
  bytes: number
  /** what is wrong with the copy; null if nothing is */
  damage: string | null
}

/** What `backUpInto` did. */
export interface ScheduledBackup {
  file: string
  /** how many backups the folder has now */
  kept: number
  /** whether the backup was tested: restored into a temporary folder */
  isTried: boolean
  /** why the trial failed; null if it did not, or there was none */
  trialProblem: string | null
}

export interface RestoreResult extends DatabaseContent {
  file: string
  database: string
  bytes: number
  /** the new name of the database that was replaced */
  replaced: string | null
  /** how many accounts and view keys go on 1,000 addresses further */
  skippedSources: number
}

/** One database of one engine. The methods fail with a DatabaseError if the operator has to do something. */
export interface DatabaseEngine {
  /** the path of the database, or its URL without user and password */
  readonly location: string
  /** whether it is a file on this machine */
  readonly isFile: boolean
  /** Opens the database, and creates or migrates it first if the use allows that. */
  open(now: number, use: DatabaseUse, hooks?: OpenHooks): Promise<Storage>
  /** Applies pending migrations. No other process may be using the database. */
  migrate(now: number): Promise<MigrateResult>
  /** The copies that migrations and restores have left, the newest first. */
  copies(): DatabaseCopy[]
  /** When `backup` last succeeded, or a backup was last recorded; null if that never happened. */
  lastBackupAt(): Promise<number | null>
  /** Notes that a backup was made by other means, for a database that `backup` cannot copy. Returns when. */
  recordBackup(): Promise<number>
  /** Describes the database without changing it. */
  readState(): Promise<DatabaseState>
  /** Whether a server or another command has the database open. */
  isInUse(): Promise<boolean>
  /** Writes a verified copy of the database to a file. The database may be in use. */
  backup(target: string, options: BackupOptions): Promise<BackupResult>
  /** Makes a backup in a folder, with retention, and a trial restore if one is due or `trial` asks for it. */
  backUpInto(folder: string, now: number, trial: boolean): Promise<ScheduledBackup>
  /** What is known about the backups of a folder. */
  readBackups(folder: string): BackupRecord
  /** Replaces the database with a verified copy of a backup. The database must not be in use. */
  restore(source: string, force: boolean, now: number): Promise<RestoreResult>
}
