import type { Asset } from '../domain/asset.ts'
import type { Log } from '../domain/log.ts'
import { cacheRates } from './cache.ts'
import { computeRate } from './compute-rate.ts'
import type { Rates } from './port.ts'
import { TETHER } from './rate-table.ts'
import { type RateSource, type Reach, readSource, voiceOf } from './sources.ts'

/** Rates that nobody has asked for in this time are not fetched ahead. */
const ASKED_WITHIN_MS = 10 * 60_000

export type Priced = Pick<Asset, 'id' | 'ticker'>

interface RatesOptions extends Omit<Reach, 'coins'> {
  sources: readonly RateSource[]
  assets: readonly Priced[]
  log: Log
}

/** The coins to ask an exchange for: those of the assets, and what tethers are worth. */
export const coinsOf = (assets: readonly Priced[]): string[] => [
  ...new Set([...assets.map(({ ticker }) => ticker), TETHER].map(ticker => ticker.toLowerCase())),
]

const tailOf = (assetId: string): string => assetId.slice(assetId.indexOf('/') + 1)

export function makeRates({ sources, assets, log, ...reach }: RatesOptions): Rates {
  const { now } = reach
  const coins = coinsOf(assets)
  const tickers = new Map(assets.map(({ id, ticker }) => [id, ticker.toLowerCase()]))
  const voices = sources.map(voiceOf)
  const caches = sources.map(source =>
    cacheRates(source.name, () => readSource(source, { ...reach, coins }), now, log),
  )
  let askedAt: number | null = null

  return {
    async rate(assetId, currency) {
      askedAt = now()
      const seen = await Promise.all(caches.map(cache => cache.latest()))
      const heard = seen.flatMap((one, at) => (one ? [{ ...one, voice: voices[at]! }] : []))
      const names = [assetId, tailOf(assetId), tickers.get(assetId) ?? tailOf(assetId)]
      return computeRate(names, currency, { voices, heard, now: now() })
    },
    async refresh() {
      if (askedAt === null || now() - askedAt > ASKED_WITHIN_MS) return
      await Promise.all(caches.map(cache => cache.refresh()))
    },
  }
}
