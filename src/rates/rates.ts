import type { Asset } from '../domain/asset.ts'
import type { Log } from '../domain/log.ts'
import { cacheRates } from './cache.ts'
import { computeRate } from './compute-rate.ts'
import type { Rates } from './port.ts'
import { TETHER } from './rate-table.ts'
import { describeSource, type RateSource, readSource, type SourceAccess } from './sources.ts'

/** Rates are fetched ahead only for some time after the last use. */
const USED_WITHIN_MS = 10 * 60_000

export type PricedAsset = Pick<Asset, 'id' | 'ticker'>

interface RatesOptions extends Omit<SourceAccess, 'coins'> {
  sources: readonly RateSource[]
  assets: readonly PricedAsset[]
  log: Log
}

/** The coins to request from an exchange: those of the assets, and tethers, which some prices are in. */
export const coinsToPrice = (assets: readonly PricedAsset[]): string[] => [
  ...new Set([...assets.map(({ ticker }) => ticker), TETHER].map(ticker => ticker.toLowerCase())),
]

const afterSlash = (assetId: string): string => assetId.slice(assetId.indexOf('/') + 1)

export function makeRates({ sources: rateSources, assets, log, ...access }: RatesOptions): Rates {
  const { now } = access
  const coins = coinsToPrice(assets)
  const tickers = new Map(assets.map(({ id, ticker }) => [id, ticker.toLowerCase()]))
  const sources = rateSources.map(describeSource)
  const caches = rateSources.map(source =>
    cacheRates(source.name, () => readSource(source, { ...access, coins }), now, log),
  )
  let lastUsedAt: number | null = null

  return {
    async rate(assetId, currency, once = false) {
      if (!once) lastUsedAt = now()
      const tables = await Promise.all(caches.map(cache => cache.latest()))
      const received = tables.flatMap((one, at) => (one ? [{ ...one, source: sources[at]! }] : []))
      const names = [assetId, afterSlash(assetId), tickers.get(assetId) ?? afterSlash(assetId)]
      return computeRate(names, currency, { sources, received, now: now() })
    },
    async refresh() {
      if (lastUsedAt === null || now() - lastUsedAt > USED_WITHIN_MS) return
      await Promise.all(caches.map(cache => cache.refresh()))
    },
  }
}
