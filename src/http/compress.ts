import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Elysia } from 'elysia'

const MIN_LENGTH = 600
/** For files that never change: they are compressed once. */
const BEST = 11
/** Above this length the best compression takes seconds. */
const BEST_MAX_LENGTH = 300_000
/** For pages: the buyer waits while they are compressed. */
const FAST = 5
/** More than the product has. */
const FILES_MAX = 16

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

type Coding = 'br' | 'gzip'
type Bytes = Uint8Array<ArrayBuffer>

function chooseCoding(request: Request): Coding | null {
  const codings = (request.headers.get('accept-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map(part => part.replaceAll(' ', '').split(';'))
    .filter(([, quality]) => !/^q=0(?:[.]0+)?$/.test(quality ?? ''))
    .map(([coding]) => coding)
  return (['br', 'gzip'] as const).find(coding => codings.includes(coding)) ?? null
}

async function compressText(text: string, coding: Coding, quality: number): Promise<Bytes> {
  const bytes =
    coding === 'br'
      ? await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      : await zip(text, { level: quality === BEST ? 9 : 6 })
  return new Uint8Array(bytes)
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

const isText = (type: string): boolean => /^(text\/|application\/json|image\/svg)/.test(type)

/** The text of a response and its type; null for a finished Response or an empty body. */
function bodyTextOf(value: unknown): { text: string; type: string } | null {
  if (typeof value === 'string') return { text: value, type: 'text/plain; charset=utf-8' }
  if (value === null || typeof value !== 'object' || value instanceof Response) return null
  return { text: JSON.stringify(value), type: 'application/json' }
}

/** Compresses text responses when the client accepts it. */
export const compress = () => {
  const files: EncodedFiles = new Map()
  return new Elysia({ name: 'compress' }).mapResponse({ as: 'global' }, async context => {
    const { request, responseValue, set } = context
    const body = bodyTextOf(responseValue)
    if (!body) return
    const headers = new Headers(Object.entries(set.headers).map(([name, value]) => [name, String(value)]))
    const type = headers.get('content-type') ?? body.type
    headers.set('content-type', type)
    const status = typeof set.status === 'number' ? set.status : 200
    const isCompressible = body.text.length >= MIN_LENGTH && isText(type)
    const coding = isCompressible ? chooseCoding(request) : null
    if (coding) {
      headers.set('content-encoding', coding)
      headers.append('vary', 'Accept-Encoding')
    }
    if (headers.get('cache-control')?.includes('immutable'))
      return new Response(await encodeOnce(files, body.text, coding), { status, headers })
    const content = coding ? await compressText(body.text, coding, FAST) : body.text
    return new Response(content, { status, headers })
  })
}
