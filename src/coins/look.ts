import type { Asset, AssetLook } from '../domain/asset.ts'
import type { Registry } from './registry.ts'
import type { Chain } from './types.ts'

/**
 * Wallets that read only a part of a token's URI send another coin, or send to the contract, from which
 * nothing returns. TRON has no standard, and its best known wallet refuses such a code.
 */
const qrOf = ({ contract }: Asset, chain: Chain | undefined): AssetLook['qr'] =>
  contract !== null || chain?.wallet.paymentUri.standard === 'tron' ? 'address' : 'uri'

/** How pages show the assets of a registry, and those of a file, which may be on its chains. */
export function makeLooks({ chain: chainOf, coins }: Registry): (asset: Asset) => AssetLook {
  const coinOf = new Map(coins.map(coin => [coin.ticker, coin]))
  const lookOf = (asset: Asset): AssetLook => {
    const { chain: id, ticker, contract } = asset
    const chain = chainOf(id)
    const coin = coinOf.get(ticker)
    return {
      coin: coin?.name ?? ticker,
      coinMark: coin?.icon ?? null,
      network: chain?.name ?? id,
      networkMark: chain?.icon ?? null,
      standard: contract === null ? null : (chain?.tokenStandard ?? null),
      usual: chain?.usual ?? null,
      qr: qrOf(asset, chain),
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
