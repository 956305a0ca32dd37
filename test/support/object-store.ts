import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { newFolder } from './process.ts'

const MB = 1024 * 1024
const BUCKET = 'shop'
const OBJECT = '._S3rver_object'
const tagOf = (bytes: Uint8Array): string => `"${new Bun.CryptoHasher('md5').update(bytes).digest('hex')}"`
/** The only credentials that the store accepts. */
export const ACCESS_KEY = 'S3RVER'

export type Fault = 'none' | 'hang' | 'error' | 'forbidden' | 'cut' | 'stale' | 'slow' | 'endless'

/** The store's treatment of conditional requests. Many stores ignore conditions, and write anyway. */
export type Conditions = 'known' | 'ignored' | 'refused'

/** Starts a real S3 server on a folder, behind a proxy that can simulate every fault. */
export async function startObjectStore() {
  const folder = newFolder()
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  const old = new Map<string, Response>()
  const busy = new Map<string, Promise<unknown>>()
  const state = {
    fault: 'none' as Fault,
    conditions: 'known' as Conditions,
    requests: 0,
    sentBytes: 0,
    slowMs: 50,
  }

  /** Adds a missing feature of the server: it refuses a conditional write if the object has changed. */
  async function refusal(request: Request, pathname: string): Promise<Response | null> {
    const [tag, none] = [request.headers.get('if-match'), request.headers.get('if-none-match')]
    if (request.method !== 'PUT' || (tag === null && none === null)) return null
    if (state.conditions === 'ignored') return null
    if (state.conditions === 'refused') {
      return new Response('<Error><Code>NotImplemented</Code></Error>', { status: 501 })
    }
    const file = join(folder, pathname + OBJECT)
    const found = existsSync(file) ? tagOf(readFileSync(file)) : null
    if (none === null ? found === tag : found === null) return null
    return new Response('<Error><Code>PreconditionFailed</Code></Error>', { status: 412 })
  }

  /** One request for an object at a time, with a whole body or none, because the server writes in place. */
  async function pass(request: Request, body: ArrayBuffer): Promise<Response> {
    const url = new URL(request.url)
    const before = busy.get(url.pathname)
    const asked = (async () => {
      await before
      const refused = await refusal(request, url.pathname)
      if (refused) return refused
      const answer = await fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, {
        method: request.method,
        headers: { host: url.host },
        ...(request.method === 'PUT' && { body }),
      })
      const etag = answer.headers.get('etag')
      return new Response(await answer.arrayBuffer(), {
        status: answer.status,
        ...(etag !== null && { headers: { etag } }),
      })
    })()
    busy.set(
      url.pathname,
      asked.catch(() => {}),
    )
    return asked
  }

  /** An answer that is cut off. */
  async function half(response: Response): Promise<Response> {
    const whole = new Uint8Array(await response.arrayBuffer())
    const packed = Bun.gzipSync(whole.length === 0 ? new Uint8Array(64) : whole)
    const headers = { 'content-encoding': 'gzip' }
    return new Response(packed.subarray(0, packed.length / 2), { status: response.status, headers })
  }

  const refusals: Partial<Record<Fault, () => Response>> = {
    error: () => new Response('broken', { status: 500 }),
    forbidden: () => new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 }),
    endless: () => endless(),
  }

  /** An answer that never ends. */
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          state.sentBytes += MB
          controller.enqueue(new Uint8Array(MB))
        },
      }),
    )

  /** The first answer about an object, like that of a stale cache. */
  async function stale(request: Request, body: ArrayBuffer): Promise<Response> {
    const known = old.get(new URL(request.url).pathname)
    return request.method === 'GET' && known ? known.clone() : pass(request, body)
  }

  async function answer(request: Request): Promise<Response> {
    const { fault, slowMs } = state
    state.requests++
    const body = await request.arrayBuffer()
    if (fault === 'hang') await Bun.sleep(60_000)
    const refused = refusals[fault]?.()
    if (refused) return refused
    if (fault === 'stale') return stale(request, body)
    if (fault === 'slow') await Bun.sleep(slowMs)
    const response = await pass(request, body)
    if (request.method === 'GET') old.set(new URL(request.url).pathname, response.clone())
    return fault === 'cut' ? half(response) : response
  }
  const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer, idleTimeout: 120 })
  const root = join(folder, BUCKET)
  return {
    state,
    url: (prefix = 'florin') => `s3://${BUCKET}/${prefix}?endpoint=http://127.0.0.1:${proxy.port}`,
    /** Sorted names of the objects with a prefix. */
    names: (prefix = 'florin'): string[] =>
      (readdirSync(join(root, prefix), { recursive: true }) as string[])
        .filter(name => name.endsWith(OBJECT))
        .map(name => name.slice(0, -OBJECT.length))
        .sort(),
    remove: (name: string, prefix = 'florin') => rmSync(join(root, prefix, `${name}${OBJECT}`)),
    read: (name: string, prefix = 'florin'): Buffer => readFileSync(join(root, prefix, `${name}${OBJECT}`)),
    write: (name: string, bytes: Uint8Array, prefix = 'florin') =>
      writeFileSync(join(root, prefix, `${name}${OBJECT}`), bytes),
    async stop() {
      await proxy.stop(true)
      await server.close()
    },
  }
}

export type ObjectStore = Awaited<ReturnType<typeof startObjectStore>>
