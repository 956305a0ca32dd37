import { boundedFetch } from '../../boot/fetch.ts'
import { fixedHeaders, type Message, sign } from '../../operations/webhooks/steps/send.ts'
import { reasonOf } from './reason.ts'

/** The time that a server waits for the answer of a webhook. */
const TIMEOUT_MS = 10_000

export interface Delivered {
  /** status of the response; null without one */
  status: number | null
  ms: number
  /** reason why there was no response */
  problem: string
}

export interface Signing {
  secret: string
  /** the secret that replaced the signing secret a short time ago; by default none did */
  newSecret?: string
  /** time in the signature, in seconds since 1970 UTC; by default now */
  at?: number
  /** replaces the signature by a forged one */
  forge?: (signature: string) => string
}

/** Sends an event as a server does, signed with this secret. Never throws. */
export async function deliver(
  url: string,
  { body, ...message }: Pick<Message, 'id' | 'type' | 'body'>,
  { secret, newSecret, at = Date.now() / 1000, forge = signature => signature }: Signing,
): Promise<Delivered> {
  const timestamp = Math.floor(at).toString()
  const from = performance.now()
  const ended = (status: number | null, problem = ''): Delivered => ({
    status,
    ms: Math.round(performance.now() - from),
    problem,
  })
  try {
    const response = await boundedFetch(url, {
      method: 'POST',
      headers: {
        ...fixedHeaders(message, {}),
        'X-Service-Timestamp': timestamp,
        'X-Service-Signature': forge(sign(newSecret ?? secret, timestamp, body)),
        ...(newSecret && { 'X-Service-Signature-Previous': sign(secret, timestamp, body) }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return ended(response.status)
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    return ended(null, isLate ? `no response within ${TIMEOUT_MS / 1000} seconds` : reasonOf(error))
  }
}
