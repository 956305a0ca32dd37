import { faultOfStatus } from '../../domain/upstream-fault.ts'
import { type Fetch, ProviderError } from '../port.ts'

/** The API's form of requests and answers. Of webhooks too: their endpoints are made with it. */
export const API_VERSION = '2026-10-28.endive'
const BODY_MAX = 1024 * 1024

export type Params = Record<string, string>
export type JsonObject = { [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Stripe understood a request and refused it. `message` has no secret: Stripe masks keys. */
export class StripeRefusal extends ProviderError {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super('refused', message)
  }
}

export interface Call {
  key: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  params?: Params
  /** a repeated request with the same key has the effect of one */
  idempotencyKey?: string
}

/** Calls the API. Throws StripeRefusal, or ProviderError as long as the outcome is unknown. */
export type CallApi = (call: Call) => Promise<JsonObject>

const unavailable = (message: string, ...fault: [ReturnType<typeof faultOfStatus>?]): ProviderError =>
  new ProviderError('unavailable', message, fault[0] ?? null)

export function makeApi(baseUrl: string, fetch: Fetch, timeoutMs: number): CallApi {
  return async ({ key, method, path, params = {}, idempotencyKey }) => {
    const form = new URLSearchParams(params).toString()
    const isPost = method === 'POST'
    const url = `${baseUrl}${path}${!isPost && form ? `?${form}` : ''}`
    const headers = {
      authorization: `Bearer ${key}`,
      'stripe-version': API_VERSION,
      accept: 'application/json',
      ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    const { status, text } = await read(() =>
      fetch(url, {
        method,
        headers,
        ...(isPost && { body: form }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    const json = parse(text)
    if (status >= 200 && status < 300 && json !== null) return json
    throw failureOf(status, json)
  }
}

async function read(request: () => Promise<Response>): Promise<{ status: number; text: string }> {
  try {
    const response = await request()
    return { status: response.status, text: await readText(response) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    throw isTimeout
      ? new ProviderError('unavailable', 'Stripe did not answer in time.', 'silent')
      : new ProviderError('unavailable', 'Stripe cannot be reached.', 'unreachable')
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let [text, size] = ['', 0]
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > BODY_MAX) {
      await reader?.cancel()
      throw new ProviderError('unavailable', 'The answer of Stripe is too large.', 'malformed')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): JsonObject | null {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : null
  } catch {
    return null
  }
}

/** 409 is a request with the same idempotency key that is still running, 429 too many of them. */
const temporaryStatuses = [408, 409, 425, 429]

function failureOf(status: number, json: JsonObject | null): ProviderError {
  const error = json?.error
  const isUnderstood = status >= 400 && status < 500 && !temporaryStatuses.includes(status)
  if (!isUnderstood || !isObject(error)) {
    return unavailable(`Stripe answered with HTTP ${status}.`, faultOfStatus(status))
  }
  const [code, type, message] = [error.code, error.type, error.message].map(value => String(value ?? ''))
  return new StripeRefusal(
    status,
    code || type || '',
    `Stripe refused with HTTP ${status}: ${code || type}. ${message}`,
  )
}
