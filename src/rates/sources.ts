import type { ExchangeName } from '../coins/types.ts'
import type { Voice } from './compute-rate.ts'
import { parseExactly } from './exact-json.ts'
import type { Exchange } from './exchanges/exchange.ts'
import { exchanges } from './exchanges/index.ts'
import { readRateTable } from './rate-file.ts'
import type { RateTable } from './rate-table.ts'
import { type Fetch, type Get, getWithin, type SignalAfter, textOf } from './request.ts'

type ReadFile = (path: string) => Promise<string>

/** Where rates come from: an exchange, a file, or a URL that answers the same JSON as a file. */
export type RateSource = Place | { kind: 'exchange'; place: ExchangeName; name: ExchangeName }

interface Place {
  kind: 'file' | 'url'
  place: string
  /** what it is called in a rate, and in the log; never the whole URL, which may hold a key */
  name: string
}

/** What sources are asked with. */
export interface Reach {
  fetch: Fetch
  readFile: ReadFile
  /** milliseconds since 1970 UTC */
  now: () => number
  /** where each exchange's paths begin */
  baseUrls: Readonly<Record<ExchangeName, string>>
  /** the coins to price: tickers in lower case */
  coins: readonly string[]
  /** in place of AbortSignal.timeout */
  signalAfter?: SignalAfter
}

/** How far the word of a source goes. */
export const voiceOf = (source: RateSource): Voice => ({
  name: source.name,
  isOwnWord: source.kind === 'file',
  lists: name => source.kind !== 'exchange' || exchanges[source.place].lists(name),
})

/** Asks a source for its table. Throws an Error whose message completes "The source …" and holds no URL. */
export async function readSource(source: RateSource, reach: Reach): Promise<RateTable> {
  if (source.kind === 'exchange') return readExchange(source.place, reach)
  const text =
    source.kind === 'file' ? fileText(source.place, reach.readFile) : urlText(source.place, getOf(reach))
  return readRateTable(await text)
}

const getOf = ({ fetch, now, signalAfter }: Reach): Get => getWithin(fetch, now, signalAfter)

const urlText = async (url: string, get: Get): Promise<string> => textOf(await get(url))

async function fileText(path: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(path)
  } catch {
    throw new Error(`cannot be read at ${path}`)
  }
}

async function readExchange(name: ExchangeName, reach: Reach): Promise<RateTable> {
  const exchange: Exchange = exchanges[name]
  const { baseUrls, coins } = reach
  const get = getOf(reach)
  const ask = (path: string) => get(below(baseUrls[name], path))
  const answer = await ask(exchange.question(coins))
  const text = textOf(exchange.whole?.isNeeded(answer) ? await ask(exchange.whole.path) : answer)
  return exchange.read(parseExactly(text), coins)
}

/** A path, and the query that it may have, put after the base's own, where a key may stand. */
function below(base: string, path: string): string {
  const url = new URL(base)
  const [place = '', query = ''] = path.split('?')
  url.pathname = url.pathname.replace(/[/]$/, '') + place
  url.search = [url.search.slice(1), query].filter(part => part !== '').join('&')
  return url.href
}
