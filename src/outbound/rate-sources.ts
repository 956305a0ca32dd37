import { type RateTable, readRateTable } from './rate-file.ts'

const FETCH_TIMEOUT_MS = 5_000

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>
export type ReadFile = (path: string) => Promise<string>

/** Where rates come from: a file, or a URL that answers the same JSON. */
export interface RateSource {
  kind: 'file' | 'url'
  place: string
  /** what it is called in a rate, and in the log; never the whole URL, which may hold a key */
  name: string
}

/** Reads FLORIN_RATES: file:PATH or a URL, comma-separated. Throws an Error that names a bad item. */
export function readRateSources(text: string): RateSource[] {
  const sources = text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
    .map(readRateSource)
  const twice = sources.find(({ place }, at) => sources.findIndex(source => source.place === place) !== at)
  if (twice) throw new Error(`"${twice.place}" is named twice, but a source cannot confirm itself`)
  return sources
}

function readRateSource(item: string): RateSource {
  const path = /^file:(.+)$/.exec(item)?.[1]
  if (path !== undefined) return { kind: 'file', place: path, name: 'file' }
  if (!/^https?:\/\/[^/]/.test(item) || !URL.canParse(item)) {
    throw new Error(`"${item}" is neither file:PATH nor an http(s) URL`)
  }
  const url = new URL(item)
  return { kind: 'url', place: url.href, name: url.host }
}

/** Asks a source for its table. Throws an Error whose message completes "The source …" and holds no URL. */
export async function readSource(source: RateSource, fetch: Fetch, readFile: ReadFile): Promise<RateTable> {
  const text = source.kind === 'file' ? fileText(source.place, readFile) : urlText(source.place, fetch)
  return readRateTable(await text)
}

async function fileText(path: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(path)
  } catch {
    throw new Error(`cannot be read at ${path}`)
  }
}

async function urlText(url: string, fetch: Fetch): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(() => null)
  if (answer === null) throw new Error('does not answer')
  const text = await answer.text().catch(() => null)
  if (!answer.ok) throw new Error(`answers ${answer.status}`)
  if (text === null) throw new Error('breaks off its answer')
  return text
}
