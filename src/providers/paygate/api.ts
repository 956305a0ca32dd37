import { type LosslessJson, parseLossless } from '../../domain/lossless-json.ts'
import { faultOfStatus, type UpstreamFault } from '../../domain/upstream-fault.ts'
import { type Fetch, ProviderError } from '../port.ts'
import { isObject, type JsonObject } from './json.ts'

const BODY_MAX = 1024 * 1024

/**
 * The user agent of a browser. The gateway's firewall rejects requests that do not look like those of a
 * browser on its own pages.
 */
const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Safari/537.36'

/** Client errors after which a request may be repeated. */
const temporaryStatuses = new Set([408, 425, 429])
/**
 * A text that is not a refusal. The gateway once answered every request with it and status 400 for an hour.
 */
const outageText = /bad request method/i

interface ApiOptions {
  apiUrl: string
  checkoutUrl: string
  fetch: Fetch
  timeoutMs: number
}

export type Query = Record<string, string>

/**
 * Calls the API and returns the JSON object of the response. Throws ProviderError: 'refused' if the call is
 * refusable and the gateway rejected it, otherwise 'unavailable'. No message contains a URL or a part of the
 * response.
 */
export type CallApi = (path: string, query: Query, refusable?: 'refusable') => Promise<JsonObject>

export const unavailable = (message: string, fault: UpstreamFault | null = null): ProviderError =>
  new ProviderError('unavailable', message, fault)
export const refused = (message: string): ProviderError => new ProviderError('refused', message)

export const formatQuery = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

export function makeApi({ apiUrl, checkoutUrl, fetch, timeoutMs }: ApiOptions): CallApi {
  const headers = {
    'User-Agent': userAgent,
    Accept: 'application/json, text/plain, */*',
    Referer: `${checkoutUrl}/`,
    Origin: new URL(checkoutUrl).origin,
  }
  return async (path, query, refusable) => {
    const search = formatQuery(query)
    const url = `${apiUrl}${path}${search && `?${search}`}`
    const { status, text } = await readResponse(() =>
      fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }),
    )
    if (refusable && isRefusal(status, text)) throw refused(`The gateway refused with HTTP ${status}.`)
    if (status < 200 || status > 299)
      throw unavailable(`The gateway answered with HTTP ${status}.`, faultOfStatus(status))
    return parseObject(text)
  }
}

async function readResponse(request: () => Promise<Response>): Promise<{ status: number; text: string }> {
  try {
    const response = await request()
    return { status: response.status, text: await readText(response) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    throw isTimeout
      ? unavailable('The gateway did not answer in time.', 'silent')
      : unavailable('The gateway cannot be reached.', 'unreachable')
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  let size = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > BODY_MAX) {
      await reader?.cancel()
      throw unavailable('The response of the gateway is too large.', 'malformed')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

const isRefusal = (status: number, text: string): boolean =>
  status >= 400 &&
  status < 500 &&
  !temporaryStatuses.has(status) &&
  !outageText.test(text) &&
  !/^\s*</.test(text)

function parseObject(text: string): JsonObject {
  let json: LosslessJson
  try {
    json = parseLossless(text)
  } catch {
    throw unavailable('The gateway answered with malformed JSON.')
  }
  if (!isObject(json)) throw unavailable('The gateway answered with JSON of an unexpected form.')
  return json
}
