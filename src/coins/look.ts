import type { Asset, AssetLook } from '../domain/asset.ts'
import type { Registry } from './registry.ts'

/** How pages show the assets of a registry, and those of a file, which may be on its chains. */
export function makeLooks({ chain: chainOf, coins }: Registry): (asset: Asset) => AssetLook {
  const coinOf = new Map(coins.map(coin => [coin.ticker, coin]))
  const lookOf = ({ chain: id, ticker, contract }: Asset): AssetLook => {
    const chain = chainOf(id)
    const coin = coinOf.get(ticker)
    return {
      coin: coin?.name ?? ticker,
      coinMark: coin?.icon ?? null,
      network: chain?.name ?? id,
      networkMark: chain?.icon ?? null,
      standard: contract === null ? null : (chain?.tokenStandard ?? null),
      usual: chain?.usual ?? null,
      transactionUrl: chain?.explorer.transaction ?? null,
    }
  }
  // Pages ask for every asset each time.
  const known = new WeakMap<Asset, AssetLook>()
  return asset => {
    const look = known.get(asset) ?? lookOf(asset)
    known.set(asset, look)
    return look
  }
}
