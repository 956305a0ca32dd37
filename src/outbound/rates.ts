import type { Log } from '../domain/log.ts'
import { isRateValue, type Rate } from '../domain/quote.ts'
import type { Rates } from './port.ts'
import { cacheRates, type RateCache } from './rate-cache.ts'
import { priceIn, printPrice } from './rate-file.ts'
import { type Fetch, type RateSource, type ReadFile, readSource } from './rate-sources.ts'

/** Rates that nobody has asked for in this time are not fetched ahead. */
const ASKED_WITHIN_MS = 10 * 60_000

export interface RatesOptions {
  sources: readonly RateSource[]
  fetch: Fetch
  readFile: ReadFile
  /** milliseconds since 1970 UTC */
  now: () => number
  log: Log
}

interface Opinion {
  source: string
  price: bigint
  at: number
}

export function makeRates({ sources, fetch, readFile, now, log }: RatesOptions): Rates {
  const caches = sources.map(source =>
    cacheRates(source.name, () => readSource(source, fetch, readFile), now, log),
  )
  let askedAt: number | null = null

  return {
    async rate(assetId, currency) {
      askedAt = now()
      const opinions = await Promise.all(caches.map(cache => opinionOf(cache, assetId, currency)))
      return combine(
        opinions.filter(opinion => opinion !== null),
        currency,
        sources.length,
      )
    },
    async refresh() {
      if (askedAt === null || now() - askedAt > ASKED_WITHIN_MS) return
      await Promise.all(caches.map(cache => cache.refresh()))
    },
  }
}

async function opinionOf(cache: RateCache, assetId: string, currency: string): Promise<Opinion | null> {
  const seen = await cache.latest()
  const price = seen && priceIn(seen.table, assetId, currency)
  return seen && price ? { source: cache.name, price, at: seen.at } : null
}

/** Whether two prices are within 2 % of each other. */
const isNear = (low: bigint, high: bigint): boolean => (high - low) * 50n <= low

const isNearAny = (a: bigint, b: bigint): boolean => (a < b ? isNear(a, b) : isNear(b, a))

/** The one in the middle; of an even number the mean of the middle two, rounded down. */
function medianOf(sorted: bigint[]): bigint {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2n
}

/** A median that no two sources stand behind is nobody's price: two broken ones could drag it anywhere. */
function isConfirmed(sorted: bigint[], median: bigint): boolean {
  return sorted.some((price, at) => {
    const next = sorted[at + 1]
    return next !== undefined && isNear(price, next) && isNearAny(price, median) && isNearAny(next, median)
  })
}

function combine(opinions: Opinion[], currency: string, configured: number): Rate | null {
  const prices = opinions.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  if (prices.length === 0) return null
  const median = medianOf(prices)
  const value = printPrice(median)
  if (configured > 1 && !isConfirmed(prices, median)) return null
  if (!isRateValue(value)) return null
  return {
    value,
    currency,
    sources: opinions.map(({ source }) => source),
    at: Math.min(...opinions.map(({ at }) => at)),
  }
}
