import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  answering,
  endpointTypes,
  freshAddress,
  honest,
  openAttempt,
  openScene,
  type Scene,
  SOLID_LAG,
  scanSummary,
  type Tap,
} from './tron-scene.ts'

const scenes = new Map<string, Scene>()
beforeAll(async () => {
  for (const [type, { jsonrpc }] of Object.entries(endpointTypes))
    scenes.set(type, await openScene({ jsonrpc }))
})
afterAll(async () => {
  for (const scene of scenes.values()) await scene.stop()
})

const FAR = 80_000_000
const MINUTE_MS = 60_000
const WORD = `0x${'ab'.repeat(32)}`

/** A cursor as if one endpoint had reported a false height when the address was allocated. */
const farStart = (cursor: unknown, at: number) => {
  const start = { height: FAR, hash: WORD, at }
  const reported = { reportedAt: at, finalTo: FAR, seen: FAR + 20 }
  return { ...(cursor as object), ...start, start, settled: start, ...reported }
}

const clocks = [
  ['right', 0],
  ['8 minutes ahead', 8],
  ['20 minutes behind', -20],
] as const

describe.each(Object.entries(endpointTypes))(
  'a watch by %s that began at a false height',
  (type, { protocol }) => {
    test.each(clocks)('finds its payment without earlier money, if the clock was %s', async (_, ahead) => {
      const { anvil, tether, front, pay, watching } = scenes.get(type)!
      let now = 0
      const network = watching({ endpoints: [{ protocol, url: front.url }], clock: () => now })
      const address = freshAddress()
      await pay.token(tether, address, 7n)
      await anvil.rpc('anvil_mine', ['0x2', '0x3c'])
      const head = (await anvil.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
      const openedAt = Number(head.timestamp) * 1000
      now = openedAt + ahead * MINUTE_MS
      const attempt = await openAttempt(network, tether, address)
      attempt.cursor = farStart(attempt.cursor, openedAt)
      await pay.token(tether, address, 5n)
      await anvil.mine(1)
      // A height that one endpoint reported is forgotten after a quarter of an hour.
      now += 16 * MINUTE_MS
      for (const final of [false, true]) {
        const [result] = await network.scan([attempt])
        expect(result!.detectedPayments).toMatchObject([{ amountAtomic: 5n, final }])
        attempt.cursor = result!.cursor
        await anvil.mine(30)
      }
      expect((attempt.cursor as { start: { height: number } }).start.height).toBeLessThan(FAR)
    })
  },
)

const hex = (count: number): string => `0x${count.toString(16)}`

/** Makes an endpoint report its newest blocks with a time, and a height, that is ahead. */
function ahead(ms: number, blocks = 0): Tap {
  let newest = 0
  return async (url, body, pass) => {
    if (url.pathname.endsWith('/getnowblock')) {
      const block = (await (await pass()).json()) as { block_header: { raw_data: Record<string, number> } }
      const { number = 0, timestamp = 0, ...others } = block.block_header.raw_data
      const raw_data = { ...others, number: number + blocks, timestamp: timestamp + ms }
      return Response.json({ ...block, block_header: { ...block.block_header, raw_data } })
    }
    const later = answering(({ method, params: [block] }, { result }) => {
      if (method !== 'eth_getBlockByNumber') return null
      if (result === null) return { result: { hash: WORD, number: block, timestamp: hex(newest) } }
      const { number, timestamp } = result as Record<'number' | 'timestamp', string>
      newest = Number(timestamp) + ms / 1000
      const times = { number: hex(Number(number) + blocks), timestamp: hex(newest) }
      return { result: { ...(result as object), ...times } }
    })
    return later(url, body, pass)
  }
}

describe.each(Object.entries(endpointTypes))(
  'a watch by %s whose first block seemed later than it was',
  (type, { protocol }) => {
    test.each([
      ['a quarter of an hour', 15 * MINUTE_MS],
      ['a year', 365 * 24 * 60 * MINUTE_MS],
    ])('by %s finds its payment', async (_, ms) => {
      const { anvil, tether, front, pay, watching, traffic } = scenes.get(type)!
      const network = watching({ endpoints: [{ protocol, url: front.url }] })
      const address = freshAddress()
      // The network finds out which interfaces the endpoint serves.
      await openAttempt(network, tether)
      traffic.tap = ahead(ms)
      const attempt = await openAttempt(network, tether, address)
      traffic.tap = honest
      await pay.token(tether, address, 6n)
      await anvil.mine(SOLID_LAG + 1)
      expect(await scanSummary(network, attempt)).toEqual([[6n, true]])
    })
  },
)

describe.each(Object.entries(endpointTypes))(
  'a watch by %s that began at a false height and time',
  (type, { protocol }) => {
    test('finds its payment by another endpoint', async () => {
      const { anvil, tether, pay, watching, traffic } = scenes.get(type)!
      const chainTime = async () => {
        const head = (await anvil.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
        return Number(head.timestamp) * 1000
      }
      const [liar, other] = ['127.0.0.1', '127.0.0.2'].map(host => ({ protocol, url: `http://${host}:1` }))
      let now = await chainTime()
      const networkOf = (...endpoints: { protocol: string; url: string }[]) =>
        watching({ endpoints, clock: () => now })
      const network = networkOf(liar!, other!)
      // The network finds out which interfaces the endpoints serve.
      await openAttempt(network, tether)
      const lie = ahead(25 * MINUTE_MS, FAR)
      traffic.tap = (url, body, pass) => (url.hostname === '127.0.0.1' ? lie(url, body, pass) : pass())
      const attempt = await openAttempt(network, tether)
      traffic.tap = honest
      await pay.token(tether, attempt.address, 6n)
      await anvil.rpc('anvil_mine', [hex(20), hex(60)])
      now = await chainTime()
      expect(await scanSummary(networkOf(other!), attempt)).toEqual([[6n, true]])
    })
  },
)

/** Makes an index list the same payments without end, with times that are ahead. */
const endless =
  (ms: number): Tap =>
  async (url, body, pass) => {
    if (!url.pathname.startsWith('/v1/')) return ahead(ms)(url, body, pass)
    url.searchParams.delete('fingerprint')
    const list = (await (await pass()).json()) as { data: { block_timestamp: number }[] }
    const data = list.data.map(one => ({ ...one, block_timestamp: one.block_timestamp + ms }))
    return Response.json({ ...list, data, meta: { fingerprint: 'next' } })
  }

test.each(['trongrid with JSON-RPC', 'trongrid without JSON-RPC'] as const)(
  'a payment is found after %s listed a flood of next year',
  async type => {
    const { anvil, coin, front, pay, watching, traffic } = scenes.get(type)!
    const network = watching({ endpoints: [{ protocol: 'trongrid', url: front.url }] })
    const attempt = await openAttempt(network, coin)
    await pay.coin(attempt.address, 5n)
    await anvil.mine(SOLID_LAG + 1)
    traffic.tap = endless(365 * 24 * 60 * MINUTE_MS)
    await scanSummary(network, attempt)
    traffic.tap = honest
    await pay.coin(attempt.address, 6n)
    await anvil.mine(SOLID_LAG + 1)
    expect(await scanSummary(network, attempt)).toContainEqual([6n, true])
  },
)
