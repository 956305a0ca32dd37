import { isDecided, type JsonObject, ProviderRefusal, readAnswer, unavailableAt } from '../answer.ts'
import type { Fetch } from '../port.ts'

interface Call {
  key: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: JsonObject
  /** a request that is repeated with the same key within an hour has no further effect */
  idempotencyKey?: string
}

/**
 * Calls the API. Throws ProviderRefusal if Mollie refused the call, or ProviderError if the outcome is
 * unknown.
 */
export type CallApi = (call: Call) => Promise<JsonObject>

export function makeApi(baseUrl: string, fetch: Fetch, timeoutMs: number): CallApi {
  return async ({ key, method, path, body, idempotencyKey }) => {
    const { status, json } = await readAnswer('Mollie', () =>
      fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/hal+json',
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    if (status >= 200 && status < 300 && json !== null) return json
    if (!isDecided(status) || json === null) throw unavailableAt('Mollie', status)
    const { title, detail, field } = json
    const about = typeof field === 'string' ? ` (${field})` : ''
    throw new ProviderRefusal(status, `Mollie refused with HTTP ${status}: ${title}. ${detail}${about}`)
  }
}
