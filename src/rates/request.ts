import { faultOfStatus, type UpstreamFault } from '../domain/upstream-fault.ts'

const TIMEOUT_MS = 5_000
/** The longest response, in MiB. The whole list of an exchange has half a megabyte. */
const RESPONSE_MIB_MAX = 4
const SLOW_BACKOFF_MS = 30_000

/** HTTP's status for too many requests, and the one that Binance uses for clients that ignored it. */
const tooManyRequests = [429, 418]

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** Returns a signal that aborts after this time. */
export type SignalAfter = (ms: number) => AbortSignal

export interface HttpResponse {
  status: number
  text: string
}

/** Requests a URL. Each error message completes "The source …" and contains no URL. */
export type Get = (url: string) => Promise<HttpResponse>

/** The error of a source that cannot be used, for one of the usual reasons. */
export class SourceError extends Error {
  constructor(
    message: string,
    readonly fault: UpstreamFault,
  ) {
    super(message)
  }
}

/** The error of a source that must not be used for some time. */
export class BackoffError extends SourceError {
  constructor(
    message: string,
    /** null if the source did not say for how long */
    readonly retryAfterMs: number | null,
    fault: UpstreamFault = 'limited',
  ) {
    super(message, fault)
  }
}

/** Makes requests that share the timeout of one source. */
export function makeGet(
  fetch: Fetch,
  now: () => number,
  signalAfter: SignalAfter = AbortSignal.timeout,
): Get {
  const signal = signalAfter(TIMEOUT_MS)
  // Pauses the source, so that buyers don't wait for it again and again.
  const failure = (message: string): Error =>
    signal.aborted
      ? new BackoffError(message, SLOW_BACKOFF_MS, 'silent')
      : new SourceError(message, 'unreachable')
  return async url => {
    const response = await fetch(url, { signal }).catch(() => null)
    if (response === null) throw failure('does not respond')
    const { status, headers } = response
    if (tooManyRequests.includes(status))
      throw new BackoffError(`responded with status ${status}`, retryAfterMs(headers, now()))
    const text = await readBody(response).catch(() => undefined)
    if (text === undefined) throw failure('closed the connection before the end of its response')
    if (text === null)
      throw new SourceError(`sent a response of more than ${RESPONSE_MIB_MAX} MiB`, 'malformed')
    return { status, text }
  }
}

/** Reads the Retry-After header: seconds or a date (RFC 9110). */
function retryAfterMs(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** The body as a string; null if it is too long, in which case the rest is not fetched. */
async function readBody({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (body === null) return text
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > RESPONSE_MIB_MAX * 1024 * 1024) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

export function successText({ status, text }: HttpResponse): string {
  if (status === 401 || status === 403) throw new SourceError(`responded with status ${status}`, 'denied')
  const fault = faultOfStatus(status)
  if (fault) throw new SourceError(`responded with status ${status}`, fault)
  if (status < 200 || status > 299) throw new Error(`responded with status ${status}`)
  return text
}
