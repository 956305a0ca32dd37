import { createHash } from 'node:crypto'
import { faultOfStatus } from '../domain/upstream-fault.ts'
import { type Inbound, InvalidProof, ProviderError } from './port.ts'

const BODY_MAX = 1024 * 1024

export type JsonObject = { [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The error if a provider understood a request and refused it. `message` contains no secret. */
export class ProviderRefusal extends ProviderError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super('refused', message)
  }
}

/**
 * The status and the JSON object of an answer; `json` is null for any other body. Throws ProviderError if
 * there is no answer.
 */
export async function readAnswer(
  provider: string,
  request: () => Promise<Response>,
): Promise<{ status: number; json: JsonObject | null }> {
  try {
    const response = await request()
    return { status: response.status, json: parse(await readText(provider, response)) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    throw isTimeout
      ? new ProviderError('unavailable', `${provider} did not answer in time.`, 'silent')
      : new ProviderError('unavailable', `${provider} cannot be reached.`, 'unreachable')
  }
}

async function readText(provider: string, response: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let [text, size] = ['', 0]
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > BODY_MAX) {
      await reader?.cancel()
      throw new ProviderError('unavailable', `The answer of ${provider} is too large.`, 'malformed')
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

/** The event that a webhook reports. Throws InvalidProof for any other body. */
export function readEvent({ body }: Inbound, isEvent: (event: JsonObject) => boolean): JsonObject {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (isObject(event) && isEvent(event)) return event
  } catch {}
  throw new InvalidProof('the body is no event')
}

/**
 * The statuses after which a request may be repeated. 409 means that a request with the same idempotency key
 * is still running, and 429 that there were too many requests.
 */
const temporaryStatuses = [408, 409, 425, 429]

/**
 * True if the status means that a provider has decided against a request, so that nothing can have happened.
 */
export const isDecided = (status: number): boolean =>
  status >= 400 && status < 500 && !temporaryStatuses.includes(status)

export const unavailableAt = (provider: string, status: number): ProviderError =>
  new ProviderError('unavailable', `${provider} answered with HTTP ${status}.`, faultOfStatus(status))

/**
 * An idempotency key for a request that is made for `id`: equal for equal requests. If a key is sent again
 * with another request, providers refuse it, or repeat the first answer.
 */
export const idempotencyKeyOf = (id: string, request: JsonObject): string =>
  `${id}-${createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16)}`

/** The facts of an answer as evidence. A fact that is not a plain value becomes null. */
export const evidenceOf = (facts: JsonObject): { [name: string]: string | number | boolean | null } =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' || typeof fact === 'number' || typeof fact === 'boolean' ? fact : null,
    ]),
  )
