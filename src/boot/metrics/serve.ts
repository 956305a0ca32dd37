import { SettingsError } from '../../settings/read.ts'
import type { Settings } from '../../settings/table.ts'
import { type DatabaseEngine, databaseOf } from '../../storage/index.ts'
import { commit, version } from '../../version.ts'
import type { Florin } from '../compose.ts'
import { listen } from '../listen.ts'
import type { Platform } from '../platform.ts'
import { countedLog, makeMeter } from './meter.ts'
import { Registry } from './registry.ts'

type Measured = Pick<Florin, 'context' | 'replica' | 'certificate'>

/** Updates the metrics that only the database knows. */
async function sampleDatabase(
  registry: Registry,
  { storage, clock }: Measured['context'],
  database: DatabaseEngine,
  { backupDir }: Settings,
): Promise<void> {
  const now = clock()
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
  const sizes = await database.sizes()
  registry.set('florin_database_bytes', [], sizes.database)
  if (sizes.log !== null) registry.set('florin_wal_bytes', [], sizes.log)
}

/** Prometheus gives up a scrape after 10 seconds. */
const DATABASE_MS = 3000

/**
 * Updates the metrics that are not counted: sizes, memory and waiting jobs. Those of a database that does not
 * answer stay as they were, so that an alert about it does not look like one about the server.
 */
async function sample(
  registry: Registry,
  { context, replica, certificate }: Measured,
  database: DatabaseEngine,
  settings: Settings,
): Promise<void> {
  const answered = sampleDatabase(registry, context, database, settings).then(
    () => true,
    () => false,
  )
  const isAvailable = await Promise.race([answered, Bun.sleep(DATABASE_MS).then(() => false)])
  registry.set('florin_database_available', [], isAvailable ? 1 : 0)
  registry.set('florin_servers', [], context.storage.servers())
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

const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

interface MeteredServer {
  florin: Florin
  stop(): Promise<void>
}

/**
 * Listens on FLORIN_METRICS. `listen` names the settings of the main listener in its errors, so they are
 * replaced here.
 */
async function listenForMetrics(
  { host, port }: NonNullable<Settings['metrics']>,
  platform: Platform,
  answer: () => Promise<Response>,
): Promise<Bun.Server<undefined>> {
  const notFound = () =>
    new Response('Not found. Metrics are at /metrics.\n', { status: 404, headers: HEADERS })
  const options = {
    hostname: host,
    port,
    development: false,
    reusePort: false,
    fetch: async (request: Request) => (new URL(request.url).pathname === '/metrics' ? answer() : notFound()),
    error: () => new Response('The metrics could not be read.\n', { status: 500, headers: HEADERS }),
  }
  try {
    return await listen(options, platform)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const names = /FLORIN_HOST and FLORIN_PORT|FLORIN_(HOST|PORT)/g
    throw new SettingsError(error.message.replace(names, 'FLORIN_METRICS'))
  }
}

/** Starts a server, and serves its metrics on a separate listener if FLORIN_METRICS is set. */
export async function withMetrics<S extends MeteredServer>(
  settings: Settings,
  platform: Platform,
  start: (settings: Settings, platform: Platform) => Promise<S>,
): Promise<S> {
  if (settings.metrics === null) return start(settings, platform)
  const registry = new Registry()
  const database = databaseOf(settings)
  let florin: Florin | null = null
  const server = await listenForMetrics(settings.metrics, platform, async () => {
    if (florin) await sample(registry, florin, database, settings)
    return new Response(registry.print(), { headers: HEADERS })
  })
  try {
    const log = countedLog(platform.log, registry)
    const running = await start(settings, { ...platform, log, meter: makeMeter(registry) })
    florin = running.florin
    return {
      ...running,
      async stop() {
        await server.stop(true)
        await running.stop()
      },
    }
  } catch (error) {
    await server.stop(true)
    throw error
  }
}
