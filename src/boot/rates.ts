import { readFile } from 'node:fs/promises'
import { problemOf, type UpstreamProblem } from '../domain/upstream-fault.ts'
import type { Rates } from '../rates/port.ts'
import { coinsToPrice, makeRates, type PricedAsset } from '../rates/rates.ts'
import { type RateSource, readSource } from '../rates/sources.ts'
import type { Settings } from '../settings/table.ts'
import { fetchOf, type Platform } from './platform.ts'
import type { sharedRates } from './shared-rates.ts'

/** The settings that rate sources need. */
type BaseUrls = Pick<Settings, 'krakenUrl' | 'coinbaseUrl' | 'binanceUrl' | 'coingeckoUrl'>

const accessOf = (settings: BaseUrls, platform: Platform, now: () => number) => ({
  fetch: fetchOf(platform, 'rates'),
  readFile: (path: string) => readFile(path, 'utf8'),
  now,
  baseUrls: {
    kraken: settings.krakenUrl,
    coinbase: settings.coinbaseUrl,
    binance: settings.binanceUrl,
    coingecko: settings.coingeckoUrl,
  },
})

export const ratesOf = (
  sources: readonly RateSource[],
  settings: BaseUrls,
  assets: readonly PricedAsset[],
  platform: Platform,
  now: () => number,
): Rates => makeRates({ sources, assets, log: platform.log, ...accessOf(settings, platform, now) })

interface LiveRates {
  rates: Rates
  /** Uses these sources from now on. Cached tables of sources that remain are kept. */
  use(sources: readonly RateSource[]): void
}

/** Rates whose sources can change. */
export function liveRates(
  sources: readonly RateSource[],
  settings: BaseUrls,
  assets: readonly PricedAsset[],
  platform: Platform,
  now: () => number,
  shared?: ReturnType<typeof sharedRates>,
): LiveRates {
  const access = accessOf(settings, platform, now)
  const options = { assets, log: platform.log, tables: new Map(), shared, ...access }
  let used = JSON.stringify(sources)
  let rates = makeRates({ sources, ...options })
  return {
    rates: {
      latest: once => rates.latest(once),
      rate: (...asked) => rates.rate(...asked),
      refresh: () => rates.refresh(),
    },
    use(changed) {
      const text = JSON.stringify(changed)
      if (text === used) return
      used = text
      rates = makeRates({ sources: changed, ...options })
    },
  }
}

/** Queries one source. Returns its problem, or null. */
export async function sourceProblem(
  source: RateSource,
  settings: BaseUrls,
  assets: readonly PricedAsset[],
  platform: Platform,
): Promise<UpstreamProblem | null> {
  try {
    const access = { ...accessOf(settings, platform, platform.now), coins: coinsToPrice(assets) }
    const reason = (await readSource(source, access)).problems.join('; ')
    return reason === '' ? null : { reason, fault: null }
  } catch (error) {
    return problemOf(error)
  }
}
