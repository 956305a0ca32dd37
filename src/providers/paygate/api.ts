import { type Fetch, ProviderError } from '../port.ts'
import { isObject, readJson, type Told, type ToldObject } from './json.ts'

const BODY_MAX = 1024 * 1024

/** The gateway's firewall turns away what does not look like a browser that comes from its own pages. */
const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Safari/537.36'

/** Client errors that say nothing of the request itself. */
const passing = new Set([408, 425, 429])
/** What the gateway answered to every request, with status 400, while it was away for an hour. */
const away = /bad request method/i

interface ApiOptions {
  apiUrl: string
  checkoutUrl: string
  fetch: Fetch
  timeoutMs: number
}

export type Query = Record<string, string>

/**
 * Asks the gateway, and reads the object that it answers with. Throws ProviderFault: 'unavailable', or
 * 'refused' where the request may be refused and was. No message holds a URL or any part of the answer.
 */
export type Ask = (path: string, query: Query, refusable?: 'refusable') => Promise<ToldObject>

export const unavailable = (message: string): ProviderError => new ProviderError('unavailable', message)
export const refused = (message: string): ProviderError => new ProviderError('refused', message)

export const queryOf = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

export function openApi({ apiUrl, checkoutUrl, fetch, timeoutMs }: ApiOptions): Ask {
  const headers = {
    'User-Agent': userAgent,
    Accept: 'application/json, text/plain, */*',
    Referer: `${checkoutUrl}/`,
    Origin: new URL(checkoutUrl).origin,
  }
  return async (path, query, refusable) => {
    const search = queryOf(query)
    const url = `${apiUrl}${path}${search && `?${search}`}`
    const { status, text } = await answerOf(() =>
      fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }),
    )
    if (refusable && isRefusal(status, text)) throw refused(`The gateway refused with HTTP ${status}.`)
    if (status < 200 || status > 299) throw unavailable(`The gateway answered with HTTP ${status}.`)
    return objectOf(text)
  }
}

async function answerOf(request: () => Promise<Response>): Promise<{ status: number; text: string }> {
  try {
    const response = await request()
    return { status: response.status, text: await textOf(response) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const late = error instanceof Error && error.name === 'TimeoutError'
    throw unavailable(late ? 'The gateway did not answer in time.' : 'The gateway cannot be reached.')
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  let size = 0
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    size += piece.value.length
    if (size > BODY_MAX) {
      await reader?.cancel()
      throw unavailable('The gateway answered with too much.')
    }
    text += decoder.decode(piece.value, { stream: true })
  }
  return text + decoder.decode()
}

const isRefusal = (status: number, text: string): boolean =>
  status >= 400 && status < 500 && !passing.has(status) && !away.test(text) && !/^\s*</.test(text)

function objectOf(text: string): ToldObject {
  let told: Told
  try {
    told = readJson(text)
  } catch {
    throw unavailable('The gateway answered with something that is no JSON.')
  }
  if (!isObject(told)) throw unavailable('The gateway answered with another shape than expected.')
  return told
}
