import { promisify } from 'node:util'
import type { BrotliOptions } from 'node:zlib'
import { Elysia } from 'elysia'
import { LruCache } from '../domain/lru-cache.ts'
import { requestState } from './request-state.ts'

const MIN_LENGTH = 600
/** For files that never change: they are compressed once. */
const BEST = 11
/** Above this length the best compression takes seconds. */
const BEST_MAX_LENGTH = 300_000
/** For long texts, which are compressed by another thread. */
const FAST = 3
/** For pages: everybody waits while one is compressed. Of 27 KB, the next levels save 400 bytes in 0.1 ms. */
const FASTEST = 1
/** More than the product has. */
const FILES_MAX = 16

type Zlib = typeof import('node:zlib')

/** Loaded when it is first used: a start does not wait for it. */
const zlib = (): Zlib => require('node:zlib')

type Coding = 'br' | 'gzip' | 'zstd'
type Bytes = Uint8Array<ArrayBuffer>
type Encoded = string | Bytes | Blob

interface TextBody {
  text: string
  type: string
}

interface Headings {
  headers: Record<string, string>
  /** null for a body that is sent as it is */
  coding: Coding | null
}

/** For files, which are compressed once, the smallest comes first. */
const fileCodings: readonly Coding[] = ['br', 'gzip']
/** Of the quick levels, Zstandard's takes half of the time of gzip's, and makes texts about as small. */
const pageCodings: readonly Coding[] = ['zstd', 'gzip', 'br']

/** Browsers send a few different headers. */
const ACCEPTED_MAX = 100
const LONGEST_HEADER = 200
const knownCodings = new LruCache<readonly string[]>(ACCEPTED_MAX)

/** What an Accept-Encoding header accepts, without what it refuses. */
const readCodings = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map(part => part.replaceAll(' ', '').split(';'))
    .filter(([, quality]) => !/^q=0(?:[.]0+)?$/.test(quality ?? ''))
    .map(([coding = '']) => coding)

function chooseCoding(request: Request, preferred: readonly Coding[]): Coding | null {
  const header = request.headers.get('accept-encoding') ?? ''
  const codings =
    header.length > LONGEST_HEADER ? readCodings(header) : knownCodings.get(header, () => readCodings(header))
  return preferred.find(coding => codings.includes(coding)) ?? null
}

/** Longer texts would hold up other requests; shorter ones are done before a thread has started. */
const SYNC_MAX_LENGTH = 64 * 1024

/** The longest distance between two repetitions. More needs more memory, and a page has no more. */
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

/** Bytes of shared pages, of some 30 KB each: anybody can ask for one in another language. */
const SHARED_BYTES_MAX = 4_000_000

/** Pages that were compressed before, found by all of their text, so that none is old or somebody else's. */
function sharedPages() {
  const known = new LruCache<{ text: string; bytes: Bytes }>(
    SHARED_BYTES_MAX,
    // A character may take two bytes.
    ({ text, bytes }) => 2 * text.length + bytes.length,
  )
  return (text: string, coding: Coding): Bytes => {
    const make = () => ({ text, bytes: compressNow[coding](text) })
    const page = known.get(`${coding} ${Bun.hash(text)}`, make)
    return page.text === text ? page.bytes : compressNow[coding](text)
  }
}

/** The encoded forms of files that never change. There are few such files, whatever paths are requested. */
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

/** The text of a response and its type; null for a finished Response or an empty body. */
function bodyTextOf(value: unknown): TextBody | null {
  if (typeof value === 'string') return { text: value, type: 'text/plain; charset=utf-8' }
  if (value === null || typeof value !== 'object' || value instanceof Response) return null
  return { text: JSON.stringify(value), type: 'application/json' }
}

/** The headers of a response, with the type of its body and how it is encoded. */
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

/** Compresses text responses when the client accepts it. */
export const compress = () => {
  const files: EncodedFiles = new Map()
  const compressShared = sharedPages()
  const encode = (
    text: string,
    { coding, headers }: Headings,
    isShared: boolean,
  ): Encoded | Promise<Encoded> => {
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
    const respond = (content: Encoded) => {
      // What is left here makes Elysia build another response, of a stream of this one.
      set.headers = {}
      return new Response(content, { status, headers: headings.headers })
    }
    const content = encode(body.text, headings, requestState(request).isPageShared)
    if (content instanceof Promise) return content.then(respond)
    // The log takes the status of an error from here.
    if (status < 300) set.status = 200
    return respond(content)
  })
}
