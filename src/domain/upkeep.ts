import type { BackupRecord } from './backup.ts'

/** A fault needs an action; a warning may be intended. */
type Severity = 'fault' | 'warning'

/** The result of one check of the installation: the problem and its remedy, in English. */
export interface Finding {
  check: string
  ok: boolean
  severity?: Severity
  message: string
  remedy: string | null
}

/** A command that the server runs in a process of its own. */
export interface OwnJobState {
  /** when the current run started; null if the command is not running */
  since: number | null
  /** reason why the last run since the start of the server failed, in English; null if it did not fail */
  failed: { at: number; reason: string } | null
}

/** Result of the last trial restore of a replica. Field names are stored. */
export interface ReplicaTrial {
  at: number
  /** the moment to which the replica was restored; null if nothing was restored */
  restored: number | null
  /** reason why the replica could not be restored, as a sentence; null if it could */
  problem: string | null
  /** true if an object is missing or was changed: another try would fail too */
  isDamaged: boolean
}

/** A current figure of the server. Names and labels are those of the metrics. */
interface Gauge {
  name: string
  labels: Record<string, string>
  value: number
}

export interface ServerFigures {
  gauges: Gauge[]
  /** address at which Prometheus finds the metrics, and their text; null without FLORIN_METRICS */
  metrics: { address: string; text: string } | null
}

export interface BackupFile {
  /** path of the file */
  file: string
  at: number
  bytes: number
}

/** The backups of this server. */
export interface BackupState {
  /** false for PostgreSQL, which is backed up with tools of its own */
  isFile: boolean
  /** when a backup was last made or recorded, automatically or by hand; null if never */
  lastAt: number | null
  /** the folder of the automatic backups; null if there are none */
  automatic: { folder: string; record: BackupRecord; files: BackupFile[]; job: OwnJobState } | null
  /** null without FLORIN_REPLICA_URL */
  replica: { lagMs: number | null; trial: ReplicaTrial | null; job: OwnJobState } | null
  /** the file with the key of the stored credentials, which no backup contains */
  secretsFile: string
}
