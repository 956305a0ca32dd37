import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { registry } from '../coins/registry.ts'
import type { UpstreamName } from '../domain/notification-facts.ts'
import { BACKUP_OLD_MS, isDiskLow, type Service } from '../domain/outage.ts'
import { problemOf, type UpstreamProblem } from '../domain/upstream-fault.ts'
import type { Networks } from '../networks/port.ts'
import { diagnoseProvider } from '../operations/upstreams/diagnose.ts'
import type { Channels } from '../outbound/port.ts'
import type { Provider } from '../providers/port.ts'
import type { RateSource } from '../rates/sources.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import type { Settings } from '../settings/table.ts'
import type { DatabaseEngine } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { backupServices } from './backups.ts'
import { certificateServices } from './certificate-services.ts'
import { liveNetworks } from './networks.ts'
import { openFilesFacts, readOpenFiles } from './open-files.ts'
import type { Platform } from './platform.ts'
import { sourceProblem } from './rates.ts'
import { releaseServices } from './release-service.ts'
import { type Replica, replicaServices } from './replica-services.ts'
import { trialService } from './replica-trials.ts'

const HOUR_MS = 3600_000
const MB = 1024 * 1024

/** The service of an endpoint, a provider or a rate source, with its notifications. */
const upstream = (
  id: string,
  named: UpstreamName,
  check: () => Promise<UpstreamProblem | null>,
): Service => ({
  id,
  kind: 'endpoint_down',
  afterMs: HOUR_MS,
  recovered: { about: 'upstream_works', ...named },
  async check() {
    const problem = await check().catch(problemOf)
    return problem === null ? null : { about: 'upstream_down', ...named, ...problem }
  },
})

/** One service per endpoint, because failover hides a broken endpoint. */
const endpointServices = (settings: Settings, platform: Platform, now: () => number): Service[] =>
  Object.entries(endpointSettingsOf(registry)).flatMap(([chain, key]) =>
    settings[key].map((endpoint, at) => {
      const { host } = new URL(endpoint.url)
      return upstream(
        `endpoint:${chain}:${at}:${host}`,
        { upstream: 'endpoint', name: host, chain },
        async () => {
          const alone: Settings = { ...settings, [key]: [endpoint] }
          const { networks, healthOf } = liveNetworks(alone, platform, now, null)
          const coin = networks.assets.find(asset => asset.chain === chain && asset.contract === null)
          const reason = (coin && (await networks.of(chain)?.unavailableReason(coin))) ?? null
          return reason === null ? null : { reason, fault: healthOf(chain, endpoint.url).fault }
        },
      )
    }),
  )

/** Returns one service for all simulated chains, because they fail together. */
function simulatedChain(networks: Networks): Service[] {
  const chain = networks.assets[0]?.chain
  const network = chain === undefined ? undefined : networks.of(chain)
  if (!network) return []
  const named = { upstream: 'simulation', name: '', chain: '' } as const
  return [upstream('endpoint:sandbox', named, () => network.scan([]).then(() => null))]
}

const providerService = (provider: Provider): Service =>
  upstream(`provider:${provider.id}`, { upstream: 'provider', name: provider.id, chain: '' }, () =>
    diagnoseProvider(provider).then(() => null),
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
    recovered: { about: 'disk_good' },
    async check() {
      const free = await freeBytes()
      const size = existsSync(database.location) ? statSync(database.location).size : 0
      return isDiskLow(free, size) ? { about: 'disk_low', freeMegabytes: Math.floor(free / MB) } : null
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
    recovered: { about: 'backup_made' },
    async check() {
      const at = await database.lastBackupAt()
      const since = at ?? (await startedAt())
      if (since === null || now() - since < BACKUP_OLD_MS) return null
      return at === null ? { about: 'backup_none' } : { about: 'backup_old', at }
    },
  }
}

/** The time at which the first merchant was created; null if there is none. */
async function startedAt(storage: Storage): Promise<number | null> {
  const [first] = await storage.read(tables => tables.merchants.list())
  return first?.createdAt ?? null
}

const logService = (lost: () => number | null): Service => ({
  id: 'log',
  kind: 'log_lost',
  afterMs: 0,
  recovered: { about: 'log_works' },
  async check() {
    const lines = lost()
    return lines === null ? null : { about: 'log_lost', lines }
  },
})

const openFilesService = (): Service => ({
  id: 'open-files',
  kind: 'files_low',
  afterMs: 0,
  recovered: { about: 'files_good' },
  async check() {
    const files = readOpenFiles()
    return files && openFilesFacts(files)
  },
})

/** The reason why the last message to FLORIN_NOTIFY_URL failed; null if it was sent, or if there was none. */
async function urlProblem(storage: Storage): Promise<UpstreamProblem | null> {
  const { fault: reason = null } = (await storage.read(tables => tables.sends.findRecipient('url'))) ?? {}
  return reason === null ? null : { reason, fault: null }
}

/** Checks each channel, so that people who use another one, or open the dashboard, learn that it fails. */
function channelServices({ channels, settings, storage }: Parts): Service[] {
  const found: Service[] = []
  const { mail, url } = channels
  if (mail?.check) {
    const name = { upstream: 'mail', name: new URL(settings.smtpUrl).host, chain: '' } as const
    found.push(upstream('channel:mail', name, async () => (await mail.check?.()) ?? null))
  }
  if (url && settings.notifyUrl) {
    const name = { upstream: 'notify_url', name: new URL(settings.notifyUrl.url).host, chain: '' } as const
    found.push(upstream('channel:url', name, () => urlProblem(storage)))
  }
  return found
}

interface Parts {
  channels: Channels
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

function servicesOfBackups({ settings, database, storage, clock, platform }: Parts): Service[] {
  if (platform.isForShow) return []
  const since = () => startedAt(storage)
  if (settings.backupDir === '' || !database.isFile) return [backupService(database, since, clock)]
  return backupServices(settings, database, since, clock)
}

/** Everything that a server checks regularly. */
export function servicesOf(parts: Parts): Service[] {
  const { settings, platform, clock, database, networks } = parts
  return [
    ...(settings.sandbox ? simulatedChain(networks) : endpointServices(settings, platform, clock)),
    ...parts.providers.all.filter(({ hasOwnAccounts }) => !hasOwnAccounts).map(providerService),
    ...parts.sources.map(source =>
      upstream(`rates:${source.name}`, { upstream: 'rates', name: source.name, chain: '' }, () =>
        sourceProblem(source, settings, networks.assets, platform),
      ),
    ),
    ...(database.isFile ? [diskService(settings, database, platform)] : []),
    ...(platform.lostLogLines ? [logService(platform.lostLogLines)] : []),
    openFilesService(),
    ...certificateServices(platform.certificate, platform.now),
    ...releaseServices(settings, platform),
    ...channelServices(parts),
    ...replicaServices(parts.replica),
    ...(parts.replica ? [trialService(settings.dataDir)] : []),
    ...servicesOfBackups(parts),
  ]
}
