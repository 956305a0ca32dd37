import { gzipSync } from 'node:zlib'

/** An honest answer that a lie spoils. */
export interface Honest {
  status: number
  text: string
  /** the requested URL */
  url: URL
}

/** Spoils an answer on its way to the client. */
export type Spoil = (honest: Honest) => Response | Promise<Response>

const MB = 1024 * 1024
const ENDLESS_MB = 512
const DEEP = 1_000_000
const DRIP_MS = 500
const SLOW_MS = 4000
/** The path under which an endpoint answers honestly, for clients that follow its redirects. */
export const ELSEWHERE = '/elsewhere'

const streamed = (pull: (controller: ReadableStreamDefaultController) => unknown): Response =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await pull(controller)
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )

function dripped(text: string): Response {
  const bytes = Buffer.from(text)
  let at = 0
  return streamed(async controller => {
    if (at > 0) await Bun.sleep(DRIP_MS)
    if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at))
    else controller.close()
  })
}

/** The beginning of an answer that never ends. */
function endless(text: string): Response {
  const more = Buffer.alloc(MB, ' ')
  let sent = -1
  return streamed(controller => {
    sent += 1
    if (sent > ENDLESS_MB) controller.close()
    else controller.enqueue(sent === 0 ? Buffer.from(text.slice(0, 1)) : more)
  })
}

/** Half an answer, after which the connection is closed. */
function broken(text: string): Response {
  const half = Buffer.from(text.slice(0, Math.ceil(text.length / 2)))
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    async pull(controller) {
      controller.write(half)
      await controller.flush()
      return Promise.reject()
    },
  }
  return new Response(new ReadableStream(source as unknown as UnderlyingSource))
}

let bomb: Uint8Array<ArrayBuffer> | null = null

/** Half a gigabyte of white space, compressed to half a megabyte. */
function inflating(): Response {
  bomb ??= new Uint8Array(gzipSync(Buffer.alloc(ENDLESS_MB * MB, ' '), { level: 9 }))
  return new Response(bomb, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } })
}

const others: unknown[] = [null, 0, -1, 1e300, '', 'x', true, [], {}, [null], { a: 1 }, '0x', '٣']

/** Every third value is changed to another type, or removed, in turn. */
function mistyped(text: string): string {
  let seen = 0
  const spoil = (value: unknown): unknown => {
    seen += 1
    if (seen % 3 === 0) return others[(seen / 3) % others.length]
    if (Array.isArray(value)) return value.map(spoil)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, name === 'id' ? part : spoil(part)]),
    )
  }
  try {
    return JSON.stringify(spoil(JSON.parse(text)))
  } catch {
    return '{}'
  }
}

/** The answers by which a client recognises the chains of the simulation, and those of other chains. */
const identities: [own: string, other: string][] = [
  ['"result":"0x89"', '"result":"0x1"'],
  ['"result":"0x2b6653dc"', '"result":"0x94a9059e"'],
  ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', '0f'.repeat(32)],
  ['00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc', '0e'.repeat(32)],
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'],
  ['"nettype":"mainnet"', '"nettype":"stagenet"'],
]

const ofOtherChain = (text: string): string =>
  identities.reduce((changed, [own, other]) => changed.replaceAll(own, other), text)

const json = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } })

/** Waits until the client gives up. */
const never = (): Promise<Response> => new Promise(() => {})

export const spoils = {
  silent: never,
  drip: ({ text }) => dripped(text),
  slow: async ({ status, text }) => {
    await Bun.sleep(SLOW_MS)
    return json(status, text)
  },
  redirect: ({ url }) => Response.redirect(`${url.origin}${ELSEWHERE}${url.pathname}${url.search}`, 307),
  endless: ({ text }) => endless(text),
  inflate: () => inflating(),
  break: ({ text }) => broken(text),
  deep: () => json(200, '['.repeat(DEEP)),
  empty: () => json(200, ''),
  mistype: ({ status, text }) => json(status, mistyped(text)),
  otherChain: ({ status, text }) => json(status, ofOtherChain(text)),
} satisfies Record<string, Spoil>
