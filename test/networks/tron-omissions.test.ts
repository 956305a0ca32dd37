import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { EndpointUrl, Fetch, Network, Watch } from '../../src/networks/port.ts'
import { tronNetwork } from '../../src/networks/tron/network.ts'
import { toHex } from '../support/tron-chain.ts'
import {
  type EndpointType,
  endpointTypes,
  openAttempt,
  openScene,
  type Scene,
  SOLID_LAG,
  scanPayments,
  scanWatches,
} from './tron-scene.ts'

const MAINNET = 0x2b6653dc
const HOUR_MS = 3_600_000

let scene: Scene
let now: number
beforeAll(async () => {
  scene = await openScene({ chainId: MAINNET })
})
afterEach(() => {
  scene.traffic.tap = (_url, _body, pass) => pass()
  Object.assign(scene.front.shape, { jsonrpc: true, genesis: MAINNET_GENESIS })
})
afterAll(() => scene.stop())

const MAINNET_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'

const amountsOf = async (network: Network, attempt: Watch) =>
  (await scanPayments(network, attempt)).map(({ amountAtomic, final }) => [amountAtomic, final])

type Reply = { id: number; result: unknown }

/** Changes the results of one method of JSON-RPC. */
function changing(method: string, change: (result: unknown) => unknown): Scene['traffic']['tap'] {
  return async (_url, body, pass) => {
    const response = await pass()
    if (!body.includes(`"${method}"`)) return response
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[]
    const replies = [await response.json()].flat() as Reply[]
    const isOwn = ({ id }: Reply) => calls.some(call => call.id === id && call.method === method)
    const changed = replies.map(reply => (isOwn(reply) ? { ...reply, result: change(reply.result) } : reply))
    return Response.json(body.startsWith('[') ? changed : changed[0])
  }
}

const emptyLists: Scene['traffic']['tap'] = async (url, body, pass) => {
  if (url.pathname.startsWith('/v1/')) return Response.json({ data: [], success: true, meta: {} })
  return changing('eth_getLogs', () => [])(url, body, pass)
}

const forgetful: Scene['traffic']['tap'] = (url, _body, pass) =>
  url.pathname.includes('gettransaction') ? Promise.resolve(Response.json({})) : pass()

const honest: Scene['traffic']['tap'] = (_url, _body, pass) => pass()

/** A network with a clock that runs with the chain. */
function openNetwork(way: EndpointType): Network {
  const { protocol, jsonrpc } = endpointTypes[way]
  Object.assign(scene.front.shape, { jsonrpc, genesis: MAINNET_GENESIS })
  now = Date.now()
  return scene.watching({ endpoints: [{ protocol, url: scene.front.url }], clock: () => now })
}

async function pass(ms: number): Promise<void> {
  const blocks = 20
  await scene.anvil.rpc('anvil_mine', [`0x${blocks.toString(16)}`, `0x${(ms / 1000 / blocks).toString(16)}`])
  now = await chainTime()
}

async function chainTime(): Promise<number> {
  const { timestamp } = await scene.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
    'latest',
    false,
  ])
  return Number(timestamp) * 1000
}

async function paid(network: Network, asset: Asset, amount: bigint): Promise<Watch> {
  now = await chainTime()
  const attempt = await openAttempt(network, asset)
  if (asset.contract) await scene.pay.token(asset, attempt.address, amount)
  else await scene.pay.coin(attempt.address, amount)
  await scene.anvil.mine(SOLID_LAG + 2)
  return attempt
}

describe.each(Object.keys(endpointTypes) as EndpointType[])('an answer of %s', way => {
  test('that leaves out a final payment is corrected by the next one', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.tether, 5n)
    scene.traffic.tap = emptyLists
    expect(await amountsOf(network, attempt)).toEqual([])
    expect(await amountsOf(network, attempt)).toEqual([])
    scene.traffic.tap = honest
    expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
  })

  test('that leaves out a final payment for hours is corrected within a day', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.tether, 5n)
    scene.traffic.tap = emptyLists
    for (let hours = 0; hours < 24; hours += 4) {
      expect(await amountsOf(network, attempt)).toEqual([])
      await pass(4 * HOUR_MS)
    }
    scene.traffic.tap = honest
    const found: unknown[] = []
    for (let hours = 0; hours < 24 && found.length === 0; hours += 4) {
      found.push(...(await amountsOf(network, attempt)))
      await pass(4 * HOUR_MS)
    }
    expect(found).toEqual([[5n, true]])
  })

  test('that leaves out a final payment which was reported does not make it disappear', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.tether, 5n)
    const [first] = await scanWatches(network, attempt)
    scene.traffic.tap = emptyLists
    await scene.anvil.mine()
    const [second] = await scanWatches(network, attempt)
    expect(second!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
  })
})

describe.each(['trongrid with JSON-RPC', 'trongrid without JSON-RPC'] as const)('an index of %s', way => {
  test('that names a payment before its node knows it does not lose it', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.coin, 6n)
    scene.traffic.tap = forgetful
    for (let hours = 0; hours < 12; hours += 4) {
      expect(await amountsOf(network, attempt)).toEqual([])
      await pass(4 * HOUR_MS)
    }
    scene.traffic.tap = honest
    expect(await amountsOf(network, attempt)).toEqual([[6n, true]])
  })
})

test('a final payment stays after a list that names an unknown transaction, and one that lacks it', async () => {
  const network = openNetwork('trongrid without JSON-RPC')
  const attempt = await paid(network, scene.coin, 6n)
  scene.traffic.tap = async (url, _body, pass) => {
    const response = await pass()
    if (!url.pathname.endsWith('/transactions')) return response
    const { data, ...rest } = (await response.json()) as { data: { txID: string }[] }
    return Response.json({ ...rest, data: [...data, { ...data[0], txID: 'ab'.repeat(32) }] })
  }
  const [first] = await scanWatches(network, attempt)
  expect(first!.detectedPayments.map(({ final }) => final)).toEqual([true])
  scene.traffic.tap = emptyLists
  const [second] = await scanWatches(network, attempt)
  expect(second!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
})

/** The endpoints of the scene, in a given order: a node without an index, and TronGrid. */
function networkOf(...endpoints: EndpointUrl[]): Network {
  const { coin, tether, front } = scene
  const reach: Fetch = (url, init) => {
    const { pathname, search } = new URL(url)
    return fetch(`${front.url}${pathname}${search}`, init)
  }
  return tronNetwork({ chain: 'trc20', assets: [coin, tether], endpoints, fetch: reach, clock: () => now })
}

const node: EndpointUrl = { protocol: 'jsonrpc', url: 'http://127.0.0.1:1' }
const grid: EndpointUrl = { protocol: 'trongrid', url: 'http://127.0.0.2:1' }

test('TRX to an address of a token is found although the first endpoint has no index', async () => {
  const network = networkOf(node, grid)
  now = await chainTime()
  const attempt = await openAttempt(network, scene.tether)
  await scene.pay.coin(attempt.address, 6n)
  await scene.anvil.mine(SOLID_LAG + 2)
  expect(await amountsOf(network, attempt)).toEqual([[6n, true]])
})

test('TRX that came while only an endpoint without an index answered is found later', async () => {
  now = await chainTime()
  const attempt = await openAttempt(networkOf(node), scene.tether)
  await scene.pay.coin(attempt.address, 6n)
  await scene.anvil.mine(SOLID_LAG + 2)
  for (let hours = 0; hours < 16; hours += 4) {
    expect(await amountsOf(networkOf(node), attempt)).toEqual([])
    await pass(4 * HOUR_MS)
  }
  expect(await amountsOf(networkOf(grid), attempt)).toEqual([[6n, true]])
})

describe('an endpoint', () => {
  test.each([4e8, 2 ** 52, Number.MAX_SAFE_INTEGER])(
    'that reports block %d is not read up to there',
    async height => {
      const network = openNetwork('trongrid with JSON-RPC')
      const attempt = await paid(network, scene.tether, 5n)
      const number = `0x${BigInt(height).toString(16)}`
      scene.traffic.tap = changing('eth_getBlockByNumber', block => ({ ...(block as object), number }))
      await expect(network.scan([attempt])).rejects.toThrow(
        /reports block \d+, which its chain can't have reached yet/,
      )
      scene.traffic.tap = honest
      expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
    },
  )

  test('that invents a log in a solid block pays nothing', async () => {
    const network = openNetwork('jsonrpc')
    const attempt = await paid(network, scene.tether, 5n)
    const transactionHash = `0x${'ab'.repeat(32)}`
    scene.traffic.tap = changing('eth_getLogs', logs =>
      (logs as object[]).map(log => ({ ...log, transactionHash })),
    )
    await expect(network.scan([attempt])).rejects.toThrow(/reorganised its chain/)
    const data = `0x${(10n ** 9n).toString(16).padStart(64, '0')}`
    scene.traffic.tap = changing('eth_getLogs', logs => (logs as object[]).map(log => ({ ...log, data })))
    await expect(network.scan([attempt])).rejects.toThrow(/reorganised its chain/)
    const contract = toHex(scene.usd.contract!)
    scene.traffic.tap = changing('eth_getLogs', logs =>
      (logs as object[]).map(log => ({ ...log, address: contract })),
    )
    await expect(network.scan([attempt])).rejects.toThrow(/reorganised its chain/)
    scene.traffic.tap = honest
    expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
  })
})
