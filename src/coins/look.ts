import type { Asset, AssetLook } from '../domain/asset.ts'
import type { Registry } from './registry.ts'
import type { Chain } from './types.ts'

/**
 * The content of the QR code. For tokens it is the plain address, since some wallets read only a part of the
 * URI and send another coin, or send the money to the contract, where it is lost. TRON has no standard for
 * URIs, and its best-known wallet refuses them.
 */
const qrOf = ({ contract }: Asset, chain: Chain | undefined): AssetLook['qr'] =>
  contract !== null || chain?.wallet.paymentUri.standard === 'tron' ? 'address' : 'uri'

/** Makes the function that returns how pages show an asset. The asset may come from an operator's file. */
export function makeLooks({ chain: chainOf, coins, invoices }: Registry): (asset: Asset) => AssetLook {
  const coinOf = new Map(coins.map(coin => [coin.ticker, coin]))
  const lookOf = (asset: Asset): AssetLook => {
    const { chain: id, ticker, contract } = asset
    const chain = chainOf(id)
    const place = chain ?? invoices(id)
    const coin = coinOf.get(ticker)
    const network = place?.name ?? id
    const standard = contract !== null && chain?.tokenStandard
    return {
      assetId: asset.id,
      coin: coin?.name ?? ticker,
      ticker,
      coinMark: coin?.icon ?? null,
      network,
      networkMark: place?.icon ?? null,
      label: `${ticker} · ${network}${standard ? ` (${standard})` : ''}`,
      usual: place?.usual ?? null,
      qr: qrOf(asset, chain),
      transactionUrl: chain?.explorer.transaction ?? null,
    }
  }
  // Each asset keeps one look object, since views/drawn-once.ts draws it once per object, not once per page.
  const known = new WeakMap<Asset, AssetLook>()
  function lookAt(asset: Asset): AssetLook {
    const look = lookOf(asset)
    known.set(asset, look)
    return look
  }
  return asset => known.get(asset) ?? lookAt(asset)
}
