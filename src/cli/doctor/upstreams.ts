import { endpointSettings, networksOf } from '../../boot/networks.ts'
import { providersOf } from '../../boot/providers.ts'
import { ratesOf, sourceFault } from '../../boot/rates.ts'
import { diagnoseProvider } from '../../operations/upstreams/diagnose-provider.ts'
import { SettingsError } from '../../settings/read.ts'
import type { Settings } from '../../settings/table.ts'
import { type Check, type DoctorContext, type Finding, fault, good, warning } from './finding.ts'

/** Null where the settings' files are at fault, which has a check of its own. */
function made<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}

const networks = ({ settings, platform }: DoctorContext) =>
  made(() => networksOf(settings, platform, platform.now, null))

const chains = Object.entries(endpointSettings)

export const waysToPay: Check = ({ settings }) => {
  const isNone = settings.gatewayUrl === '' && chains.every(([, key]) => settings[key].length === 0)
  if (settings.sandbox || !isNone) return []
  const remedy = 'Set FLORIN_GATEWAY_URL for cards, FLORIN_ETHEREUM_URL and its kin for crypto.'
  return [warning('ways to pay', 'There is none: no gateway and no network is configured.', remedy)]
}

export const gateway: Check = async ({ settings, platform }) => {
  const providers = made(() => providersOf(settings, platform, null))
  return Promise.all(
    (settings.sandbox ? [] : (providers?.all ?? [])).map(async (provider): Promise<Finding> => {
      const check = `provider ${provider.id}`
      try {
        return good(check, `${await diagnoseProvider(provider)} methods`)
      } catch (error) {
        const remedy = 'Check FLORIN_GATEWAY_URL and the network.'
        return fault(check, `It does not answer as it should (${(error as Error).message}).`, remedy)
      }
    }),
  )
}

/** Each endpoint alone: where several are named, one that is ill stays hidden otherwise. */
export const endpoints: Check = async ground => {
  const { settings, platform } = ground
  if (settings.sandbox || !networks(ground)) return []
  const all = chains.flatMap(([chain, key]) => settings[key].map(endpoint => ({ chain, key, endpoint })))
  return Promise.all(
    all.map(async ({ chain, key, endpoint }): Promise<Finding> => {
      const check = `endpoint ${new URL(endpoint.url).host} of ${chain}`
      const alone: Settings = { ...settings, [key]: [endpoint] }
      const { assets, of } = networksOf(alone, platform, platform.now, null)
      const coin = assets.find(asset => asset.chain === chain && asset.contract === null)
      const words = coin && (await of(chain)?.unavailableReason(coin))
      return words ? fault(check, words, 'Name another endpoint, or ask its provider.') : good(check)
    }),
  )
}

const baseUrlSettings: Record<string, string> = {
  kraken: 'FLORIN_KRAKEN_URL',
  coinbase: 'FLORIN_COINBASE_URL',
  binance: 'FLORIN_BINANCE_URL',
  coingecko: 'FLORIN_COINGECKO_URL',
}

/** What needs two endpoints waits for ever where there is one. */
export const secondOpinions: Check = ({ settings }) => {
  if (settings.sandbox || settings.quorumAbove === null) return []
  const check = 'second opinions'
  const isAlone = (key: (typeof chains)[number][1]) => new Set(settings[key].map(({ url }) => url)).size === 1
  const lonely = chains.filter(([, key]) => isAlone(key)).map(([chain]) => chain)
  if (lonely.length === 0) return [good(check)]
  const limit = `${settings.quorumAbove.amount} ${settings.quorumAbove.currency}`
  const where = `Only one endpoint of ${lonely.join(', ')} is named`
  const message = `${where}: nothing above ${limit} is offered there.`
  return [fault(check, message, 'Name another endpoint, of another operator, behind a comma.')]
}

export const rateSources: Check = async ground => {
  const { settings, platform } = ground
  const known = settings.sandbox ? null : networks(ground)
  if (!known) return []
  return Promise.all(
    settings.rates.map(async (source): Promise<Finding> => {
      const check = `rates of ${source.name}`
      const words = await sourceFault(source, settings, known.assets, platform)
      if (!words) return good(check)
      const base = baseUrlSettings[source.name]
      const first = base ? `Check the network, and ${base}` : 'Mend it'
      return fault(check, `The source ${words}.`, `${first}, or name another one by FLORIN_RATES.`)
    }),
  )
}

/** Whoever names one exchange alone has chosen so; but he should know what that means. */
export const loneExchange: Check = ({ settings: { sandbox, rates } }) => {
  const [only, ...others] = rates
  if (sandbox || only?.kind !== 'exchange' || others.length > 0) return []
  const message = `${only.name} alone is believed: nobody would notice if its prices were wrong.`
  return [
    warning('rates', message, 'Name others beside it by FLORIN_RATES, such as kraken,coinbase,coingecko.'),
  ]
}

export const assets: Check = async ground => {
  const { settings, platform } = ground
  const known = settings.sandbox ? null : networks(ground)
  if (!known) return []
  const rates = ratesOf(settings.rates, settings, known.assets, platform, platform.now)
  const watched = known.assets.filter(({ chain }) => known.of(chain))
  return Promise.all(
    watched.map(async (asset): Promise<Finding> => {
      const check = `asset ${asset.id}`
      const words = await known.of(asset.chain)?.unavailableReason(asset)
      if (words) return fault(check, words, 'It is not offered until that is mended.')
      const rate = await rates.rate(asset.id, 'USD')
      if (rate) return good(check, `${rate.value} USD`)
      const remedy = 'Check FLORIN_RATES: one source must know it, or two of several be within 2 %.'
      return fault(check, 'It has no rate in USD, so it is not offered.', remedy)
    }),
  )
}
