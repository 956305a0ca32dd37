import { expect, test } from 'bun:test'
import { rpcOf } from '../../../src/networks/evm/rpc.ts'
import { type Fetch, NetworkError } from '../../../src/networks/port.ts'
import type { Call } from '../../../src/networks/rpc/json-rpc-codec.ts'

type RpcOptions = Parameters<typeof rpcOf>[0]

interface Sent {
  id: number
  method: string
  params: unknown[]
}

type Answering = (calls: Sent[], init: RequestInit) => Response | Promise<Response>

const call = (method: string): Call => ({ method, params: [] })
const replyTo = ({ id, method }: Sent) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'eth_chainId' ? '0x1' : method,
})

/** A node of chain 1 that answers each call with the method's name. */
const honest: Answering = (calls, init) => {
  const replies = calls.map(replyTo)
  return Response.json(String(init.body).startsWith('[') ? replies : replies[0])
}

/** Endpoints named by the start of their host, with a record of their requests. */
function chain(answers: Record<string, Answering>, options: Partial<RpcOptions> = {}) {
  const clock = { now: 1_000_000 }
  const asked: string[] = []
  const sent: Sent[][] = []
  const inits: RequestInit[] = []
  const fetch: Fetch = async (url, init = {}) => {
    const name = new URL(url).host.split('.')[0]!
    const json = JSON.parse(String(init.body)) as Sent | Sent[]
    const calls = Array.isArray(json) ? json : [json]
    asked.push(name)
    sent.push(calls)
    inits.push(init)
    return answers[name]!(calls, init)
  }
  const endpoints = Object.keys(answers).map(name => `https://${name}.example/`)
  const rpc = rpcOf({ chain: 'ethereum', chainId: 1, endpoints, fetch, clock: () => clock.now, ...options })
  const ask = (...methods: string[]) => rpc.withFailover(node => node.ask(methods.map(call)))
  return { rpc, ask, clock, asked, sent, inits }
}

const gone: Answering = () => Promise.reject(new TypeError('refused'))
const ok =
  (json: unknown, status = 200): Answering =>
  () =>
    Response.json(json, { status })
/** Reports the right chain ID, and then gives another answer. */
const after =
  (answer: Answering): Answering =>
  (calls, init) =>
    calls[0]!.method === 'eth_chainId' ? honest(calls, init) : answer(calls, init)

test('without an endpoint every call fails', async () => {
  await expect(chain({}).ask('a')).rejects.toThrow(
    'no usable endpoint for ethereum: no endpoint is configured',
  )
})

test.each<[string, Answering]>([
  ['a page', () => new Response('<html>hello</html>')],
  ['an empty body', () => new Response('')],
  ['half a JSON document', () => new Response('{"jsonrpc":"2.0","id":0,"resu')],
  ['a number', ok(5)],
  ['null', ok(null)],
  ['another id', ok({ id: 7, result: '0x1' })],
  ['neither result nor error', ok({ id: 1 })],
  ['a server error', () => new Response('oops', { status: 500 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://b.example' } })],
  ['too few replies', (calls, init) => (calls.length === 1 ? honest(calls, init) : Response.json([]))],
  [
    'one reply twice',
    (calls, init) =>
      calls.length === 1 ? honest(calls, init) : Response.json([replyTo(calls[0]!), replyTo(calls[0]!)]),
  ],
  ['no connection', gone],
])('%s instead of JSON-RPC is an error', async (_, answering) => {
  await expect(chain({ a: answering }).ask('x', 'y')).rejects.toThrow(NetworkError)
  await expect(chain({ a: after(answering) }).ask('x', 'y')).rejects.toThrow(NetworkError)
})

test('no error contains the key of an endpoint, even if the node repeats it', async () => {
  const endpoints = ['https://someone:pass%20word@a.example/v3/SECRETKEY?apikey=OTHERKEY']
  const words = 'key SECRETKEY or OTHERKEY of someone:pass word is not known'
  const { ask, inits } = chain({ a: ok({ id: 1, error: { code: -32000, message: words } }) }, { endpoints })
  const message = await ask('x').catch((error: Error) => error.message)
  expect(message).toContain('a.example')
  for (const secret of ['SECRETKEY', 'OTHERKEY', 'someone', 'pass word'])
    expect(message).not.toContain(secret)
  expect(new Headers(inits[0]!.headers).get('authorization')).toBe(`Basic ${btoa('someone:pass word')}`)
})

test('an endpoint of another chain is never used, and is checked again after a minute', async () => {
  let chainId = '0x89'
  const answers: Answering = ([sent], init) =>
    sent!.method === 'eth_chainId' ? Response.json({ id: sent!.id, result: chainId }) : honest([sent!], init)
  const { ask, asked, clock } = chain({ a: answers })
  const words = 'a.example serves chain 137, but ethereum is chain 1: use another endpoint'
  for (const _ of [1, 2]) await expect(ask('x')).rejects.toThrow(words)
  expect(asked).toEqual(['a'])
  chainId = '0x1'
  clock.now += 60_000
  expect(await ask('x')).toEqual([{ result: 'x' }])
})

test("an endpoint's chain is verified at first, and again after an error", async () => {
  let isDown = false
  const { ask, sent } = chain({ a: (calls, init) => (isDown ? gone(calls, init) : honest(calls, init)) })
  await ask('x')
  await ask('y')
  isDown = true
  await expect(ask('z')).rejects.toThrow(NetworkError)
  isDown = false
  await ask('w')
  expect(sent.map(([first]) => first!.method)).toEqual(['eth_chainId', 'x', 'y', 'z', 'eth_chainId', 'w'])
})

test('a failed endpoint comes after the others until its backoff has passed', async () => {
  let isDown = true
  const { ask, asked, clock } = chain({ a: (c, i) => (isDown ? gone(c, i) : honest(c, i)), b: honest })
  await ask('x')
  expect(asked).toEqual(['a', 'b', 'b'])
  await ask('y')
  expect(asked.slice(3)).toEqual(['b'])
  isDown = false
  clock.now += 2000
  await ask('z')
  expect(asked.slice(4)).toEqual(['a', 'a'])
})

test('the next endpoint repeats the whole work', async () => {
  const { rpc } = chain({ a: after(gone), b: honest })
  const starts: number[] = []
  const result = await rpc.withFailover(async node => {
    starts.push(1)
    return node.ask([call('x')])
  })
  expect(result).toEqual([{ result: 'x' }])
  expect(starts).toHaveLength(2)
})

test('a bug in the work with every endpoint is not taken for a network error', async () => {
  const { rpc, asked } = chain({ a: honest, b: honest })
  await expect(rpc.withFailover(() => Promise.reject(new RangeError('ours')))).rejects.toThrow(RangeError)
  expect(asked).toEqual(['a', 'b'])
})

test('if the answer of one endpoint makes the work fail, the next one does it', async () => {
  const { rpc } = chain({ a: honest, b: honest })
  const nodes = new Set<unknown>()
  const work = async (node: unknown): Promise<string> => {
    nodes.add(node)
    if (nodes.size === 1) throw new RangeError('Invalid array length')
    return 'done'
  }
  expect(await rpc.withFailover(work)).toBe('done')
  await rpc.withFailover(work)
  expect(nodes.size).toBe(2)
})

const limited =
  (seconds: string): Answering =>
  () =>
    new Response('slow down', { status: 429, headers: seconds ? { 'retry-after': seconds } : {} })

test.each([
  ['30', 30_000],
  ['', 5000],
  ['86400', 120_000],
  [new Date(1_000_000 + 45_000).toUTCString(), 45_000],
])(
  'an endpoint that answers 429 with Retry-After "%s" gets no requests for that long',
  async (seconds, pause) => {
    let isLimited = true
    const { ask, asked, clock } = chain({ a: (c, i) => (isLimited ? limited(seconds)(c, i) : honest(c, i)) })
    await expect(ask('x')).rejects.toThrow('a.example rejected the request: rate limit exceeded')
    isLimited = false
    clock.now += pause - 1
    await expect(ask('x')).rejects.toThrow('rate limit exceeded')
    expect(asked).toEqual(['a'])
    clock.now += 1
    expect(await ask('x')).toEqual([{ result: 'x' }])
  },
)

test('a pause that began while the clock was ahead ends when the clock is set back', async () => {
  let isLimited = true
  const { ask, clock } = chain({ a: (c, i) => (isLimited ? limited('30')(c, i) : honest(c, i)) })
  await expect(ask('x')).rejects.toThrow('rate limit exceeded')
  isLimited = false
  clock.now -= 86_400_000
  expect(await ask('x')).toEqual([{ result: 'x' }])
})

test.each([
  [429, 'no'],
  [-32005, 'Your app has exceeded its compute units per second capacity'],
  [-32000, 'Too Many Requests'],
])('the error %i "%s" is a 429 too, alone and in a batch', async (code, message) => {
  const error = { code, message }
  const batch: Answering = calls => Response.json(calls.map(({ id }) => ({ id, error })))
  for (const answering of [ok({ id: 1, error }), after(batch)]) {
    await expect(chain({ a: answering }).ask('x', 'y')).rejects.toThrow('rate limit exceeded')
  }
})

test('many calls are one request, and their replies are put in order', async () => {
  const reversed: Answering = calls => Response.json(calls.map(replyTo).toReversed())
  const { ask, asked } = chain({ a: after(reversed) })
  expect(await ask('x', 'y', 'z')).toEqual([{ result: 'x' }, { result: 'y' }, { result: 'z' }])
  expect(asked).toHaveLength(2)
})

test("a node's refusal of one call is its reply, not an error of the endpoint", async () => {
  const one: Answering = calls =>
    Response.json(
      calls.map(sent => (sent.id === 2 ? { id: 2, error: { code: -1, message: 'no' } } : replyTo(sent))),
    )
  expect(await chain({ a: after(one) }).ask('x', 'y')).toEqual([
    { result: 'x' },
    { error: { code: -1, message: 'no' } },
  ])
})

const methods = (count: number): string[] => Array.from({ length: count }, (_, index) => `m${index}`)
const results = (count: number) => methods(count).map(result => ({ result }))

test.each<[string, Response]>([
  ['an error', Response.json({ id: null, error: { code: -32600, message: 'batch of more than 3' } })],
  [
    'an error in an array',
    Response.json([{ id: null, error: { code: -32600, message: 'batches are off' } }]),
  ],
  [
    'an error with a status',
    Response.json({ error: { code: 31, message: 'not on your plan' } }, { status: 500 }),
  ],
  ['a status', new Response('too large', { status: 413 })],
])('an endpoint that refuses batches with %s gets single calls from then on', async (_, refusal) => {
  const { ask, sent } = chain({
    a: (calls, init) => (calls.length > 1 ? refusal.clone() : honest(calls, init)),
  })
  expect(await ask(...methods(25))).toEqual(results(25))
  const batches = sent.filter(calls => calls.length > 1).length
  expect(batches).toBeLessThanOrEqual(4)
  expect(await ask(...methods(25))).toEqual(results(25))
  expect(sent.filter(calls => calls.length > 1)).toHaveLength(batches)
})

test('an endpoint that takes ten calls gets ten, and more again after ten minutes', async () => {
  const { ask, sent, clock } = chain({
    a: (calls, init) => (calls.length > 10 ? new Response('', { status: 400 }) : honest(calls, init)),
  })
  expect(await ask(...methods(35))).toEqual(results(35))
  expect(sent.map(calls => calls.length)).toEqual([1, 35, 10, 10, 10, 5])
  clock.now += 600_001
  await ask(...methods(11))
  expect(sent.slice(6).map(calls => calls.length)).toEqual([11, 10, 1])
})

test('an endpoint that refuses everything does not get single calls', async () => {
  const { ask, sent } = chain({ a: after(ok({ id: 1, error: { code: -32603, message: 'internal error' } })) })
  await expect(ask(...methods(50))).rejects.toThrow('a.example returned the error "internal error"')
  expect(sent.length).toBeLessThanOrEqual(10)
})

test('a batch whose response is too large is sent in halves, and a single call whose response is too large is refused', async () => {
  const long =
    (size: number): Answering =>
    calls =>
      Response.json(
        calls.length > 1
          ? calls.map(({ id }) => ({ id, result: 'x'.repeat(size) }))
          : { id: 1, result: 'x'.repeat(size) },
      )
  const small = await chain({ a: after(long(300)) }, { maxBytes: 1000 }).ask(...methods(8))
  expect(small).toHaveLength(8)
  expect(small.every(reply => 'result' in reply)).toBe(true)
  const [large] = await chain({ a: after(long(2000)) }, { maxBytes: 1000 }).ask('x')
  expect(large).toEqual({ error: { code: -1, message: 'the response is too large' } })
})

test('an endpoint that is slow or drips its response is abandoned after the timeout', async () => {
  const drip = () =>
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(' '))
        await Bun.sleep(20)
      },
    })
  const server = Bun.serve({
    port: 0,
    fetch: request =>
      new URL(request.url).pathname === '/drip' ? new Response(drip()) : new Promise<Response>(() => {}),
  })
  for (const path of ['drip', 'silent']) {
    const endpoints = [`http://127.0.0.1:${server.port}/${path}`]
    const { ask } = chain({}, { endpoints, fetch, timeoutMs: 100 })
    const began = performance.now()
    await expect(ask('x')).rejects.toThrow('did not answer within 0.1 s')
    expect(performance.now() - began).toBeLessThan(10_000)
  }
  await server.stop(true)
})
