import { networksOf } from '../../boot/networks.ts'
import { registry } from '../../coins/registry.ts'
import type { Asset } from '../../domain/asset.ts'
import { endpointSettingsOf } from '../../settings/endpoints.ts'
import type { Settings } from '../../settings/table.ts'
import { type Check, type Finding, fault, good } from './finding.ts'
import { type KnownNetworks, networksFor } from './upstreams.ts'

const chains = Object.entries(endpointSettingsOf(registry))

interface Lack {
  asset: Asset
  /** null if payments in the asset can be found */
  problem: string | null
}

const lacksOf = ({ assets, of }: KnownNetworks, chain: string): Promise<Lack[]> =>
  Promise.all(
    assets
      .filter(asset => asset.chain === chain)
      .map(async asset => ({ asset, problem: (await of(chain)?.unavailableReason(asset)) ?? null })),
  )

const idsOf = (lacks: Lack[]): string => lacks.map(({ asset }) => asset.id).join(', ')

/**
 * Reports the assets that an endpoint cannot be used for. Another check finds assets without any endpoint.
 */
function partlyUsable(check: string, lacks: Lack[]): Finding {
  const usable = lacks.filter(({ problem }) => problem === null)
  const missing = lacks.filter(({ problem }) => problem !== null)
  const reasons = Map.groupBy(missing, ({ problem }) => problem)
  const texts = [...reasons].map(([problem, some]) => `not usable for ${idsOf(some)}: ${problem}`)
  return good(check, `usable for ${idsOf(usable)}; ${texts.join('; ')}`)
}

/** Checks each endpoint separately, because failover hides a broken one, and for each asset of its chain. */
export const endpoints: Check = async context => {
  const { settings, platform } = context
  if (settings.sandbox || !networksFor(context)) return []
  const all = chains.flatMap(([chain, key]) => settings[key].map(endpoint => ({ chain, key, endpoint })))
  return Promise.all(
    all.map(async ({ chain, key, endpoint }): Promise<Finding> => {
      const origin = endpoint.chosen ? ' (chosen in the dashboard)' : ''
      const check = `endpoint ${new URL(endpoint.url).host} of ${chain}${origin}`
      const alone: Settings = { ...settings, [key]: [endpoint] }
      const lacks = await lacksOf(networksOf(alone, platform, platform.now, null), chain)
      const problems = new Set(lacks.map(({ problem }) => problem))
      if (problems.has(null) && problems.size > 1) return partlyUsable(check, lacks)
      if (problems.has(null) || problems.size === 0) return good(check)
      return fault(check, [...problems].join('; '), 'Use another endpoint, or ask its operator.')
    }),
  )
}

/** Reports chains with one endpoint if payments need two: these payments would never be final. */
export const requiredEndpoints: Check = context => {
  const { settings } = context
  if (settings.sandbox || settings.quorumAbove === null) return []
  const check = 'second opinion'
  const assets = networksFor(context)?.assets ?? []
  const count = networksFor(context)?.endpointCount ?? (() => 0)
  const single = chains.flatMap(([chain, key]) => {
    if (settings[key].length === 0) return []
    const own = assets.filter(asset => asset.chain === chain)
    const lacking = own.filter(asset => count(asset) < 2)
    const isWhole = new Set(settings[key].map(({ url }) => url)).size === 1
    return isWhole ? [chain] : lacking.map(({ id }) => id)
  })
  if (single.length === 0) return [good(check)]
  const limit = `${settings.quorumAbove.amount} ${settings.quorumAbove.currency}`
  const where = `FLORIN_SECOND_OPINION needs two endpoints, but ${single.join(', ')} has one`
  const message = `${where}. Orders above ${limit} cannot be paid there.`
  return [
    fault(
      check,
      message,
      'Add a second endpoint from a different operator: in the dashboard, or in the setting after a comma.',
    ),
  ]
}
