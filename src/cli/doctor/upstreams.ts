import { networksOf } from '../../boot/networks.ts'
import { providersOf } from '../../boot/providers.ts'
import { ratesOf, sourceProblem } from '../../boot/rates.ts'
import { registry } from '../../coins/registry.ts'
import type { Asset } from '../../domain/asset.ts'
import { LIGHTNING } from '../../domain/lightning.ts'
import { diagnoseProvider } from '../../operations/upstreams/diagnose.ts'
import { endpointSettingsOf } from '../../settings/endpoints.ts'
import { SettingsError } from '../../settings/read.ts'
import { type Check, type DoctorContext, type Finding, fault, good, warning } from './finding.ts'

export type KnownNetworks = ReturnType<typeof networksOf>

/** The networks of the settings; null if the assets file is invalid, which has its own check. */
export function networksFor({ settings, platform }: DoctorContext) {
  try {
    return networksOf(settings, platform, platform.now, null)
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}

/** Returns null if a file named by the settings is invalid, which has its own check. */
function orNull<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}

const networks = ({ settings, platform }: DoctorContext) =>
  orNull(() => networksOf(settings, platform, platform.now, null))

const chains = Object.entries(endpointSettingsOf(registry))

/** The providers that settings configure. Shops connect the others themselves. */
const configured = ({ settings, platform }: DoctorContext) =>
  orNull(() => providersOf(settings, platform, null, platform.now))?.all.filter(
    ({ charge }) => !charge?.accounts,
  )

export const paymentMethods: Check = context => {
  const { settings } = context
  const hasProvider = (configured(context)?.length ?? 1) > 0 || (context.rows?.secrets.opened ?? 0) > 0
  const isNone = !hasProvider && chains.every(([, key]) => settings[key].length === 0)
  if (settings.sandbox || !isNone) return []
  const remedy =
    'Set FLORIN_GATEWAY_URL and FLORIN_GATEWAY_CHECKOUT_URL for cards, banks and digital ' +
    'wallets. For crypto, choose an endpoint in the dashboard, or set one, such as FLORIN_BITCOIN_URL.'
  return [
    warning(
      'payment methods',
      'Buyers cannot pay: neither a gateway nor an endpoint of any chain is configured.',
      remedy,
    ),
  ]
}

export const gateway: Check = async context => {
  return Promise.all(
    (context.settings.sandbox ? [] : (configured(context) ?? [])).map(async (provider): Promise<Finding> => {
      const check = `provider ${provider.id}`
      try {
        return good(check, `${await diagnoseProvider(provider)} methods`)
      } catch (error) {
        const remedy =
          'Check the settings of this provider, such as FLORIN_GATEWAY_URL, and the network connection.'
        return fault(check, `Unexpected response: ${(error as Error).message}`, remedy)
      }
    }),
  )
}

const baseUrlSettings: Record<string, string> = {
  kraken: 'FLORIN_KRAKEN_URL',
  coinbase: 'FLORIN_COINBASE_URL',
  binance: 'FLORIN_BINANCE_URL',
  coingecko: 'FLORIN_COINGECKO_URL',
}

/** The place where the operator chooses rate sources. */
const placeOf = ({ areRatesChosen }: DoctorContext): string =>
  areRatesChosen ? 'the dashboard' : 'FLORIN_RATES'

export const rateSources: Check = async context => {
  const { settings, platform } = context
  const known = settings.sandbox ? null : networks(context)
  if (!known) return []
  return Promise.all(
    settings.rates.map(async (source): Promise<Finding> => {
      const check = `rates of ${source.name}`
      const problem = await sourceProblem(source, settings, known.assets, platform)
      if (!problem) return good(check)
      const base = baseUrlSettings[source.name]
      const first = base ? `Check the network and ${base}` : 'Fix the source'
      return warning(
        check,
        `The source ${problem.reason}.`,
        `${first}, or choose another one in ${placeOf(context)}.`,
      )
    }),
  )
}

/**
 * Warns of an exchange that is the only rate source. This is allowed, but the operator should know the risk.
 */
export const singleExchange: Check = context => {
  const { sandbox, rates } = context.settings
  const [only, ...others] = rates
  if (sandbox || only?.kind !== 'exchange' || others.length > 0) return []
  const message = `${only.name} is the only source, so wrong prices would go unnoticed.`
  return [
    warning('rates', message, `Add more sources in ${placeOf(context)}, such as kraken,coinbase,coingecko.`),
  ]
}

/**
 * True if a token on the coin's chain can be paid: endpoints of some chains need less for tokens than for the
 * coin.
 */
async function isCoinAlone(known: KnownNetworks, { chain, contract }: Asset): Promise<boolean> {
  if (contract !== null) return false
  const tokens = known.assets.filter(one => one.chain === chain && one.contract !== null)
  const problems = await Promise.all(tokens.map(token => known.of(chain)?.unavailableReason(token)))
  return problems.includes(null)
}

export const assets: Check = async context => {
  const { settings, platform } = context
  const known = settings.sandbox ? null : networks(context)
  if (!known) return []
  const rates = ratesOf(settings.rates, settings, known.assets, platform, platform.now)
  // Lightning has no endpoints to choose: each shop's wallet has a server of its own.
  const watched = known.assets.filter(({ chain }) => chain !== LIGHTNING && known.of(chain))
  return Promise.all(
    watched.map(async (asset): Promise<Finding> => {
      const check = `asset ${asset.id}`
      const problem = await known.of(asset.chain)?.unavailableReason(asset)
      if (problem && (await isCoinAlone(known, asset))) {
        const remedy = 'Until an endpoint finds it, it is not offered to buyers. The tokens of the chain are.'
        return warning(check, problem, remedy)
      }
      if (problem) {
        const remedy = 'Use another endpoint or correct the asset. Until then, it is not offered to buyers.'
        return fault(check, problem, remedy)
      }
      const rate = await rates.rate(asset.id, 'USD')
      if (rate) return good(check, `${rate.value} USD`)
      const place = settings.rates.length === 0 ? 'FLORIN_RATES or the dashboard' : placeOf(context)
      const remedy = `Check the sources in ${place}: of several, two must agree within 2%.`
      return warning(check, 'It has no USD rate, so it is not offered to buyers.', remedy)
    }),
  )
}
