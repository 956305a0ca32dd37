import { statSync } from 'node:fs'
import type { Settings } from '../../settings/table.ts'
import type { DatabaseEngine } from '../../storage/index.ts'
import { version } from '../../version.ts'
import type { Florin } from '../compose.ts'
import type { Registry } from './registry.ts'

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Updates the metrics that are not counted: sizes, memory and waiting jobs. */
export async function sample(
  registry: Registry,
  { context: { storage, clock }, replica }: Pick<Florin, 'context' | 'replica'>,
  database: DatabaseEngine,
  { backupDir }: Settings,
): Promise<void> {
  const now = clock()
  const databaseFile = database.location
  const isScheduled = backupDir !== '' && database.isFile
  const madeAt = isScheduled ? database.readBackups(backupDir).madeAt : await database.lastBackupAt()
  if (madeAt !== null) registry.set('florin_backup_age_seconds', [], (Date.now() - madeAt) / 1000)
  const jobs = await storage.read(tables => tables.jobs.countDue(now))
  registry.clear('florin_jobs_due')
  registry.clear('florin_job_age_seconds')
  for (const { kind, count, oldest } of jobs) {
    registry.set('florin_jobs_due', [kind], count)
    registry.set('florin_job_age_seconds', [kind], (now - oldest) / 1000)
  }
  const lagMs = replica?.lagMs() ?? null
  if (lagMs !== null) registry.set('florin_replica_lag_seconds', [], lagMs / 1000)
  const { user, system } = process.cpuUsage()
  registry.set('florin_info', [version], 1)
  registry.set('florin_database_bytes', [], sizeOf(databaseFile))
  registry.set('florin_wal_bytes', [], sizeOf(`${databaseFile}-wal`))
  registry.set('process_resident_memory_bytes', [], process.memoryUsage.rss())
  registry.set('process_cpu_seconds_total', [], (user + system) / 1e6)
  registry.set('process_start_time_seconds', [], Math.round(Date.now() / 1000 - process.uptime()))
}
