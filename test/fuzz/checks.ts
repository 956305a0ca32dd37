import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { envelopeProblems } from '../http/expected-shapes.ts'
import type { Bytes } from '../http/mutate.ts'
import type { Answer } from '../support/app.ts'
import { htmlFaults } from '../support/html-faults.ts'
import type { Scene } from './scene.ts'
import { MARKER } from './schema.ts'

/** An answer that takes longer is a failure, because other requests have to wait for it. */
export const SLOW_MS = 2000
/** A request that is not answered within this time hangs. */
export const HANG_MS = 20_000

const unpackers: Record<string, (packed: Uint8Array) => Uint8Array> = {
  gzip: packed => gunzipSync(packed),
  br: packed => brotliDecompressSync(packed),
  zstd: packed => Bun.zstdDecompressSync(packed),
}

function jsonOf(text: string): Answer['json'] {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An answer as text, whatever it is packed with. */
export async function answerOf(response: Response): Promise<Answer> {
  const bytes = await response.bytes()
  const unpack = unpackers[response.headers.get('content-encoding') ?? ''] ?? (packed => packed)
  const text = bytes.length > 0 ? Buffer.from(unpack(bytes)).toString() : ''
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
}

/** True if a provider or chain failed while the request waited for it: the only 5xx that is not a bug. */
export function isOutage(pathname: string, { status, json }: Answer, method: string): boolean {
  if (pathname.startsWith('/sandbox/')) return status === 503
  return (
    status === 502 && (method === 'HEAD' || json === null || json?.error?.code === 'provider_unavailable')
  )
}

const inside =
  /\n\s+at \S+ \(?[^)\s]+:\d+:\d+|node_modules|[/]src[/][\w/-]+[.]ts|SQLITE_|bun:sqlite|\bdrizzle\b/

/** Internal details of the server that an answer reveals, if the request did not contain them. */
function leaks({ text }: Answer, sent: string): string[] {
  const found = inside.exec(text)?.[0]
  return found === undefined || sent.includes(found.trim()) ? [] : [`the body shows its insides: ${found}`]
}

const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** Elements that are not closed, or closed twice. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const plain = html.replace(/<!--.*?-->|<(script|style)\b[^>]*>.*?<\/\1>|<!doctype[^>]*>/gis, '')
  for (const [, slash, name = '', selfClosed] of plain.matchAll(
    /<(\/?)([a-z][\w-]*)(?:"[^"]*"|[^">])*?(\/?)>/gi,
  )) {
    if (VOID.test(name) || selfClosed === '/') continue
    if (slash === '') open.push(name)
    else if (open.at(-1) === name) open.pop()
    else return [`</${name}> closes <${open.at(-1) ?? ''}>`]
  }
  return open.length > 0 ? [`<${open.at(-1)}> is not closed`] : []
}

/** Text that people wrote earlier. It may be anything. */
const WRITTEN = /<(span|p) class="written"[^>]*>[^<]*<\/\1>/g

function pageFaults(scene: Scene, { method, url }: Bytes, { text }: Answer, sent: string): string[] {
  const { pathname } = new URL(url)
  const [, language = 'en'] = /<html lang="([^"]+)"/.exec(text) ?? []
  const isDashboard = /^[/]dashboard([/]|$)/.test(pathname)
  const isFound = scene.isRoute(method, pathname)
  const faults = htmlFaults(text.replace(WRITTEN, ''), pathname, language, scene.isRoute).filter(
    fault =>
      // Only the dashboard names the shop in its titles.
      (isDashboard || fault !== 'no title') &&
      // A page that is not found links to itself in other languages.
      (isFound || !fault.startsWith('link to nothing')) &&
      // A page may repeat what was sent.
      !(fault.startsWith('leftover') && /NaN|undefined|object|=|function/.test(sent)),
  )
  const marked = text.includes(MARKER) ? ['what was sent is HTML'] : []
  return [...marked, ...unbalanced(text), ...faults]
}

/** The faults of an answer of the API. */
function apiFaults(scene: Scene, answer: Answer, method: string, pathname: string): string[] {
  if (method === 'HEAD' || method === 'OPTIONS') return []
  const faults = envelopeProblems(answer)
  const operation = scene.operationAt(method, pathname)
  if (!operation || answer.json === null) return faults
  return [...faults, ...scene.validator.problemsOf(operation, answer)]
}

/** The faults of an answer; empty if there are none. */
export function faultsOf(scene: Scene, bytes: Bytes, answer: Answer): string[] {
  const { pathname } = new URL(bytes.url)
  const sent = `${decodeURIComponentSafely(bytes.url)} ${Buffer.from(bytes.body ?? '').toString()}`
  const type = answer.headers.get('content-type') ?? ''
  return [
    ...(answer.status >= 500 && !isOutage(pathname, answer, bytes.method)
      ? [`answered ${answer.status}`]
      : []),
    ...leaks(answer, sent),
    ...(pathname.startsWith('/v1/') ? apiFaults(scene, answer, bytes.method, pathname) : []),
    ...(type.startsWith('text/html') && answer.text ? pageFaults(scene, bytes, answer, sent) : []),
  ]
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
