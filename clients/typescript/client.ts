import { type Failure, type FlorinEvent, type Operations, routes } from './api.ts'

/** Max difference between the time of a delivery and this computer's time, in seconds. */
const TOLERANCE_SECONDS = 300
/** The longest pause between two tries, even if Retry-After is longer. */
const MAX_PAUSE_MS = 60_000
/** Statuses of responses after which the same request may succeed. */
const RETRIED = [429, 502, 503]
const PAGE_SIZE = 100

/** True for a failure that may pass. An incomplete response with a status of success was lost on its way. */
const isPassing = ({ code, status }: FlorinError): boolean =>
  (code === 'no_response' && (status ?? 0) < 300) || RETRIED.includes(status ?? 0)

export type ErrorCode = Failure['error']['code']

type Fetch = (url: URL, init: RequestInit) => Promise<Response>
type Name = keyof Operations
type Optional<K extends string, T> = keyof T extends never
  ? unknown
  : Record<never, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T }

/** The input of an operation: its `path` and `query` parameters and its `body`, as far as it has them. */
export type Input<N extends Name> = Optional<'path', Operations[N]['path']> &
  Optional<'query', Operations[N]['query']> &
  (Operations[N]['body'] extends undefined ? unknown : { body: Operations[N]['body'] })

type Page<T> = { items: T[]; nextPageToken?: string }
/** The names of the operations that list items page by page. */
export type ListName = {
  [N in Name]: Operations[N]['query'] extends { pageToken?: string } ? N : never
}[Name]
type Item<N extends ListName> = Operations[N]['data'] extends Page<infer T> ? T : never

/** A request that the server refused, or that got no usable response. */
export class FlorinError extends Error {
  override readonly name = 'FlorinError'
  constructor(
    /** one of the documented codes; later versions may add others */
    readonly code: ErrorCode | 'no_response',
    message: string,
    /** null without a response */
    readonly status: number | null = null,
    readonly requestId: string | null = null,
    /** the fields to correct */
    readonly details: NonNullable<Failure['error']['details']> = [],
    readonly retryAfterMs: number | null = null,
  ) {
    super(`${code}: ${message}`)
  }
}

export interface FlorinOptions {
  /** the address of the server, such as https://pay.shop.example */
  url: string
  /** Keep the key on a server. The public operations of a product page need none. */
  apiKey?: string
  /** time limit of a request; by default 30 seconds */
  timeoutMs?: number
  /** how often a failed request is sent again, if this cannot do anything twice; by default 3 */
  retries?: number
  fetch?: Fetch
}

export interface CallOptions {
  /**
   * Set it to repeat a request after a crash: the same key returns the same object. By default, each call has
   * a new key.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

const isLocal = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

function checkUrl(text: string): string {
  const url = new URL(text)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname)))
    return text.replace(/\/+$/, '')
  throw new TypeError('The URL of the server must begin with https://. Only localhost may use http://.')
}

interface Parameters {
  path?: Record<string, string>
  query?: Record<string, unknown>
}

function urlOf(address: string, { path = {}, query = {} }: Parameters): URL {
  const url = new URL(address.replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(path[field] ?? '')))
  for (const [field, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(field, String(value))
  return url
}

/** The API of one merchant. Amounts are decimal strings such as "25.00", never numbers. */
export class Florin {
  readonly #url: string
  readonly #apiKey: string | undefined
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #fetch: Fetch

  constructor(options: FlorinOptions) {
    this.#url = checkUrl(options.url)
    this.#apiKey = options.apiKey
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#retries = options.retries ?? 3
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init))
  }

  /** Creates an order. Send the buyer to its `checkoutUrl`. */
  createOrder(body: Operations['createOrder']['body'], options?: CallOptions) {
    return this.call('createOrder', { body }, options)
  }

  /** Creates an order that no money can be paid to. It needs a test key. */
  createTestOrder(body: Operations['createTestOrder']['body'], options?: CallOptions) {
    return this.call('createTestOrder', { body }, options)
  }

  getOrder(orderUUID: string) {
    return this.call('readOrder', { path: { orderUUID } })
  }

  /** Runs an operation of the API by its name in the OpenAPI document, and returns its `data`. */
  async call<N extends Name>(
    name: N,
    input: Input<N>,
    { idempotencyKey, signal }: CallOptions = {},
  ): Promise<Operations[N]['data']> {
    const [method, path, takesKey] = routes[name]
    const { body, ...parameters } = input as Parameters & { body?: unknown }
    const key = takesKey ? (idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(this.#apiKey && { 'x-api-key': this.#apiKey }),
      ...(key && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const url = urlOf(this.#url + path, parameters)
    const send = () => this.#send(url, { method, headers, body: text }, signal)
    const mayRepeat = method === 'GET' || key !== undefined
    return (await (mayRepeat ? this.#repeat(send, signal) : send())) as Operations[N]['data']
  }

  /** Sends a request again as long as it fails for a reason that may pass. */
  async #repeat(send: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
    for (let tried = 0; ; tried++) {
      try {
        return await send()
      } catch (error) {
        const mayPass = error instanceof FlorinError && isPassing(error) && !signal?.aborted
        if (!mayPass || tried >= this.#retries) throw error
        const pause = error.retryAfterMs ?? 1000 * 2 ** tried * (0.5 + Math.random() / 2)
        await new Promise(resolve => setTimeout(resolve, Math.min(pause, MAX_PAUSE_MS)))
      }
    }
  }

  /** All items of a list, newest first, fetched page by page. */
  async *each<N extends ListName>(name: N, input: Input<N> = {} as Input<N>): AsyncGenerator<Item<N>> {
    const { query, ...rest } = input as { query?: object }
    let pageToken: string | undefined
    do {
      const next = { ...rest, query: { pageSize: PAGE_SIZE, ...query, pageToken } }
      const page = (await this.call(name, next as unknown as Input<N>)) as unknown as Page<Item<N>>
      yield* page.items
      pageToken = page.nextPageToken
    } while (pageToken !== undefined)
  }

  async #send(url: URL, init: RequestInit, signal: AbortSignal | undefined): Promise<unknown> {
    const limit = AbortSignal.timeout(this.#timeoutMs)
    const signals = signal ? [signal, limit] : [limit]
    // Redirects are not followed: the API has none, and the key must not be sent to another server.
    const request = { ...init, redirect: 'manual' as const, signal: AbortSignal.any(signals) }
    let response: Response
    let text: string
    try {
      response = await this.#fetch(url, request)
      text = await response.text()
    } catch (error) {
      if (signal?.aborted) throw error
      throw new FlorinError('no_response', `The server did not respond: ${String(error)}`)
    }
    return dataOf(response, text)
  }
}

interface Answer {
  success: boolean
  data?: unknown
  error?: Partial<Failure['error']>
}

/** Parses a response. Returns null for a text that is not from Florin, such as the page of a proxy. */
function parse(text: string): Answer | null {
  try {
    const answer: Answer | null = JSON.parse(text)
    return typeof answer?.success === 'boolean' ? answer : null
  } catch {
    return null
  }
}

function dataOf({ status, headers }: Response, text: string): unknown {
  const answer = parse(text)
  if (answer?.success) return answer.data
  const pause = Number.parseInt(headers.get('retry-after') ?? '', 10)
  const { code = 'no_response', message, requestId, details } = answer?.error ?? {}
  throw new FlorinError(
    code,
    message ?? `The response with status ${status} is not from Florin.`,
    status,
    requestId,
    details,
    Number.isNaN(pause) ? null : pause * 1000,
  )
}

type Headings = Headers | Record<string, string | string[] | undefined>

const headerOf = (headers: Headings, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return [found?.[1] ?? ''].flat().join(',')
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

function decode(base64url: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]{1,100}$/.test(base64url)) return null
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}

/**
 * Returns the event of a delivery; null if it is not from Florin, or is older than five minutes. `rawBody` is
 * the body as it arrived, not parsed.
 *
 * Handle each `event.id` once, ignore types that you do not know, and compare `event.amount` and
 * `event.currency` with your order.
 */
export async function verifyWebhook(
  headers: Headings,
  rawBody: string,
  signingSecret: string,
  now = Date.now(),
): Promise<FlorinEvent | null> {
  const timestamp = headerOf(headers, 'x-service-timestamp')
  if (!/^[0-9]{1,12}$/.test(timestamp)) return null
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return null
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(signingSecret), algorithm, false, ['verify'])
  for (const name of ['x-service-signature', 'x-service-signature-previous']) {
    const signature = decode(headerOf(headers, name))
    const signed = bytesOf(`${timestamp}.${rawBody}`)
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(rawBody)
  }
  return null
}
