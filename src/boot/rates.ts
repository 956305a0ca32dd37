import { readFile } from 'node:fs/promises'
import type { Rates } from '../rates/port.ts'
import { coinsOf, makeRates, type Priced } from '../rates/rates.ts'
import { type RateSource, readSource } from '../rates/sources.ts'
import type { Settings } from '../settings/table.ts'
import type { Platform } from './platform.ts'

/** What of the settings decides how a source is asked. */
type BaseUrls = Pick<Settings, 'krakenUrl' | 'coinbaseUrl' | 'binanceUrl' | 'coingeckoUrl'>

const reachOf = (settings: BaseUrls, { fetch }: Platform, now: () => number) => ({
  fetch,
  readFile: (path: string) => readFile(path, 'utf8'),
  now,
  baseUrls: {
    kraken: settings.krakenUrl,
    coinbase: settings.coinbaseUrl,
    binance: settings.binanceUrl,
    coingecko: settings.coingeckoUrl,
  },
})

/** The rates of the assets in the table, which tells what an exchange is asked for. */
export const ratesOf = (
  sources: readonly RateSource[],
  settings: BaseUrls,
  assets: readonly Priced[],
  platform: Platform,
  now: () => number,
): Rates => makeRates({ sources, assets, log: platform.log, ...reachOf(settings, platform, now) })

/** Asks one source alone: what is wrong with it, or null. */
export async function sourceFault(
  source: RateSource,
  settings: BaseUrls,
  assets: readonly Priced[],
  platform: Platform,
): Promise<string | null> {
  try {
    const reach = { ...reachOf(settings, platform, platform.now), coins: coinsOf(assets) }
    return (await readSource(source, reach)).faults.join('; ') || null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
