import { registry } from '../coins/registry.ts'
import { type ExchangeName, exchangeNames } from '../coins/types.ts'
import { type Chosen, nothingChosen } from '../domain/chosen.ts'
import type { ChoiceOrigin } from '../domain/endpoint.ts'
import { type NodeSecret, secretName } from '../domain/lightning.ts'
import { type MailServer, smtpUrlOf } from '../domain/mail-server.ts'
import type { FindSecret, Networks } from '../networks/port.ts'
import type { Upstreams } from '../operations/context.ts'
import { getProviderAccount } from '../operations/merchants/provider-account.ts'
import type { Rates } from '../rates/port.ts'
import { sourcesWith } from '../rates/rates.ts'
import type { RateSource } from '../rates/sources.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import { isExchange, rateSources } from '../settings/rate-sources.ts'
import type { Settings } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'
import { tryMail } from './channels.ts'
import { readChosen, withChosen } from './chosen.ts'
import { liveNetworks } from './networks.ts'
import type { Platform } from './platform.ts'
import { liveRates, sourceProblem } from './rates.ts'
import { secretsOf } from './secrets.ts'
import { secretsFileOf } from './secrets-file.ts'
import { sharedRates } from './shared-rates.ts'
import { tryEndpoint } from './try-endpoint.ts'

/** Interval at which a server checks if another process changed the choices of the dashboard. */
const RELOAD_MS = 5000

interface Parts {
  settings: Settings
  platform: Platform
  clock: () => number
  storage: Storage
  /** null outside of the sandbox */
  standIn: Parameters<typeof liveNetworks>[3]
  /** this server's address on this machine */
  ownUrl: string
}

export interface LiveUpstreams {
  networks: Networks
  rates: Rates
  upstreams: Upstreams
  /** the settings, with the choices of the dashboard */
  settings(): Settings
  sources(): readonly RateSource[]
  /** Uses the choices of the dashboard, and regularly checks if they changed. */
  follow(): Promise<void>
  stop(): Promise<void>
}

const keys = endpointSettingsOf(registry)

const mailOf = (own: Settings, used: Settings, { mail }: Chosen): ReturnType<Upstreams['mail']> => ({
  origin: own.smtpUrl !== '' ? 'environment' : mail ? 'dashboard' : 'none',
  url: used.smtpUrl,
  sender: used.mailFrom,
  chosen: mail,
})

const unknownSource = { reason: 'is not known', fault: null }

const withMail = (server: MailServer) => ({ smtpUrl: smtpUrlOf(server), mailFrom: server.sender })

const exchange = (name: ExchangeName): RateSource => ({ kind: 'exchange', place: name, name })

function pricesOf(asset: Parameters<Upstreams['pricesOf']>[0], used: readonly RateSource[]) {
  const names = used.map(({ name }) => name)
  const priced = sourcesWith(asset, exchangeNames.map(exchange)).map(({ name }) => name)
  return {
    used: names,
    pricing: sourcesWith(asset, used).map(({ name }) => name),
    others: priced.filter(name => !names.includes(name)),
  }
}

/** Networks and rates that follow the choices of operators in the dashboard. */
export function liveUpstreams({ settings, platform, clock, storage, standIn, ownUrl }: Parts): LiveUpstreams {
  let current = settings
  let chosen = nothingChosen
  const sources = () => (standIn ? rateSources(`${ownUrl}/sandbox/rates`) : current.rates)
  const secrets = secretsOf(secretsFileOf(settings))
  const findSecret: FindSecret = async (merchantId, account) => {
    const found = await getProviderAccount({ storage, secrets }, merchantId, secretName(account))
    return (found?.credentials ?? null) as NodeSecret | null
  }
  const live = liveNetworks(settings, platform, clock, standIn, { findSecret })
  const { assets } = live.networks
  const shared = storage.isShared ? sharedRates(storage, clock) : undefined
  const prices = liveRates(sources(), settings, assets, platform, clock, shared)

  async function load(): Promise<void> {
    const found = await readChosen(storage, secrets)
    chosen = standIn ? { ...nothingChosen, mail: found.mail } : found
    current = withChosen(settings, chosen)
    live.use(current)
    prices.use(sources())
  }

  let timer: ReturnType<typeof setInterval> | undefined
  let loading = Promise.resolve()
  /** Reloads run one after another, so that the newest choices win. */
  function reload(): Promise<void> {
    loading = loading.catch(() => {}).then(load)
    return loading
  }

  const originOf = (own: readonly unknown[], used: readonly unknown[]): ChoiceOrigin =>
    standIn ? 'sandbox' : own.length > 0 ? 'environment' : used.length > 0 ? 'dashboard' : 'none'

  return {
    ...{ networks: live.networks, rates: prices.rates },
    settings: () => current,
    sources,
    upstreams: {
      reload,
      chains: () =>
        [...new Set(assets.map(({ chain }) => chain))].flatMap(chain => {
          const key = keys[chain]
          if (!key) return []
          const name = registry.chainName(chain)
          const used = current[key].map(({ url }) => ({ url, ...live.healthOf(chain, url) }))
          return [{ chain, name, used, origin: originOf(settings[key], current[key]) }]
        }),
      protocols: chain => (keys[chain] && registry.chain(chain)?.endpoints.protocols) || [],
      rates: () => ({
        origin: originOf(settings.rates, current.rates),
        names: current.rates.map(({ name }) => name),
        exchanges: exchangeNames,
      }),
      pricesOf: asset => pricesOf(asset, sources()),
      tryEndpoint: endpoint => tryEndpoint(settings, platform, clock, endpoint),
      mail: () => mailOf(settings, current, chosen),
      tryMail: (server, test) => tryMail(server ? withMail(server) : current, platform, storage, test),
      tryRateSource: async name =>
        isExchange(name) ? sourceProblem(exchange(name), settings, assets, platform) : unknownSource,
    },
    async follow() {
      await reload()
      timer = setInterval(() => {
        reload().catch(error => platform.log.warn({ reason: String(error) }, 'upstreams.reload.failed'))
      }, RELOAD_MS)
    },
    async stop() {
      clearInterval(timer)
      await loading.catch(() => {})
    },
  }
}
