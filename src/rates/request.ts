const TIMEOUT_MS = 5_000
/** An exchange's whole list is half a megabyte. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
const SLOW_REST_MS = 30_000

/** HTTP's word for it, and what an exchange says after it was not heeded. */
const askedTooOften = [429, 418]

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** A signal that comes after so many milliseconds. */
export type SignalAfter = (ms: number) => AbortSignal

export interface Answer {
  status: number
  text: string
}

/** Gets a URL, whose every message completes "The source …" and holds no URL. */
export type Get = (url: string) => Promise<Answer>

/** The source is to be left alone for a while: so long as it asked for, where it did. */
export class RestNeeded extends Error {
  constructor(
    words: string,
    readonly restMs: number | null,
  ) {
    super(words)
  }
}

/** Requests which together take no longer than one source may. */
export function getWithin(
  fetch: Fetch,
  now: () => number,
  signalAfter: SignalAfter = AbortSignal.timeout,
): Get {
  const signal = signalAfter(TIMEOUT_MS)
  // Nobody who wants to pay shall wait for a slow source again and again.
  const failure = (words: string): Error =>
    signal.aborted ? new RestNeeded(words, SLOW_REST_MS) : new Error(words)
  return async url => {
    const response = await fetch(url, { signal }).catch(() => null)
    if (response === null) throw failure('does not answer')
    const { status, headers } = response
    if (askedTooOften.includes(status))
      throw new RestNeeded(`answers ${status}`, retryAfterMs(headers, now()))
    const text = await readBody(response).catch(() => undefined)
    if (text === undefined) throw failure('breaks off its answer')
    if (text === null) throw new Error('answers far more than rates')
    return { status, text }
  }
}

/** In seconds or as a date, as RFC 9110 has it. */
function retryAfterMs(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** The text of an answer; null when it is longer than permitted, in which case the rest is not fetched. */
async function readBody({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (body === null) return text
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The text of an answer that says yes. */
export function textOf({ status, text }: Answer): string {
  if (status < 200 || status > 299) throw new Error(`answers ${status}`)
  return text
}
