import { readChosen, withChosen } from '../../boot/chosen.ts'
import { makeLog } from '../../boot/log.ts'
import { type Platform, realPlatform } from '../../boot/platform.ts'
import { readSecretsState, secretsOf } from '../../boot/secrets.ts'
import { secretsFileOf } from '../../boot/secrets-file.ts'
import { nothingChosen } from '../../domain/chosen.ts'
import { diagnoseMerchants } from '../../operations/overview/diagnose.ts'
import { diagnoseJobs } from '../../operations/upstreams/diagnose.ts'
import type { Environment } from '../../settings/read.ts'
import type { Settings } from '../../settings/table.ts'
import { type DatabaseEngine, databaseOf } from '../../storage/index.ts'
import type { DoctorContext, Rows } from './finding.ts'

const FETCH_MS = 3000

/** The real platform with short network timeouts. */
function fastPlatform(): Platform {
  const platform = realPlatform(makeLog('silent'))
  return {
    ...platform,
    fetch(url, init) {
      const timeout = AbortSignal.timeout(FETCH_MS)
      const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      return platform.fetch(url, { ...init, signal })
    },
  }
}

async function readRows(settings: Settings, database: DatabaseEngine, clock: () => number): Promise<Rows> {
  const storage = await database.open(clock(), { as: 'command', mayCreate: false })
  try {
    const merchants = await diagnoseMerchants({ storage })
    const overdueMs = await diagnoseJobs({ storage, clock })
    const recipients = await storage.read(tables => tables.sends.listRecipients())
    const writeFault = await storage.check().then(
      () => null,
      error => String((error as Error).message),
    )
    const keys = secretsOf(secretsFileOf(settings))
    const [chosen, secrets] = [await readChosen(storage, keys), await readSecretsState(storage, keys)]
    return { merchants, overdueMs, recipients, writeFault, chosen, secrets }
  } finally {
    await storage.close()
  }
}

/**
 * Adds the choices of the dashboard to the settings. The sandbox simulates chains and rates, so choices of
 * them have no effect there.
 */
function chosenOver(
  settings: Settings,
  { chosen }: Rows,
): Pick<DoctorContext, 'settings' | 'areRatesChosen'> {
  if (settings.sandbox) {
    const ofMail = { ...nothingChosen, mail: chosen.mail }
    return { settings: withChosen(settings, ofMail), areRatesChosen: false }
  }
  const areRatesChosen = settings.rates.length === 0 && chosen.rateSources.length > 0
  return { settings: withChosen(settings, chosen), areRatesChosen }
}

/** Collects the input of the checks. Never migrates: rows are read only from a current database. */
export async function collectContext(settings: Settings, environment: Environment): Promise<DoctorContext> {
  const platform = fastPlatform()
  const database = databaseOf(settings)
  const base = {
    settings,
    environment,
    areRatesChosen: false,
    platform,
    database: database.location,
    isFile: database.isFile,
    isUsed: await database.isInUse(),
    copies: database.copies(),
    lastBackupAt: await database.lastBackupAt().catch(() => null),
    scheduled:
      settings.backupDir === '' || !database.isFile
        ? null
        : database.readBackups(settings.backupDir, platform.now()),
    rows: null,
  }
  const condition = await database.readState()
  if (condition.kind !== 'whole' || condition.pendingMigrations > 0) return { ...base, condition }
  try {
    const rows = await readRows(settings, database, platform.now)
    return { ...base, condition, rows, ...chosenOver(settings, rows) }
  } catch (error) {
    return { ...base, condition: { kind: 'refused', reason: (error as Error).message } }
  }
}
