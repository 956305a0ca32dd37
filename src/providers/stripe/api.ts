import {
  isDecided,
  isObject,
  type JsonObject,
  ProviderRefusal,
  readAnswer,
  unavailableAt,
} from '../answer.ts'
import type { Fetch, ProviderError } from '../port.ts'

/**
 * The version of the API, which determines the form of requests and answers. Webhooks are made with it too,
 * so that events have the same form.
 */
export const API_VERSION = '2026-10-28.endive'

export type Params = Record<string, string>

/**
 * The error if Stripe understood a request and refused it. `message` contains no secret, because Stripe masks
 * keys.
 */
export class StripeRefusal extends ProviderRefusal {
  constructor(
    status: number,
    readonly code: string,
    message: string,
  ) {
    super(status, message)
  }
}

interface Call {
  key: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  params?: Params
  /** a request that is repeated with the same key has no further effect */
  idempotencyKey?: string
}

/**
 * Calls the API. Throws StripeRefusal if Stripe refused the call, or ProviderError if the outcome is unknown.
 */
export type CallApi = (call: Call) => Promise<JsonObject>

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
    const { status, json } = await readAnswer('Stripe', () =>
      fetch(url, {
        method,
        headers,
        ...(isPost && { body: form }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    if (status >= 200 && status < 300 && json !== null) return json
    throw failureOf(status, json)
  }
}

function failureOf(status: number, json: JsonObject | null): ProviderError {
  const error = json?.error
  if (!isDecided(status) || !isObject(error)) return unavailableAt('Stripe', status)
  const [code, type, message] = [error.code, error.type, error.message].map(value => String(value ?? ''))
  return new StripeRefusal(
    status,
    code || type || '',
    `Stripe refused with HTTP ${status}: ${code || type}. ${message}`,
  )
}
