import { describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { EndpointUrl, Network, Watch } from '../../src/networks/port.ts'
import { word } from '../support/anvil.ts'
import { toHex } from '../support/tron-chain.ts'
import {
  answering,
  type EndpointType,
  endpointTypes,
  honest,
  openAttempt,
  SOLID_LAG,
  scanSummary,
  scanWatches,
  type Tap,
  useScene,
} from './tron-scene.ts'

const HOUR_MS = 3_600_000
const MAINNET_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'

const scene = useScene({ chainId: 0x2b6653dc, genesis: MAINNET_GENESIS })
let now: number

/** Changes the results of one method of JSON-RPC. */
const changing = (method: string, change: (result: unknown) => unknown): Tap =>
  answering((call, { result }) => (call.method === method ? { result: change(result) } : null))

const emptyLists: Tap = async (url, body, pass) => {
  if (url.pathname.startsWith('/v1/')) return Response.json({ data: [], success: true, meta: {} })
  return changing('eth_getLogs', () => [])(url, body, pass)
}

const forgetful: Tap = (url, _body, pass) =>
  url.pathname.includes('gettransaction') ? Promise.resolve(Response.json({})) : pass()

/** A network with a clock that runs with the chain. */
function openNetwork(way: EndpointType, hosts = ['127.0.0.1']): Network {
  const { protocol, jsonrpc } = endpointTypes[way]
  scene.front.shape.jsonrpc = jsonrpc
  now = Date.now()
  const endpoints = hosts.map(host => ({ protocol, url: scene.front.url.replace('127.0.0.1', host) }))
  return scene.watching({ endpoints, clock: () => now })
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
  return (await scene.openPaid(network, asset, amount)).attempt
}

describe.each(Object.keys(endpointTypes) as EndpointType[])('an answer of %s', way => {
  test('that omits a final payment is corrected by the next one', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.tether, 5n)
    scene.traffic.tap = emptyLists
    expect(await scanSummary(network, attempt)).toEqual([])
    expect(await scanSummary(network, attempt)).toEqual([])
    scene.traffic.tap = honest
    expect(await scanSummary(network, attempt)).toEqual([[5n, true]])
  })

  test('that omits a final payment for hours is corrected within a day', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.tether, 5n)
    scene.traffic.tap = emptyLists
    for (let hours = 0; hours < 24; hours += 4) {
      expect(await scanSummary(network, attempt)).toEqual([])
      await pass(4 * HOUR_MS)
    }
    scene.traffic.tap = honest
    const found: unknown[] = []
    for (let hours = 0; hours < 24 && found.length === 0; hours += 4) {
      found.push(...(await scanSummary(network, attempt)))
      await pass(4 * HOUR_MS)
    }
    expect(found).toEqual([[5n, true]])
  })

  test('that omits a final payment for hours is corrected as soon as another endpoint is demanded', async () => {
    const network = openNetwork(way, ['127.0.0.1', 'localhost'])
    const attempt = { ...(await paid(network, scene.tether, 5n)), elsewhere: false }
    scene.traffic.tap = emptyLists
    for (let hours = 0; hours < 20; hours += 4) {
      expect(await scanSummary(network, attempt)).toEqual([])
      await pass(4 * HOUR_MS)
    }
    scene.traffic.tap = honest
    attempt.elsewhere = true
    expect(await scanSummary(network, attempt)).toEqual([[5n, true]])
  })

  test('that omits a reported final payment does not make it disappear', async () => {
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
  test('that names a payment before its node knows it loses no payment', async () => {
    const network = openNetwork(way)
    const attempt = await paid(network, scene.coin, 6n)
    scene.traffic.tap = forgetful
    for (let hours = 0; hours < 12; hours += 4) {
      expect(await scanSummary(network, attempt)).toEqual([])
      await pass(4 * HOUR_MS)
    }
    scene.traffic.tap = honest
    expect(await scanSummary(network, attempt)).toEqual([[6n, true]])
  })
})

test('a final payment stays after a list with an unknown transaction, and a list without the payment', async () => {
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
const networkOf = (...endpoints: EndpointUrl[]) => scene.watching({ endpoints, clock: () => now })

const node: EndpointUrl = { protocol: 'jsonrpc', url: 'http://127.0.0.1:1' }
const grid: EndpointUrl = { protocol: 'trongrid', url: 'http://127.0.0.2:1' }

test('TRX to an address of a token is found although the first endpoint has no index', async () => {
  const network = networkOf(node, grid)
  now = await chainTime()
  const attempt = await openAttempt(network, scene.tether)
  await scene.pay.coin(attempt.address, 6n)
  await scene.anvil.mine(SOLID_LAG + 2)
  expect(await scanSummary(network, attempt)).toEqual([[6n, true]])
})

test('TRX that came while only an endpoint without an index answered is found later', async () => {
  now = await chainTime()
  const attempt = await openAttempt(networkOf(node), scene.tether)
  await scene.pay.coin(attempt.address, 6n)
  await scene.anvil.mine(SOLID_LAG + 2)
  for (let hours = 0; hours < 16; hours += 4) {
    expect(await scanSummary(networkOf(node), attempt)).toEqual([])
    await pass(4 * HOUR_MS)
  }
  expect(await scanSummary(networkOf(grid), attempt)).toEqual([[6n, true]])
})

test('TRX that an index left out is found, even if a node without one answered since', async () => {
  now = await chainTime()
  const attempt = await openAttempt(networkOf(grid), scene.tether)
  await scene.pay.coin(attempt.address, 6n)
  await scene.anvil.mine(SOLID_LAG + 2)
  scene.traffic.tap = emptyLists
  for (let hours = 0; hours < 24; hours += 4) {
    expect(await scanSummary(networkOf(grid), attempt)).toEqual([])
    await pass(4 * HOUR_MS)
  }
  scene.traffic.tap = honest
  expect(await scanSummary(networkOf(node), attempt)).toEqual([])
  expect(await scanSummary(networkOf(grid), attempt)).toEqual([[6n, true]])
})

describe('an endpoint', () => {
  test.each([4e8, 2 ** 52, Number.MAX_SAFE_INTEGER])(
    'that reports block %d does not cause reads up to it',
    async height => {
      const network = openNetwork('trongrid with JSON-RPC')
      const attempt = await paid(network, scene.tether, 5n)
      const number = `0x${BigInt(height).toString(16)}`
      scene.traffic.tap = changing('eth_getBlockByNumber', block => ({ ...(block as object), number }))
      await expect(network.scan([attempt])).rejects.toThrow(
        /reports block \d+, which its chain can't have reached yet/,
      )
      scene.traffic.tap = honest
      expect(await scanSummary(network, attempt)).toEqual([[5n, true]])
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
    expect(await scanSummary(network, attempt)).toEqual([[5n, true]])
  })
})

describe('a quorum', () => {
  const scene = useScene()

  const DOWN: Tap = () => Promise.reject(new TypeError('refused'))
  const ELSEWHERE = answering(({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : null))

  /** Two endpoints of the real front, each with its own responses. */
  const twoEndpoints = (first: Tap, second: Tap, hosts = ['127.0.0.1', '127.0.0.2']) =>
    scene.watching({
      endpoints: hosts.map(host => ({ protocol: 'trongrid', url: `http://${host}:1` })),
      fetch: (url, init) => scene.behind(new URL(url).hostname === '127.0.0.1' ? first : second)(url, init),
    })

  const paid = async (network: Network, asset: Asset, requiredEndpoints: number) => ({
    ...(await scene.openPaid(network, asset, 5n)).attempt,
    requiredEndpoints,
  })

  /** Reports a transfer of a million that no other node knows, with a receipt. */
  const inventing = (log: Awaited<ReturnType<typeof invented>>): Tap =>
    answering(({ method }) => {
      if (method === 'eth_getLogs') return { result: [log] }
      const receipt = { blockHash: log.blockHash, status: '0x1', logs: [log] }
      return method === 'eth_getTransactionReceipt' ? { result: receipt } : null
    })

  async function invented(address: string) {
    const { anvil, tether } = scene
    const height = (await anvil.head()) - SOLID_LAG
    const blockNumber = `0x${height.toString(16)}`
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [blockNumber, false])
    return {
      address: toHex(tether.contract!),
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${'1'.repeat(64)}`,
        `0x${word(toHex(address))}`,
      ],
      data: `0x${word(1_000_000n)}`,
      blockNumber,
      blockHash: hash,
      transactionHash: `0x${'ab'.repeat(32)}`,
      logIndex: '0x0',
    }
  }

  describe('a payment that two endpoints must report', () => {
    test('is not final if one of them invented it', async () => {
      let first = honest
      const network = twoEndpoints((...request) => first(...request), honest)
      const attempt = { ...(await openAttempt(network, scene.tether)), requiredEndpoints: 2 }
      await scene.anvil.mine(SOLID_LAG + 2)
      first = inventing(await invented(attempt.address))
      for (const round of [1, 2]) {
        expect([round, await scanSummary(network, attempt)]).toEqual([round, [[1_000_000n, false]]])
      }
    })

    test('is not final if the other is missing, the same, down or of another chain', async () => {
      for (const network of [
        twoEndpoints(honest, DOWN),
        twoEndpoints(honest, ELSEWHERE),
        twoEndpoints(honest, honest, ['127.0.0.1']),
        twoEndpoints(honest, honest, ['127.0.0.1', '127.0.0.1']),
      ]) {
        for (const asset of [scene.coin, scene.tether]) {
          expect(await scanSummary(network, await paid(network, asset, 2))).toEqual([[5n, false]])
        }
      }
    })

    test('is final when both report it; with one required endpoint, one is enough', async () => {
      const both = twoEndpoints(honest, honest)
      const one = twoEndpoints(honest, DOWN)
      for (const asset of [scene.coin, scene.tether]) {
        expect(await scanSummary(both, await paid(both, asset, 2))).toEqual([[5n, true]])
        expect(await scanSummary(one, await paid(one, asset, 1))).toEqual([[5n, true]])
      }
    })
  })
})
