import { expect, test } from 'bun:test'
import { dashboardRoutes, signInAs } from '../support/dashboard.ts'
import { givenFullShop, pathsOf, type Rows, startFullApp } from '../support/full-shop.ts'
import { suite } from '../support/suite.ts'
import { isWhole, waysOf } from '../support/whole.ts'

const MB = 1024 * 1024
const KB = 1024
/** The amount of a body that arrives at once. */
const PIECE = 64 * KB
/** The longest time that other requests may wait for one. */
const WAIT_MS = 100
/** A busy machine delays any request now and then, but a fault delays it each time. */
const TRIES = 5
/** The most memory that may be in use above that at the start. Forms once took more than 1 GB. */
const GROWTH_MAX = 300 * MB
const TIMEOUT_MS = 240_000
/** Collecting the garbage costs more than all requests of a route. */
const ROUTES_A_COLLECTION = isWhole ? 4 : 10

interface Route {
  method: string
  path: string
  /** headers of a person or key that may use it */
  headers: Record<string, string>
}

interface Flood {
  what: string
  type: string
  body: Buffer
}

const repeat = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length))
const numbered = (name: (index: number) => string, bytes: number): string => {
  let text = ''
  for (let i = 0; text.length < bytes; i++) text += name(i)
  return text
}
const partOf = (name: string, value = '1') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileOf = (name: string, bytes: number) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n${'a'.repeat(bytes)}\r\n`

const FORM = 'application/x-www-form-urlencoded'
const PARTS = 'multipart/form-data; boundary=x'
const JSON_TYPE = 'application/json'
/** Just below the limits for a form of a page, a form of the dashboard, and one with files. */
const SHORT = 15 * KB
const FULL = 63 * KB
const HUGE = 31 * MB

/** The bodies that cost most for their size. */
const floods: Flood[] = [
  ...[SHORT, FULL, HUGE].map(size => ({ type: FORM, body: repeat('a=1&', size) })),
  ...[SHORT, FULL].map(size => ({ type: FORM, body: numbered(i => `${i.toString(36)}&`, size) })),
  { type: PARTS, body: repeat(partOf('a'), HUGE) },
  { type: PARTS, body: numbered(i => partOf(i.toString(36)), FULL) },
  { type: PARTS, body: repeat('\r\n--x', HUGE) },
  { type: PARTS, body: `${partOf('name', repeat('a', HUGE))}--x--` },
  { type: PARTS, body: `${fileOf('file', HUGE)}${partOf('name')}--x--` },
  { type: PARTS, body: repeat(fileOf('file', MB), HUGE) },
  { type: JSON_TYPE, body: repeat('[', 511 * KB) },
  { type: JSON_TYPE, body: `{${numbered(i => `"${i}":0,`, 80 * KB)}"a":1}` },
  { type: JSON_TYPE, body: `{"items":[${repeat('[],', 5 * MB)}[]]}` },
  { type: '', body: repeat('a=1&', FULL) },
].map(({ type, body }) => ({
  what: `${body.length} bytes of ${JSON.stringify(body.slice(0, 80))}…`,
  type,
  body: Buffer.from(body),
}))

const { app, once } = suite({ start: startFullApp })
const shop = once(() => givenFullShop(app))
const operator = once(() => signInAs(app, 'operator', null))

/** The bodies for a route. Each body goes to a third of the routes, or to all of them. */
const floodsOf = (route: number): [number, Flood][] =>
  [...floods.entries()].filter(([at]) => isWhole || (route + at) % 3 === 0)

function rows(): Rows {
  const own = shop.rowsOf(shop.owner)
  const [, order = ''] = own['orders/:order'] ?? []
  return {
    ...own,
    'orders/:orderUUID': [order],
    'pay/:orderUUID': [order],
    'events/:id': [shop.inForms.event ?? ''],
    'products/:productUUID': own['products/:product'] ?? [],
    'checkout/:productUUID': own['products/:product'] ?? [],
    'callback/:provider': ['gateway'],
    'chain/:chain': ['btc'],
  }
}

/** Every route that reads a body, with the headers that it accepts. */
async function routes(): Promise<Route[]> {
  const ofDashboard = new Map(
    (await dashboardRoutes(app)).map(({ method, path, access }) => [`${method} ${path}`, access]),
  )
  const all = (await app.florin.http.routes()) as { method: string; path: string }[]
  const found = all
    .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    .map(({ method, path }) => {
      const { cookie } = ofDashboard.get(`${method} ${path}`) === 'operator' ? operator : shop.owner
      const browser = { accept: 'text/html', cookie, origin: 'http://localhost', host: 'localhost' }
      const isApi = path.startsWith('/v1/')
      return { method, path, headers: isApi ? { 'x-api-key': shop.shop.live } : browser }
    })
  // After this request, nobody is signed in.
  const isLast = ({ path }: Route) => path === '/dashboard/sign-out'
  return [...found.filter(route => !isLast(route)), ...found.filter(isLast)]
}

/** A body as it arrives over a connection: in pieces, with other work in between. */
const arriving = (body: Buffer): ReadableStream => {
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await new Promise(resolve => setImmediate(resolve))
      controller.enqueue(body.subarray(at, at + PIECE))
      at += PIECE
      if (at >= body.length) controller.close()
    },
  })
}

async function send({ method, path, headers: own }: Route, { type, body }: Flood, isLengthKnown: boolean) {
  const headers = new Headers(own)
  if (type) headers.set('content-type', type)
  if (isLengthKnown) headers.set('content-length', String(body.length))
  const init = { method, headers, body: arriving(body) }
  const answer = await app.florin.http.handle(new Request(`http://localhost${path}`, init))
  await answer.arrayBuffer()
  return answer.status
}

/**
 * The longest time in which nothing else was done, but at most the processor time of the whole: other
 * processes took the rest.
 */
async function waitDuring(work: () => Promise<unknown>): Promise<number> {
  const cpu = process.cpuUsage()
  let longest = 0
  let last = performance.now()
  const note = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(note, 1)
  await work()
  clearInterval(timer)
  note()
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(longest, (user + system) / 1000)
}

/** The fault of the answer to a body; null if there is none. */
async function faultOf(route: Route, flood: Flood, isLengthKnown: boolean): Promise<string | null> {
  let wait = Number.POSITIVE_INFINITY
  for (let tries = 0; wait > WAIT_MS && tries < TRIES; tries++) {
    let status = 0
    const work = async () => {
      status = await send(route, flood, isLengthKnown)
    }
    wait = Math.min(wait, await waitDuring(work))
    if (status >= 500) return `${route.method} ${route.path}: ${status} after ${flood.what}`
  }
  const ms = Math.round(wait)
  return wait > WAIT_MS
    ? `${route.method} ${route.path}: others waited ${ms} ms while ${flood.what} arrived`
    : null
}

test(
  'no body of any route delays other requests for long, or fills the memory',
  async () => {
    const all = await routes()
    expect(all.length).toBeGreaterThan(100)
    Bun.gc(true)
    const before = process.memoryUsage.rss()
    const faults: string[] = []
    let most = 0
    for (const [index, route] of all.entries()) {
      const [path = ''] = pathsOf(route.path, rows())
      if (index % ROUTES_A_COLLECTION === 0) Bun.gc(true)
      for (const [at, flood] of floodsOf(index)) {
        for (const isLengthKnown of waysOf([true, false], index + at)) {
          const fault = await faultOf({ ...route, path }, flood, isLengthKnown)
          if (fault) faults.push(fault)
          most = Math.max(most, process.memoryUsage.rss() - before)
        }
      }
    }
    expect(faults).toEqual([])
    expect(most).toBeLessThan(GROWTH_MAX)
  },
  TIMEOUT_MS,
)
