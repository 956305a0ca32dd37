import {
  isDecided,
  isObject,
  type JsonObject,
  ProviderRefusal,
  readAnswer,
  unavailableAt,
} from '../answer.ts'
import { type Fetch, ProviderError } from '../port.ts'
import type { Keys } from './credentials.ts'
import { makeTokens } from './tokens.ts'

const PROVIDER = 'PayPal'

/**
 * The error if PayPal understood a request and refused it. `issue` is the reason, such as
 * "ORDER_NOT_APPROVED".
 */
export class PayPalRefusal extends ProviderRefusal {
  constructor(
    status: number,
    readonly issue: string,
    message = '',
  ) {
    super(status, `PayPal refused with HTTP ${status}: ${issue}. ${message}`.trimEnd())
  }
}

interface Call {
  keys: Keys
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: JsonObject
  /** a request that is repeated with the same ID has no further effect */
  requestId?: string
}

/**
 * Calls the API. Throws PayPalRefusal if PayPal refused the call, or ProviderError if the outcome is unknown.
 */
export type CallApi = (call: Call) => Promise<JsonObject>

export interface ApiOptions {
  apiUrl: string
  fetch: Fetch
  timeoutMs: number
  clock(): number
}

export function makeApi({ apiUrl, fetch, timeoutMs, clock }: ApiOptions): CallApi {
  const post = (path: string, init: RequestInit) =>
    readAnswer(PROVIDER, () =>
      fetch(`${apiUrl}${path}`, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }),
    )

  const tokens = makeTokens(async ({ clientId, key }) => {
    const { status, json } = await post('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${clientId}:${key}`)}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    const { access_token: text, expires_in: seconds, error } = json ?? {}
    if (isDecided(status) && json !== null) throw new PayPalRefusal(status, String(error))
    if (typeof text !== 'string' || typeof seconds !== 'number') throw unavailableAt(PROVIDER, status)
    return { text, seconds }
  }, clock)

  const send = (token: string, { method, path, body, requestId }: Call) =>
    post(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
        ...(method === 'POST' && { prefer: 'return=representation' }),
        ...(requestId !== undefined && { 'paypal-request-id': requestId }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  return async call => {
    const token = await tokens.get(call.keys)
    let answer = await send(token, call)
    if (answer.status === 401) {
      await tokens.forget(call.keys, token)
      answer = await send(await tokens.get(call.keys), call)
    }
    const { status, json } = answer
    if (status === 204) return {}
    if (status >= 200 && status < 300 && json !== null) return json
    throw failureOf(status, json)
  }
}

function failureOf(status: number, json: JsonObject | null): ProviderError {
  if (!isDecided(status) || json === null) return unavailableAt(PROVIDER, status)
  const [detail] = Array.isArray(json.details) ? json.details : []
  const { issue = json.name, description = json.message } = isObject(detail) ? detail : {}
  return new PayPalRefusal(status, String(issue ?? json.error), String(description ?? ''))
}

/** True if PayPal refused a request for one of these reasons. */
export const isRefusedFor = (error: unknown, ...issues: string[]): boolean =>
  error instanceof PayPalRefusal && issues.includes(error.issue)

/** The error for an answer that has an unusable part. */
export const malformed = (what: string): ProviderError =>
  new ProviderError(
    'unavailable',
    `PayPal answered with something that cannot be used: ${what}.`,
    'malformed',
  )
