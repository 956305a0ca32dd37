import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { registry } from '../coins/registry.ts'
import { BACKUP_OLD_MS, isDiskLow, type Service } from '../domain/outage.ts'
import { readableTime } from '../domain/timestamp.ts'
import type { Networks } from '../networks/port.ts'
import { diagnoseProvider } from '../operations/upstreams/diagnose-provider.ts'
import type { Provider } from '../providers/port.ts'
import type { RateSource } from '../rates/sources.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import type { Settings } from '../settings/table.ts'
import type { DatabaseEngine } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { backupServices } from './backups.ts'
import { networksOf } from './networks.ts'
import { OPEN_FILES_REMEDY, openFilesProblem, readOpenFiles } from './open-files.ts'
import type { Platform } from './platform.ts'
import { sourceProblem } from './rates.ts'
import { type Replica, replicaServices } from './replica.ts'

const HOUR_MS = 3600_000
const MB = 1024 * 1024

/** What an endpoint, a provider or a rate source is for a merchant. */
function upstream(id: string, name: string, effect: string, check: () => Promise<string | null>): Service {
  return {
    id,
    kind: 'endpoint_down',
    afterMs: HOUR_MS,
    recovered: `${name} works again.`,
    async check() {
      const problem = await check().catch(error => (error as Error).message)
      return problem && `${name} has been unusable for an hour: ${problem.replace(/[.]?$/, '.')} ${effect}`
    },
  }
}

/** Each endpoint alone, since failover hides one that is broken. */
const endpointServices = (settings: Settings, platform: Platform, now: () => number): Service[] =>
  Object.entries(endpointSettingsOf(registry)).flatMap(([chain, key]) =>
    settings[key].map((endpoint, at) => {
      const { host } = new URL(endpoint.url)
      const effect = 'If no other endpoint works, buyers cannot pay there. florin doctor says more.'
      return upstream(
        `endpoint:${chain}:${at}:${host}`,
        `The endpoint ${host} of ${chain}`,
        effect,
        async () => {
          const alone: Settings = { ...settings, [key]: [endpoint] }
          const { assets, of } = networksOf(alone, platform, now, null)
          const coin = assets.find(asset => asset.chain === chain && asset.contract === null)
          return (coin && (await of(chain)?.unavailableReason(coin))) ?? null
        },
      )
    }),
  )

/** The simulated chains fail together. */
function simulatedChain(networks: Networks): Service[] {
  const chain = networks.assets[0]?.chain
  const network = chain === undefined ? undefined : networks.of(chain)
  if (!network) return []
  const effect = 'Buyers cannot pay with coins.'
  return [
    upstream('endpoint:sandbox', 'The simulated chain', effect, () => network.scan([]).then(() => null)),
  ]
}

const providerService = (provider: Provider): Service =>
  upstream(
    `provider:${provider.id}`,
    `The provider ${provider.id}`,
    'Buyers cannot open new payments there.',
    () => diagnoseProvider(provider).then(() => null),
  )

function diskService({ dataDir }: Settings, database: DatabaseEngine, platform: Platform): Service {
  const freeBytes = async () => {
    if (platform.freeBytes) return platform.freeBytes(dataDir)
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  }
  return {
    id: 'disk',
    kind: 'disk_low',
    afterMs: 0,
    recovered: 'There is enough space on the disk of the database again.',
    async check() {
      const free = await freeBytes()
      const size = existsSync(database.location) ? statSync(database.location).size : 0
      if (!isDiskLow(free, size)) return null
      const left = `Only ${Math.floor(free / MB)} MB are free on the disk of the database.`
      return `${left} Free some space: without it, no orders can be taken.`
    },
  }
}

function backupService(
  database: DatabaseEngine,
  startedAt: () => Promise<number | null>,
  now: () => number,
): Service {
  return {
    id: 'backup',
    kind: 'backup_old',
    afterMs: 0,
    recovered: 'A new backup was made.',
    async check() {
      const at = database.lastBackupAt()
      const since = at ?? (await startedAt())
      if (since === null || now() - since < BACKUP_OLD_MS) return null
      if (at === null)
        return 'No backup has been made with florin backup yet. Make one regularly, on another disk.'
      return `The newest backup is from ${readableTime(at)}. Check why florin backup no longer runs.`
    },
  }
}

/** When the first merchant was created; null if there is no merchant. */
async function startedAt(storage: Storage): Promise<number | null> {
  const [first] = await storage.read(tables => tables.merchants.list())
  return first?.createdAt ?? null
}

const logService = (lost: () => number | null): Service => ({
  id: 'log',
  kind: 'log_lost',
  afterMs: 0,
  recovered: 'Log lines are written again.',
  async check() {
    const lines = lost()
    if (lines === null) return null
    const remedy = 'Check the disk of the log and the program that reads it. Payments continue.'
    return `Log lines cannot be written: ${lines} are lost so far. ${remedy}`
  },
})

const openFilesService = (): Service => ({
  id: 'open-files',
  kind: 'files_low',
  afterMs: 0,
  recovered: 'Enough files and connections can be opened again.',
  async check() {
    const files = readOpenFiles()
    const problem = files && openFilesProblem(files)
    return problem && `${problem} ${OPEN_FILES_REMEDY}`
  },
})

interface Parts {
  settings: Settings
  platform: Platform
  clock: () => number
  database: DatabaseEngine
  networks: Networks
  providers: { all: readonly Provider[] }
  sources: readonly RateSource[]
  storage: Storage
  replica: Replica | null
}

function servicesOfBackups({ settings, database, storage, clock }: Parts): Service[] {
  const since = () => startedAt(storage)
  if (settings.backupDir === '') return [backupService(database, since, clock)]
  return backupServices(settings, database, since, clock)
}

/** Everything that a server checks regularly. */
export function servicesOf(parts: Parts): Service[] {
  const { settings, platform, clock, database, networks } = parts
  const effect = 'Without two sources that agree, coins are not offered.'
  return [
    ...(settings.sandbox ? simulatedChain(networks) : endpointServices(settings, platform, clock)),
    ...parts.providers.all.map(providerService),
    ...parts.sources.map(source =>
      upstream(`rates:${source.name}`, `The exchange rate source ${source.name}`, effect, () =>
        sourceProblem(source, settings, networks.assets, platform),
      ),
    ),
    ...(database.isFile ? [diskService(settings, database, platform)] : []),
    ...(platform.lostLogLines ? [logService(platform.lostLogLines)] : []),
    openFilesService(),
    ...replicaServices(parts.replica),
    ...(database.isFile ? servicesOfBackups(parts) : []),
  ]
}
