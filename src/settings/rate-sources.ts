import { type ExchangeName, exchangeNames } from '../coins/types.ts'
import { list, type Read } from './parsers.ts'

/** A source of rates: an exchange, a file, or a URL that returns the same JSON as a file. */
type RateSourceSetting =
  | { kind: 'exchange'; place: ExchangeName; name: ExchangeName }
  | {
      kind: 'file' | 'url'
      place: string
      /** name in rates and in the log; never the whole URL, which may contain a key */
      name: string
    }

export const isExchange = (name: string): name is ExchangeName =>
  exchangeNames.some(exchange => exchange === name)

/** Parses FLORIN_RATES, comma-separated. */
export const rateSources: Read<RateSourceSetting[]> = value => {
  const sources = list(value).map(rateSource)
  const repeated = sources.find(({ place }, at) => sources.findIndex(other => other.place === place) !== at)
  if (repeated) throw new Error(`lists "${repeated.place}" twice, but a source cannot confirm itself`)
  if (sources.length === 1 && sources[0]?.name === 'binance') {
    throw new Error('lists only binance, whose prices are in USDT: add a source with prices in US dollars')
  }
  return sources
}

function rateSource(item: string): RateSourceSetting {
  if (isExchange(item)) return { kind: 'exchange', place: item, name: item }
  const path = /^file:(.+)$/.exec(item)?.[1]
  if (path !== undefined) return { kind: 'file', place: path, name: 'file' }
  if (!/^https?:\/\/[^/]/.test(item) || !URL.canParse(item)) {
    throw new Error(`lists "${item}", which is not ${exchangeNames.join(', ')}, file:PATH or an http(s) URL`)
  }
  const url = new URL(item)
  return { kind: 'url', place: url.href, name: url.host }
}
