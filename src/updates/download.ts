import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { UpdateError } from './update-error.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const REDIRECTS_MAX = 5
const INDEX_MAX_BYTES = 1024 * 1024
const FILE_MAX_BYTES = 512 * 1024 * 1024

/** Time limits of one request. */
export interface Patience {
  /** max time until the answer begins, and between two parts of it */
  silenceMs: number
  wholeMs: number
}

const usual: Patience = { silenceMs: 30_000, wholeMs: 30 * 60_000 }

const isLoopback = ({ hostname }: URL): boolean => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname)

/**
 * Returns true if a URL may be requested: by https, or by http on this machine, for tests. `from` is the URL
 * that redirects to it; null if there is none.
 */
export function mayAsk(url: URL, from: URL | null): boolean {
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && isLoopback(url) && from?.protocol !== 'https:'
}

/** Time limits of a request: its signal aborts as soon as a limit is exceeded. */
class Request {
  readonly #abort = new AbortController()
  readonly #patience: Patience
  readonly #whole: ReturnType<typeof setTimeout>
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(patience: Patience) {
    this.#patience = patience
    this.#whole = setTimeout(() => this.#abort.abort(), patience.wholeMs)
    this.progress()
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Must be called whenever a part of the answer has arrived. */
  progress(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#abort.abort(), this.#patience.silenceMs)
  }

  end(): void {
    clearTimeout(this.#whole)
    clearTimeout(this.#silence)
    this.#abort.abort()
  }
}

async function follow(fetch: Fetch, start: string, signal: AbortSignal): Promise<Response> {
  let from: URL | null = null
  let address = start
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (!URL.canParse(address, from?.href)) throw new UpdateError(`${start} leads to no URL.`)
    const url: URL = new URL(address, from?.href)
    if (!mayAsk(url, from)) throw new UpdateError(`${start} leads to ${url.origin}, which is not https.`)
    const answer = await fetch(url.href, { redirect: 'manual', signal, headers: { 'user-agent': 'Florin' } })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) return answer
    await answer.body?.cancel()
    address = location
    from = url
  }
  throw new UpdateError(`${start} leads to too many redirects.`)
}

interface Receiver {
  /** called before the first part with the announced length, or null if the server announces none */
  begin?(bytes: number | null): void
  part(bytes: Uint8Array): void
}

/** Passes an answer to a receiver. Throws an UpdateError if the answer is too large or ends early. */
async function pass(answer: Response, most: number, receiver: Receiver, progress: () => void): Promise<void> {
  const tooLarge = (bytes: number): void => {
    if (bytes > most) throw new UpdateError(`${answer.url} is larger than ${most} bytes.`)
  }
  const length = answer.headers.get('content-length')
  const announced = length === null ? null : Number(length)
  tooLarge(announced ?? 0)
  receiver.begin?.(announced)
  let bytes = 0
  for await (const part of answer.body ?? []) {
    progress()
    bytes += part.length
    tooLarge(bytes)
    receiver.part(part)
  }
  if (announced !== null && announced !== bytes) throw new UpdateError(`${answer.url} ended early.`)
}

async function receive(
  fetch: Fetch,
  url: string,
  most: number,
  receiver: Receiver,
  patience = usual,
): Promise<void> {
  const request = new Request(patience)
  try {
    const answer = await follow(fetch, url, request.signal)
    if (answer.status !== 200) throw new UpdateError(`${url} answered ${answer.status}.`)
    await pass(answer, most, receiver, () => request.progress())
  } catch (error) {
    if (error instanceof UpdateError) throw error
    const reason = request.signal.aborted ? 'it does not answer' : (error as Error).message
    throw new UpdateError(`${url} could not be downloaded: ${reason}. Nothing was changed.`)
  } finally {
    request.end()
  }
}

export async function downloadIndex(fetch: Fetch, url: string, patience?: Patience): Promise<string> {
  const parts: Uint8Array[] = []
  await receive(fetch, url, INDEX_MAX_BYTES, { part: bytes => parts.push(bytes) }, patience)
  return Buffer.concat(parts).toString('utf8')
}

interface Hashes {
  sha256: string
  blake2b: Uint8Array
}

/**
 * Downloads a file and flushes it to disk. Returns its hashes. `begin` may throw an error to refuse the
 * announced length.
 */
export async function downloadFile(
  fetch: Fetch,
  url: string,
  path: string,
  begin: (bytes: number | null) => void,
  patience?: Patience,
): Promise<Hashes> {
  const sha256 = new Bun.CryptoHasher('sha256')
  const blake2b = new Bun.CryptoHasher('blake2b512')
  const handle = openSync(path, 'w', 0o700)
  try {
    const part = (bytes: Uint8Array): void => {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
      sha256.update(bytes)
      blake2b.update(bytes)
    }
    await receive(fetch, url, FILE_MAX_BYTES, { begin, part }, patience)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return { sha256: sha256.digest('hex'), blake2b: blake2b.digest() }
}
