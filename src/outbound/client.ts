import { Refusal } from '../domain/errors.ts'
import { bareHost, checkUrl, isAllowed, notAllowed, type ReachableHost } from './destinations.ts'
import { addressesOf, type Lookup } from './dns.ts'
import { isPublic } from './ip-addresses.ts'
import type { Outbound } from './port.ts'
import type { SendResult } from './post.ts'

export type Send = typeof import('./post.ts').send

/** The timeout for name resolution, connection, headers and body together. */
const TIMEOUT_MS = 10_000

export type StartTimer = (work: () => void, ms: number) => () => void

export const systemTimer: StartTimer = (work, ms) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

export interface OutboundOptions {
  allow: readonly ReachableHost[]
  lookup: Lookup
  userAgent: string
  /** monotonic clock, in milliseconds */
  now: () => number
  /** trusted certificates instead of the system's; PEM */
  ca?: string
  timeoutMs?: number
  /** runs work after a time, unless the returned function is called first; replaces setTimeout */
  startTimer?: StartTimer
  /** sends a request to checked addresses */
  send?: Send
}

/** Loaded at the first request, because its Node modules would take a tenth of the start-up time. */
const sendPinned: Send = (...request) => require('./post.ts').send(...request)

export function makeOutbound(options: OutboundOptions): Outbound {
  const { allow, lookup, userAgent, now, ca, send = sendPinned } = options
  const { timeoutMs = TIMEOUT_MS, startTimer = systemTimer } = options

  /** Does work with a signal that is aborted at the timeout. */
  async function withTimeout<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const cancel = startTimer(() => abort.abort(), timeoutMs)
    try {
      return await work(abort.signal)
    } finally {
      cancel()
    }
  }

  const resolve = (url: URL, signal: AbortSignal): Promise<string[]> =>
    addressesOf(bareHost(url), lookup, signal)

  const mayReach = (url: URL, addresses: string[]): boolean =>
    isAllowed(url, allow) || addresses.every(isPublic)

  async function deliver(
    text: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const url = checkUrl(text, '/url', { allow })
    const addresses = await resolve(url, signal)
    if (signal.aborted) return { httpStatus: null, outcome: 'timed_out' }
    if (addresses.length === 0) return { httpStatus: null, outcome: 'unreachable' }
    if (!mayReach(url, addresses)) throw new Refusal('destination_not_allowed')
    return send({ url, addresses, headers: { ...headers, 'User-Agent': userAgent }, body, ca }, signal)
  }

  return {
    async check(text, at, isResolved) {
      const url = checkUrl(text, at, { allow })
      if (!isResolved || isAllowed(url, allow)) return
      const addresses = await withTimeout(signal => resolve(url, signal))
      if (!addresses.every(isPublic)) throw notAllowed(at)
    },
    checkImage(text, at) {
      checkUrl(text, at, { allow, isImage: true })
    },
    async post(text, headers, body) {
      const startedAt = now()
      const result = await withTimeout(signal => deliver(text, headers, body, signal)).catch(
        (error): SendResult => ({
          httpStatus: null,
          outcome: error instanceof Refusal ? 'destination_not_allowed' : 'unreachable',
        }),
      )
      return { ...result, durationMs: Math.round(now() - startedAt) }
    },
  }
}
