import { Refusal } from '../../domain/errors.ts'
import { type Fetch, Malformed, NetworkError } from '../port.ts'
import { redactedUrl } from './redact.ts'

export interface HttpOptions {
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  /** the longest response that is accepted */
  maxBytes?: number
  /** the header in which the user name of the URL is sent as an API key, if the URL has no password */
  keyHeader?: string
  /** headers of every request to an endpoint, such as an API key */
  headersOf?: (url: string) => Record<string, string>
}

type Limits = HttpOptions & Required<Pick<HttpOptions, 'timeoutMs' | 'maxBytes'>>

export interface HttpResponse {
  status: number
  /** the body of the response; null if it is too long */
  text: string | null
}

/** Thrown if the endpoint asks for a pause. */
export class RateLimited extends NetworkError {
  override readonly fault = 'limited'
  constructor(readonly retryAfterMs: number | null) {
    super('rejected the request: rate limit exceeded')
  }
}

/** Thrown if the endpoint took too long. */
class TimedOut extends NetworkError {
  override readonly fault = 'silent'
}

/** Thrown if no connection to the endpoint could be made, or if it broke. */
class Unreachable extends NetworkError {
  override readonly fault = 'unreachable'
}

/** Thrown if the server's own rules forbid requests to the endpoint. */
class Forbidden extends NetworkError {
  override readonly fault = 'private'
}

/** Thrown if the endpoint wants a key, or another key. */
class Denied extends NetworkError {
  override readonly fault = 'denied'
}

/** Recognizes a rate limit that TronGrid and others report as status 403. */
const limitWords = /request rate|rate.?limit|frequency limit|too many requests/i
const webPage = /^\s*<(?:!doctype html|html)/i
const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
const JSON_TYPE = 'application/json'

/** Sends requests to one URL of the settings and to paths below it, with limits on time and size. */
export class HttpEndpoint {
  readonly #options: Limits
  readonly #base: string
  readonly #query: string
  readonly #credentials: Record<string, string>
  /** the only part of the URL that may be logged or shown */
  readonly host: string
  /** Returns a message of the endpoint without secrets, on one line and cut. */
  readonly redact: (message: string) => string

  constructor(url: string, options: HttpOptions) {
    this.#options = { timeoutMs: TIMEOUT_MS, maxBytes: RESPONSE_BYTES_MAX, ...options }
    const extra = options.headersOf?.(url) ?? {}
    const secrets = Object.values(extra)
    const { url: whole, credentials, host, redact } = redactedUrl(url, options.keyHeader, secrets)
    const [base = '', query] = whole.split('?')
    this.#base = base
    this.#query = query === undefined ? '' : `?${query}`
    this.#credentials = { ...credentials, ...extra }
    this.host = host
    this.redact = redact
  }

  /** True if the endpoint is on this machine, the only place where a private chain is accepted. */
  get isLocal(): boolean {
    const { hostname } = new URL(this.#base)
    return hostname === 'localhost' || hostname === '[::1]' || /^127([.][0-9]{1,3}){3}$/.test(hostname)
  }

  get clock(): () => number {
    return this.#options.clock
  }

  /**
   * Requests a path, which begins with a slash and is appended to the URL's own path. Throws NetworkError.
   */
  get(path: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.#send(this.#below(path), { headers })
  }

  /**
   * Sends JSON, or a text of another type, to a path below the URL, or to the URL if the path is empty.
   * Throws NetworkError.
   */
  post(path: string, body: string, type = JSON_TYPE): Promise<HttpResponse> {
    return this.#send(this.#below(path), { method: 'POST', headers: { 'content-type': type }, body })
  }

  #below(path: string): string {
    if (path === '') return this.#base + this.#query
    const [pathname = '', query] = path.split('?')
    const joined = [this.#query.slice(1), query].filter(part => part).join('&')
    return this.#base.replace(/[/]$/, '') + pathname + (joined === '' ? '' : `?${joined}`)
  }

  async #send(url: string, init: RequestInit): Promise<HttpResponse> {
    const { fetch, timeoutMs, maxBytes, clock } = this.#options
    const headers = { ...(init.headers as Record<string, string>), ...this.#credentials }
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url, { ...init, headers, signal, redirect: 'manual' })
      if (response.status === 429) throw new RateLimited(retryAfterMs(response, clock()))
      const text = await readBody(response, maxBytes)
      if (response.status === 403 && limitWords.test(text ?? '')) throw new RateLimited(null)
      requireNode(response.status, text ?? '')
      return { status: response.status, text }
    } catch (error) {
      if (error instanceof NetworkError) throw error
      if (error instanceof Refusal) throw new Forbidden('is in a private network, or its URL is not allowed')
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      if (isLate) throw new TimedOut(`did not answer within ${timeoutMs / 1000} s`)
      throw new Unreachable('cannot be reached')
    }
  }
}

/** Throws for an answer of a proxy, a web server or a firewall in front of the node. */
function requireNode(status: number, text: string): void {
  if (status >= 300 && status < 400) {
    throw new NetworkError(
      `redirects requests (status ${status}), which Florin does not follow. Use the URL that it leads to`,
    )
  }
  if (status === 200 && webPage.test(text)) {
    throw new Malformed('returned a web page, not data. Check the path of the URL')
  }
  if (status === 401 || (status === 403 && !text.includes('"jsonrpc"'))) {
    throw new Denied(`refused the request with status ${status}. Check the key in the URL or in the header`)
  }
}

/** Reads the header `Retry-After`, which contains seconds or a date (RFC 9110). */
function retryAfterMs(response: Response, now: number): number | null {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** Reads the text of a response. Returns null for a response that is too long, without fetching the rest. */
async function readBody(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (response.body === null) return text
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
