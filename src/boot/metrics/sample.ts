import type { Context } from '../../operations/context.ts'
import type { Settings } from '../../settings/table.ts'
import type { DatabaseEngine } from '../../storage/index.ts'
import { commit, version } from '../../version.ts'
import type { Platform } from '../platform.ts'
import type { Replica } from '../replica-services.ts'
import type { Registry } from './registry.ts'

/** The sources of the metrics that are measured when they are read, instead of counted. */
interface Measured extends Pick<Context, 'storage' | 'clock'> {
  replica: Replica | null
  certificate: Platform['certificate'] | null
}

/** Updates the metrics that only the database knows. */
async function sampleDatabase(
  registry: Registry,
  { storage, clock }: Measured,
  database: DatabaseEngine,
  { backupDir }: Settings,
): Promise<void> {
  const [now, real] = [clock(), Date.now()]
  const isScheduled = backupDir !== '' && database.isFile
  const madeAt = isScheduled ? database.readBackups(backupDir, real).madeAt : await database.lastBackupAt()
  if (madeAt !== null) registry.set('florin_backup_age_seconds', [], (real - madeAt) / 1000)
  const jobs = await storage.read(tables => tables.jobs.countDue(now))
  registry.clear('florin_jobs_due')
  registry.clear('florin_job_age_seconds')
  for (const { kind, count, oldest } of jobs) {
    registry.set('florin_jobs_due', [kind], count)
    registry.set('florin_job_age_seconds', [kind], (now - oldest) / 1000)
  }
  const sizes = await database.sizes()
  registry.set('florin_database_bytes', [], sizes.database)
  if (sizes.log !== null) registry.set('florin_wal_bytes', [], sizes.log)
}

/** Time limit for the database. Prometheus gives up a scrape after 10 seconds. */
const DATABASE_MS = 3000

/**
 * Updates the metrics that are not counted: sizes, memory and waiting jobs. Those of a database that does not
 * answer stay as they were, so that an alert about it does not look like one about the server.
 */
export async function sample(
  registry: Registry,
  measured: Measured,
  database: DatabaseEngine,
  settings: Settings,
): Promise<void> {
  const answered = sampleDatabase(registry, measured, database, settings).then(
    () => true,
    () => false,
  )
  const { storage, replica, certificate } = measured
  const isAvailable = await Promise.race([answered, Bun.sleep(DATABASE_MS).then(() => false)])
  registry.set('florin_database_available', [], isAvailable ? 1 : 0)
  registry.set('florin_servers', [], storage.servers())
  const lagMs = replica?.lagMs() ?? null
  if (lagMs !== null) registry.set('florin_replica_lag_seconds', [], lagMs / 1000)
  const expiresAt = certificate?.().certificate?.notAfter ?? null
  if (expiresAt !== null) {
    registry.set('florin_certificate_remaining_seconds', [], (expiresAt - Date.now()) / 1000)
  }
  const { user, system } = process.cpuUsage()
  registry.set('florin_info', [version, commit ?? ''], 1)
  registry.set('process_resident_memory_bytes', [], process.memoryUsage.rss())
  registry.set('process_cpu_seconds_total', [], (user + system) / 1e6)
  registry.set('process_start_time_seconds', [], Math.round(Date.now() / 1000 - process.uptime()))
}
