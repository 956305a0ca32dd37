import { type Registry, registry } from '../../coins/registry.ts'
import { chainOf } from '../../domain/asset.ts'
import type { ProviderCoin } from '../../domain/catalogue.ts'
import type { LosslessJson } from '../../domain/lossless-json.ts'
import { type CallApi, unavailable } from './api.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import { isObject, type JsonObject } from './json.ts'

/** The gateway's path for each asset that it offers. */
export const pathsOf = ({ chains }: Registry): [assetId: string, path: string][] =>
  chains.flatMap(({ assets }) =>
    assets.flatMap(({ id, paygatePath }) =>
      paygatePath === null ? [] : [[id, paygatePath] as [string, string]],
    ),
  )

const paths = pathsOf(registry)
const pathByAsset = new Map(paths)
const assetByPath = new Map(paths.map(([assetId, path]) => [path, assetId] as const))

const coinPattern = /^[a-z0-9._-]{1,40}$/

export const pathOf = (assetId: string): string | undefined => pathByAsset.get(assetId)

export const isEvm = (assetId: string): boolean => registry.chain(chainOf(assetId))?.family === 'evm'

/** The asset of a coin that a callback spells as in "polygon_usdc"; null for a malformed name. */
export function assetOf(coin: string): string | null {
  const name = coin.toLowerCase()
  if (!coinPattern.test(name)) return null
  return assetByPath.get(name.replace('_', '/')) ?? `unknown/${name}`
}

/** Those of our assets for which the gateway has addresses. */
export async function listCoins(callApi: CallApi): Promise<ProviderCoin[]> {
  const entries = Object.entries(await callApi('/crypto/info.php', {}))
  const listed = new Map(entries.flatMap(([name, entry]) => coinsIn(name, entry)))
  if (listed.size === 0) throw unavailable('The list of coins of the gateway is malformed.')
  return paths.flatMap(([assetId, path]) => {
    const minimum = parseMinimum(listed.get(path))
    return minimum === null ? [] : [{ assetId, minimum }]
  })
}

const isCoin = (entry: LosslessJson | undefined): entry is JsonObject =>
  isObject(entry) && typeof entry.ticker === 'string'

/** Lists a coin's entry, or the coins below a chain's entry. Skips other data of the list. */
function coinsIn(name: string, entry: LosslessJson): [path: string, coin: JsonObject][] {
  if (isCoin(entry)) return [[name, entry]]
  if (!isObject(entry)) return []
  return Object.entries(entry).flatMap(([ticker, coin]) =>
    isCoin(coin) ? [[`${name}/${ticker}`, coin] as [string, JsonObject]] : [],
  )
}

/**
 * The minimum of a coin; null if the coin has none. A payment below an unknown minimum would never be
 * forwarded, so such a coin is left out.
 */
function parseMinimum(coin: JsonObject | undefined): string | null {
  const minimum = coin?.minimum_transaction_coin ?? coin?.minimum
  const decimal = typeof minimum === 'string' ? parseDecimal(minimum) : null
  return decimal && formatDecimal(decimal)
}
