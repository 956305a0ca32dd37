import { type Registry, registry } from '../../coins/registry.ts'
import { chainOf } from '../../domain/asset.ts'
import type { ProviderCoin } from '../../domain/catalogue.ts'
import { type Ask, unavailable } from './api.ts'
import { plain, readDecimal } from './decimal.ts'
import { isObject, type Told } from './json.ts'

/** The gateway's path of each asset that it offers. */
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

/** Our asset of a coin as callbacks spell it, "polygon_usdc"; null where that is no coin's name at all. */
export function assetOf(coin: string): string | null {
  const name = coin.toLowerCase()
  if (!coinPattern.test(name)) return null
  return assetByPath.get(name.replace('_', '/')) ?? `unknown/${name}`
}

/** Our assets among the coins of the gateway. */
export async function coins(ask: Ask): Promise<ProviderCoin[]> {
  const entries = Object.entries(await ask('/crypto/info.php', {}))
  const told = new Map(entries.flatMap(([name, entry]) => leavesOf(name, entry)))
  if (told.size === 0) throw unavailable('The gateway told its coins in another shape than expected.')
  return paths.flatMap(([assetId, path]) => {
    const minimum = minimumOf(told.get(path))
    return minimum === null ? [] : [{ assetId, minimum }]
  })
}

type Leaf = { [key: string]: Told }

const isCoin = (entry: Told | undefined): entry is Leaf => isObject(entry) && typeof entry.ticker === 'string'

/** A coin stands by itself or among those of its chain; whatever else stands there is none. */
function leavesOf(name: string, entry: Told): [path: string, leaf: Leaf][] {
  if (isCoin(entry)) return [[name, entry]]
  if (!isObject(entry)) return []
  return Object.entries(entry).flatMap(([ticker, leaf]) =>
    isCoin(leaf) ? [[`${name}/${ticker}`, leaf] as [string, Leaf]] : [],
  )
}

/** What is below is never forwarded, so that a coin that tells none is not to be counted on: null. */
function minimumOf(leaf: Leaf | undefined): string | null {
  const told = leaf?.minimum_transaction_coin ?? leaf?.minimum
  const decimal = typeof told === 'string' ? readDecimal(told) : null
  return decimal && plain(decimal)
}
