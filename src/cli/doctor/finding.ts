import type { Platform } from '../../boot/platform.ts'
import type { SecretsState } from '../../boot/secrets.ts'
import type { BackupRecord } from '../../domain/backup.ts'
import type { Chosen } from '../../domain/chosen.ts'
import type { RecipientState } from '../../domain/notification.ts'
import type { Finding } from '../../domain/upkeep.ts'
import type { MerchantState } from '../../operations/overview/diagnose.ts'
import type { Environment } from '../../settings/read.ts'
import type { Settings } from '../../settings/table.ts'
import type { DatabaseState } from '../../storage/index.ts'

export type { Finding }

/** Facts read from the rows of a database that can be opened. */
export interface Rows {
  merchants: MerchantState[]
  overdueMs: number
  /** recipients of notifications, and if sending to them works */
  recipients: RecipientState[]
  /** reason why the database cannot be written to; null if it can */
  writeFault: string | null
  /** the choices of the dashboard, such as endpoints and rate sources */
  chosen: Chosen
  /** number of stored credentials of providers, and of those that the key decrypts */
  secrets: SecretsState
}

/** The input of all checks. */
export interface DoctorContext {
  /** the settings, including the choices of the dashboard */
  settings: Settings
  /** environment variables, including those of --env-file */
  environment: Environment
  /** true if the rate sources were chosen in the dashboard */
  areRatesChosen: boolean
  platform: Platform
  database: string
  /** true for a file on this machine */
  isFile: boolean
  condition: DatabaseState
  rows: Rows | null
  /** true if a server or another command has the database open */
  isUsed: boolean
  /** dated copies of the database, newest first */
  copies: { file: string; bytes: number }[]
  lastBackupAt: number | null
  /** backups in FLORIN_BACKUP_DIR; null if it is not set */
  scheduled: BackupRecord | null
}

export type Check = (context: DoctorContext) => Promise<Finding[]> | Finding[]

export const good = (check: string, message = 'ok'): Finding => ({ check, ok: true, message, remedy: null })

const problem =
  (severity: NonNullable<Finding['severity']>) =>
  (check: string, message: string, remedy: string): Finding => ({
    check,
    ok: false,
    severity,
    message,
    remedy,
  })

export const fault = problem('fault')
export const warning = problem('warning')

/** The findings, or a single good one if there are none. */
export const orGood = (check: string, found: Finding[]): Finding[] =>
  found.length > 0 ? found : [good(check)]
