import type { Asset } from '../domain/asset.ts'
import type { Log } from '../domain/log.ts'
import type { Rate } from '../domain/quote.ts'
import { CachedRates, type RateCache } from './cache.ts'
import { computeRate } from './compute-rate.ts'
import { ComputedRates } from './computed-rates.ts'
import type { Rates } from './port.ts'
import { TETHER } from './rate-table.ts'
import type { SharedTable } from './shared.ts'
import { describeSource, type RateSource, readSource, type SourceAccess } from './sources.ts'

/** Rates are prefetched only for this time after the last use. */
const USED_WITHIN_MS = 10 * 60_000

export type PricedAsset = Pick<Asset, 'id' | 'ticker'>

interface RatesOptions extends Omit<SourceAccess, 'coins'> {
  /** the tables by source, which are kept when the sources change */
  tables?: Map<string, RateCache>
  /** tables that other servers fetched from a source; missing if this server is alone */
  shared?: ((source: RateSource, coins: readonly string[]) => SharedTable) | undefined
  sources: readonly RateSource[]
  assets: readonly PricedAsset[]
  log: Log
}

/** Coins to request from an exchange: those of the assets, and USDT, in which some prices are quoted. */
export const coinsToPrice = (assets: readonly PricedAsset[]): string[] => [
  ...new Set([...assets.map(({ ticker }) => ticker), TETHER].map(ticker => ticker.toLowerCase())),
]

const afterSlash = (assetId: string): string => assetId.slice(assetId.indexOf('/') + 1)

/** Names under which a table may have a coin, preferred first. */
const namesOf = (assetId: string, ticker: string): string[] => [assetId, afterSlash(assetId), ticker]

/**
 * The sources that may have a price for a coin. A source whose coins cannot be known in advance is included.
 */
export function sourcesWith({ id, ticker }: PricedAsset, sources: readonly RateSource[]): RateSource[] {
  const names = namesOf(id, ticker.toLowerCase())
  return sources.filter(source => names.some(describeSource(source).lists))
}

export function makeRates(options: RatesOptions): Rates {
  const { sources: rateSources, assets, log, tables = new Map(), shared, ...access } = options
  const { now } = access
  const coins = coinsToPrice(assets)
  const tickers = new Map(assets.map(({ id, ticker }) => [id, ticker.toLowerCase()]))
  const computed = new ComputedRates<Rate | null>(rateSources.map(describeSource), (id, currency, quotes) =>
    computeRate(namesOf(id, tickers.get(id) ?? afterSlash(id)), currency, quotes),
  )
  const caches = rateSources.map(source => {
    const read = () => readSource(source, { ...access, coins })
    // Files differ between machines, so their rates are not shared between servers.
    const others = source.kind === 'file' ? null : (shared?.(source, coins) ?? null)
    const { name, place } = source
    const cache: RateCache = tables.get(place) ?? new CachedRates({ name, read, now, log, shared: others })
    tables.set(place, cache)
    return cache
  })
  let lastUsedAt: number | null = null
  const latest: Rates['latest'] = async (once = false) => {
    if (!once) lastUsedAt = now()
    let fetched = caches.map(cache => cache.fresh())
    if (fetched.includes(null)) fetched = await Promise.all(caches.map(cache => cache.latest()))
    return computed.at(fetched, now())
  }

  return {
    latest,
    rate: async (assetId, currency, once) => (await latest(once))(assetId, currency),
    async refresh() {
      if (lastUsedAt === null || now() - lastUsedAt > USED_WITHIN_MS) return
      await Promise.all(caches.map(cache => cache.refresh()))
    },
  }
}
