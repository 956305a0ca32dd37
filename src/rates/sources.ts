import type { ExchangeName } from '../coins/types.ts'
import type { Source } from './compute-rate.ts'
import type { Exchange } from './exchanges/exchange.ts'
import { exchanges } from './exchanges/index.ts'
import { parseJson } from './json.ts'
import { type RateTable, readRateTable } from './rate-table.ts'
import { type Fetch, type Get, makeGet, type SignalAfter, successText } from './request.ts'

type ReadFile = (path: string) => Promise<string>

/** A source of rates: an exchange, a file, or a URL that returns the same JSON as a file. */
export type RateSource =
  | { kind: 'exchange'; place: ExchangeName; name: ExchangeName }
  | {
      kind: 'file' | 'url'
      place: string
      /** name in rates and in the log; never the whole URL, which may contain a key */
      name: string
    }

/** Dependencies for reading a source. */
export interface SourceAccess {
  fetch: Fetch
  readFile: ReadFile
  /** milliseconds since 1970 UTC */
  now: () => number
  baseUrls: Readonly<Record<ExchangeName, string>>
  /** tickers of the coins to price, in lower case */
  coins: readonly string[]
  /** replaces AbortSignal.timeout */
  signalAfter?: SignalAfter
}

export const describeSource = (source: RateSource): Source => ({
  name: source.name,
  isOperatorFile: source.kind === 'file',
  lists: name => source.kind !== 'exchange' || exchanges[source.place].lists(name),
})

/** Reads the table of a source. Throws an Error whose message completes "The source …" without its URL. */
export async function readSource(source: RateSource, access: SourceAccess): Promise<RateTable> {
  if (source.kind === 'exchange') return readExchange(source.place, access)
  const text =
    source.kind === 'file' ? readText(source.place, access.readFile) : getText(source.place, getOf(access))
  return readRateTable(await text)
}

const getOf = ({ fetch, now, signalAfter }: SourceAccess): Get => makeGet(fetch, now, signalAfter)

const getText = async (url: string, get: Get): Promise<string> => successText(await get(url))

async function readText(path: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(path)
  } catch {
    throw new Error(`cannot be read at ${path}`)
  }
}

async function readExchange(name: ExchangeName, access: SourceAccess): Promise<RateTable> {
  const exchange: Exchange = exchanges[name]
  const { baseUrls, coins } = access
  const get = getOf(access)
  const request = (path: string) => get(below(baseUrls[name], path))
  const response = await request(exchange.path(coins))
  const text = successText(
    exchange.fullList?.isNeeded(response) ? await request(exchange.fullList.path) : response,
  )
  return exchange.read(parseJson(text), coins)
}

/** Appends a path and query to those of the base URL, whose query may contain a key. */
function below(base: string, path: string): string {
  const url = new URL(base)
  const [pathname = '', query = ''] = path.split('?')
  url.pathname = url.pathname.replace(/[/]$/, '') + pathname
  url.search = [url.search.slice(1), query].filter(part => part !== '').join('&')
  return url.href
}
