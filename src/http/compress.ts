import { promisify } from 'node:util'
import type { BrotliOptions } from 'node:zlib'
import { Elysia } from 'elysia'
import { LruCache } from '../domain/lru-cache.ts'
import { requestState } from './request-state.ts'

const MIN_LENGTH = 600
/** The compression level for files that never change, which are compressed only once. */
const BEST = 11
/** The longest text that is compressed at the best level. For a longer one, that would take seconds. */
const BEST_MAX_LENGTH = 300_000
/** The compression level for long texts, which another thread compresses. */
const FAST = 3
/**
 * The compression level for pages, whose compression blocks all requests. For a page of 27 KB, the next
 * levels save 400 bytes and take 0.1 ms longer.
 */
const FASTEST = 1
/** Max files that are kept encoded: more than Florin has. */
const FILES_MAX = 16

type Zlib = typeof import('node:zlib')

/** Returns zlib, which is loaded at its first use to keep the start fast. */
const zlib = (): Zlib => require('node:zlib')

type Coding = 'br' | 'gzip' | 'zstd'
type Bytes = Uint8Array<ArrayBuffer>
type EncodedBody = string | Bytes | Blob

interface TextBody {
  text: string
  type: string
}

interface Headings {
  headers: Record<string, string>
  /** coding of the body; null if the body is not compressed */
  coding: Coding | null
}

/** The codings for files, which are compressed once: the one with the smallest result first. */
const fileCodings: readonly Coding[] = ['br', 'gzip']
/**
 * The codings for pages, the preferred one first. At the fast levels, Zstandard takes half the time of gzip
 * and compresses about as well.
 */
const pageCodings: readonly Coding[] = ['zstd', 'gzip', 'br']

/** Returns a pattern for an Accept-Encoding header that names a coding and does not refuse it. */
const accepting = (coding: Coding): RegExp =>
  new RegExp(`(?:^|,) *${coding} *(?:,|$|;(?! *q *= *0(?:[.]0*)? *(?:;|,|$)))`, 'i')

const accepts: Record<Coding, RegExp> = {
  br: accepting('br'),
  gzip: accepting('gzip'),
  zstd: accepting('zstd'),
}

function chooseCoding(request: Request, preferred: readonly Coding[]): Coding | null {
  const header = request.headers.get('accept-encoding') ?? ''
  return preferred.find(coding => accepts[coding].test(header)) ?? null
}

/**
 * Max characters that are compressed in this thread. A longer text would hold up other requests; a shorter
 * one is done before another thread has started.
 */
const SYNC_MAX_LENGTH = 64 * 1024

/** Brotli's window, as a power of two. It is large enough for a page, and a larger one needs more memory. */
const WINDOW_BITS = 16

const quickBrotli = ({ constants }: Zlib): BrotliOptions => ({
  chunkSize: 2 ** WINDOW_BITS,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: FASTEST,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  },
})

const compressNow: Record<Coding, (text: string) => Bytes> = {
  br: text => new Uint8Array(zlib().brotliCompressSync(text, quickBrotli(zlib()))),
  gzip: text => Bun.gzipSync(text, { level: FASTEST, library: 'libdeflate' }),
  zstd: text => new Uint8Array(Bun.zstdCompressSync(text, { level: FASTEST })),
}

const compressors: Record<Coding, (text: string, quality: number) => Promise<Uint8Array>> = {
  br: (text, quality) => {
    const { brotliCompress, constants } = zlib()
    return promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  },
  gzip: (text, quality) => promisify(zlib().gzip)(text, { level: quality === BEST ? 9 : 6 }),
  zstd: text => Bun.zstdCompress(text, { level: FAST }),
}

const compressText = async (text: string, coding: Coding, quality: number): Promise<Bytes> =>
  new Uint8Array(await compressors[coding](text, quality))

/**
 * Max bytes of cached shared pages, of some 30 KB each. There can be many, since anybody can request a page
 * in another language.
 */
const SHARED_BYTES_MAX = 4_000_000

/** Caches compressed pages by their whole text, so that no page can be outdated or another visitor's. */
function sharedPages() {
  // In memory, a character of the key may take two bytes.
  const known = new LruCache<Bytes>(SHARED_BYTES_MAX, (bytes, key) => 2 * key.length + bytes.length)
  return (text: string, coding: Coding): Bytes =>
    known.get(`${coding} ${text}`, () => compressNow[coding](text))
}

/**
 * The encoded files that never change, by their text. Requests for other paths add none, so there are few.
 */
type EncodedFiles = Map<string, Map<Coding | 'identity', Promise<Blob>>>

/** Encodes a file that never changes, once for all requests. */
function encodeOnce(files: EncodedFiles, text: string, coding: Coding | null): Promise<Blob> {
  const forms = files.get(text) ?? new Map()
  files.set(text, forms)
  const [oldest] = files.keys()
  if (files.size > FILES_MAX && oldest !== undefined) files.delete(oldest)
  const quality = text.length > BEST_MAX_LENGTH ? FAST : BEST
  const encode = async () => new Blob([coding ? await compressText(text, coding, quality) : text])
  const encoded: Promise<Blob> = forms.get(coding ?? 'identity') ?? encode()
  forms.set(coding ?? 'identity', encoded)
  return encoded
}

const isCompressible = (text: string, headers: Record<string, string>): boolean =>
  text.length >= MIN_LENGTH && /^(text\/|application\/json|image\/svg)/.test(headers['content-type'] ?? '')

const isImmutable = (headers: Record<string, string>): boolean =>
  headers['cache-control']?.includes('immutable') ?? false

/** The text and type of a response; null for a finished Response or an empty body. */
function bodyTextOf(value: unknown): TextBody | null {
  if (typeof value === 'string') return { text: value, type: 'text/plain; charset=utf-8' }
  if (value === null || typeof value !== 'object' || value instanceof Response) return null
  return { text: JSON.stringify(value), type: 'application/json' }
}

function headersFor(given: Record<string, unknown>, { text, type }: TextBody, request: Request): Headings {
  const headers: Record<string, string> = { 'content-type': type }
  for (const name in given) headers[name.toLowerCase()] = String(given[name])
  const preferred = isImmutable(headers) ? fileCodings : pageCodings
  const coding = isCompressible(text, headers) ? chooseCoding(request, preferred) : null
  if (coding === null) return { headers, coding }
  const { vary } = headers
  headers['content-encoding'] = coding
  headers.vary = vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding'
  return { headers, coding }
}

/** Compresses text responses if the client accepts it. */
export const compress = () => {
  const files: EncodedFiles = new Map()
  const compressShared = sharedPages()
  const encode = (
    text: string,
    { coding, headers }: Headings,
    isShared: boolean,
  ): EncodedBody | Promise<EncodedBody> => {
    if (isImmutable(headers)) return encodeOnce(files, text, coding)
    if (!coding) return text
    if (isShared && text.length <= SYNC_MAX_LENGTH) return compressShared(text, coding)
    return text.length <= SYNC_MAX_LENGTH ? compressNow[coding](text) : compressText(text, coding, FAST)
  }
  return new Elysia({ name: 'compress' }).mapResponse({ as: 'global' }, ({ request, responseValue, set }) => {
    const body = bodyTextOf(responseValue)
    if (!body) return
    const headings = headersFor(set.headers, body, request)
    const status = typeof set.status === 'number' ? set.status : 200
    const respond = (content: EncodedBody) => {
      // Without empty headers here, Elysia would build another response from a stream of this one.
      set.headers = {}
      return new Response(content, { status, headers: headings.headers })
    }
    const content = encode(body.text, headings, requestState(request).isPageShared)
    if (content instanceof Promise) return content.then(respond)
    // The status of an error stays in `set`, from which the log reads it.
    if (status < 300) set.status = 200
    return respond(content)
  })
}
