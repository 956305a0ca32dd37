import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Elysia } from 'elysia'

const MIN_LENGTH = 600
/** What never changes is worth the best compression once; a page is compressed while its buyer waits. */
const BEST = 11
/** The best of a longer text takes seconds. */
const BEST_MAX_LENGTH = 300_000
const FAST = 5

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

type Coding = 'br' | 'gzip'
type Bytes = Uint8Array<ArrayBuffer>

const kept = new Map<string, Bytes>()

function codingOf(request: Request): Coding | null {
  const codings = (request.headers.get('accept-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map(part => part.replaceAll(' ', '').split(';'))
    .filter(([, quality]) => !/^q=0(?:[.]0+)?$/.test(quality ?? ''))
    .map(([coding]) => coding)
  return (['br', 'gzip'] as const).find(coding => codings.includes(coding)) ?? null
}

async function compressed(text: string, coding: Coding, quality: number): Promise<Bytes> {
  const bytes =
    coding === 'br'
      ? await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      : await zip(text, { level: quality === BEST ? 9 : 6 })
  return new Uint8Array(bytes)
}

async function compressedOnce(url: string, text: string, coding: Coding): Promise<Bytes> {
  const key = `${coding} ${new URL(url).pathname}`
  const bytes = kept.get(key) ?? (await compressed(text, coding, text.length > BEST_MAX_LENGTH ? FAST : BEST))
  kept.set(key, bytes)
  return bytes
}

const isText = (type: string): boolean => /^(text\/|application\/json|image\/svg)/.test(type)

/** The text of an answer and its type; null for one that is no text of ours, or made already. */
function textOf(value: unknown): { text: string; type: string } | null {
  if (typeof value === 'string') return { text: value, type: 'text/plain; charset=utf-8' }
  if (value === null || typeof value !== 'object' || value instanceof Response) return null
  return { text: JSON.stringify(value), type: 'application/json' }
}

/** Texts travel compressed, where the browser takes that. */
export const compress = () =>
  new Elysia({ name: 'compress' }).mapResponse({ as: 'global' }, async ({ request, responseValue, set }) => {
    const answer = textOf(responseValue)
    if (!answer) return
    const headers = new Headers(Object.entries(set.headers).map(([name, value]) => [name, String(value)]))
    const type = headers.get('content-type') ?? answer.type
    headers.set('content-type', type)
    const status = typeof set.status === 'number' ? set.status : 200
    const coding = codingOf(request)
    if (!coding || answer.text.length < MIN_LENGTH || !isText(type)) {
      return new Response(answer.text, { status, headers })
    }
    headers.set('content-encoding', coding)
    headers.append('vary', 'Accept-Encoding')
    const isForEver = headers.get('cache-control')?.includes('immutable')
    const bytes = isForEver
      ? await compressedOnce(request.url, answer.text, coding)
      : await compressed(answer.text, coding, FAST)
    return new Response(bytes, { status, headers })
  })
