import type { Platform } from '../../boot/platform.ts'
import type { MerchantState } from '../../operations/merchants/diagnose.ts'
import type { Settings } from '../../settings/table.ts'
import type { Condition } from '../../storage/sqlite/database-state.ts'

/** A fault keeps Florin from working as it should; a warning is for the operator to judge. */
type Severity = 'fault' | 'warning'

/** What was looked at; where it is not well, what is wrong with it and what to do. */
export interface Finding {
  check: string
  ok: boolean
  severity?: Severity
  message: string
  remedy: string | null
}

/** What the database's rows tell, where it can be opened. */
export interface Rows {
  merchants: MerchantState[]
  overdueMs: number
  /** why it takes no writes */
  writeFault: string | null
}

/** What the checks look at. */
export interface DoctorContext {
  settings: Settings
  platform: Platform
  database: string
  condition: Condition
  rows: Rows | null
  /** a server or another command has the database open */
  isUsed: boolean
}

export type Check = (ground: DoctorContext) => Promise<Finding[]> | Finding[]

export const good = (check: string, message = 'well'): Finding => ({ check, ok: true, message, remedy: null })

const ill =
  (severity: Severity) =>
  (check: string, message: string, remedy: string): Finding => ({
    check,
    ok: false,
    severity,
    message,
    remedy,
  })

export const fault = ill('fault')
export const warning = ill('warning')

/** The findings, or that there are none. */
export const orGood = (check: string, found: Finding[]): Finding[] =>
  found.length > 0 ? found : [good(check)]
