import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type EndpointUrl, NetworkError } from '../../src/networks/port.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { startTronFront, type TronFront } from '../support/tron-front.ts'
import {
  honest,
  openAttempt,
  openScene,
  type Scene,
  SOLID_LAG,
  scanPayments,
  scanWatches,
  useScene,
} from './tron-scene.ts'

const scene = useScene()
let bare: TronFront
beforeAll(() => {
  bare = startTronFront(scene.anvil, { solidLag: SOLID_LAG, jsonrpc: false })
})
afterAll(() => bare.stop())

const GRID = 'http://127.0.0.1:1'
const BARE = 'http://127.0.0.2:1'
const RPC = 'http://127.0.0.3:1'

/** Three endpoints on this machine: TronGrid, TronGrid without JSON-RPC, and a node with JSON-RPC only. */
function several(endpoints: EndpointUrl[], down = new Set<string>(), clock = Date.now) {
  const asked: string[] = []
  const network = scene.watching({
    endpoints,
    clock,
    async fetch(url, init) {
      const { origin, hostname, pathname, search } = new URL(url)
      asked.push(`${hostname}${pathname}`)
      if (down.has(origin)) throw new TypeError('connection refused')
      return fetch(`${origin === BARE ? bare.url : scene.front.url}${pathname}${search}`, init)
    },
  })
  return { network, asked, down }
}

const grid: EndpointUrl = { protocol: 'trongrid', url: GRID }
const withoutRpc: EndpointUrl = { protocol: 'trongrid', url: BARE }
const rpc: EndpointUrl = { protocol: 'jsonrpc', url: RPC }

const amountsOf = (watched: { detectedPayments: { amountAtomic: bigint }[] }[]) =>
  watched.map(({ detectedPayments }) => detectedPayments.map(({ amountAtomic }) => amountAtomic))

describe('endpoints that fail', () => {
  test('make a scan fail if no other is left, for tokens and for TRX', async () => {
    const { network, down } = several([grid, rpc])
    const token = await openAttempt(network, scene.tether)
    const coin = await openAttempt(network, scene.coin)
    for (const url of [GRID, RPC]) down.add(url)
    const expected =
      /no usable endpoint for trc20: 127.0.0.1:1 cannot be reached; 127.0.0.3:1 cannot be reached/
    await expect(network.scan([token])).rejects.toThrow(expected)
    await expect(network.scan([coin])).rejects.toThrow(NetworkError)
    await expect(network.scan([token, coin])).rejects.toThrow(NetworkError)
    await expect(firstCursor(network, scene.tether, token)).rejects.toThrow(NetworkError)
    expect(await network.scan([])).toEqual([])
  })

  test('are replaced by the next one, and another protocol gives a payment the same ID', async () => {
    const { anvil, tether, pay } = scene
    const { network, down } = several([grid, withoutRpc, rpc])
    const attempt = await openAttempt(network, tether)
    await pay.token(tether, attempt.address, 5n)
    await pay.token(tether, attempt.address, 5n)
    await anvil.mine()
    const names: string[][] = []
    for (const dead of [GRID, BARE, '']) {
      const seen = await scanPayments(network, attempt)
      names.push(
        seen.map(({ txId, txIndex, amountAtomic }) => `${txId} ${txIndex} ${amountAtomic}`).toSorted(),
      )
      down.add(dead)
    }
    expect(names[0]).toHaveLength(2)
    expect(names[1]).toEqual(names[0]!)
    expect(names[2]).toEqual(names[0]!)
  })

  test('and recover lose no payment, and mark none as gone', async () => {
    const { anvil, tether, pay } = scene
    let now = Date.now()
    const { network, down, asked } = several([grid, withoutRpc], new Set(), () => now)
    const attempt = await openAttempt(network, tether)
    const known = new Map<string, number>()
    for (let round = 1; round <= 6; round++) {
      if (round % 2 === 0) down.add(GRID)
      else down.delete(GRID)
      await pay.token(tether, attempt.address, BigInt(round))
      await anvil.mine(round % 3 === 0 ? SOLID_LAG + 1 : 1)
      now += 120_000
      asked.length = 0
      const [watched] = await scanWatches(network, attempt)
      if (round % 2 === 0) expect(asked.some(path => path.endsWith('/trc20'))).toBe(true)
      const reported = new Map(watched!.detectedPayments.map(({ txId, height }) => [txId, height!]))
      const gone = [...known].filter(
        ([txId, height]) => height >= watched!.completeFrom && !reported.has(txId),
      )
      expect(gone).toEqual([])
      for (const [txId, height] of reported) known.set(txId, height)
      expect(known.size).toBe(round)
    }
  })

  test('for TRX do not stop the scan of tokens', async () => {
    const { anvil, coin, tether, pay } = scene
    const { network, down } = several([grid, rpc])
    const token = await openAttempt(network, tether)
    const trx = await openAttempt(network, coin)
    await pay.token(tether, token.address, 5n)
    await pay.coin(trx.address, 6n)
    await anvil.mine()
    down.add(GRID)
    const watched = await network.scan([token, trx])
    expect(watched.map(({ attemptId }) => attemptId)).toEqual([token.attemptId])
    expect(amountsOf(watched)).toEqual([[5n]])
  })

  test('of the index do not stop the scan of tokens', async () => {
    const { anvil, tether, coin, pay, traffic } = scene
    const network = scene.watching()
    const attempt = await openAttempt(network, tether)
    const trx = await openAttempt(network, coin)
    await pay.token(tether, attempt.address, 5n)
    await pay.coin(attempt.address, 6n)
    await anvil.mine()
    traffic.tap = async (url, _body, pass) =>
      url.pathname.startsWith('/v1/') ? new Response('no', { status: 503 }) : pass()
    expect(amountsOf(await scanWatches(network, attempt))).toEqual([[5n]])
    await expect(network.scan([trx])).rejects.toThrow(/status 503/)
  })
})

test('a reported payment of TRX does not count as gone while the index fails', async () => {
  const { anvil, tether, coin, pay, front } = scene
  const network = scene.watching()
  const attempt = await openAttempt(network, tether)
  await pay.coin(attempt.address, 6n)
  await anvil.mine()
  const [first] = await scanWatches(network, attempt)
  expect(first!.detectedPayments.map(({ assetId, amountAtomic }) => [assetId, amountAtomic])).toEqual([
    [coin.id, 6n],
  ])
  front.shape.coinList = false
  await pay.token(tether, attempt.address, 5n)
  await anvil.mine()
  const [blind] = await scanWatches(network, attempt)
  expect(blind!.detectedPayments.map(({ assetId }) => assetId)).toEqual([tether.id])
  expect(blind!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
  front.shape.coinList = true
  const [again] = await scanWatches(network, attempt)
  expect(again!.detectedPayments.map(({ assetId }) => assetId).toSorted()).toEqual([coin.id, tether.id])
})

test('an endpoint that asks for a pause gets no requests until then', async () => {
  const { traffic, tether } = scene
  let now = Date.now()
  const network = scene.watching({ clock: () => now })
  const attempt = await openAttempt(network, tether)
  const limits = [
    () => new Response('', { status: 429, headers: { 'retry-after': '30' } }),
    () => Response.json({ Error: 'request rate exceeded the allowed_rps(3)' }, { status: 403 }),
  ]
  for (const limit of limits) {
    traffic.tap = async () => limit()
    await expect(network.scan([attempt])).rejects.toThrow(/rate limit exceeded/)
    traffic.tap = honest
    traffic.requests = 0
    await expect(network.scan([attempt])).rejects.toThrow(/rate limit exceeded/)
    expect(traffic.requests).toBe(0)
    now += 120_000
    await scanWatches(network, attempt)
  }
})

describe('the number of requests is limited', () => {
  const attemptsOf = (network: ReturnType<Scene['watching']>, asset: Scene['coin'], count: number) =>
    Promise.all(Array.from({ length: count }, () => openAttempt(network, asset)))

  test.each([
    ['tokens of 1 attempt in batches', true, 1, 4],
    ['tokens of 100 attempts in batches', true, 100, 6],
    ['tokens of 1 attempt one by one', false, 1, 9],
    ['tokens of 100 attempts one by one', false, 100, 9],
  ])('for %s', async (_, batches, count, most) => {
    const { anvil, front, tether, pay, traffic } = scene
    const network = scene.watching()
    const attempts = await attemptsOf(network, tether, count)
    front.shape.batches = batches
    await scanWatches(network, ...attempts)
    await anvil.mine(2)
    traffic.requests = 0
    expect(amountsOf(await scanWatches(network, ...attempts)).flat()).toEqual([])
    expect(traffic.requests).toBeLessThanOrEqual(most)
    await pay.token(tether, attempts[0]!.address, 5n)
    await anvil.mine()
    expect(amountsOf(await scanWatches(network, ...attempts)).flat()).toEqual([5n])
  })

  test('for TRX of 100 attempts, and few of them run at a time', async () => {
    const { anvil, coin, pay, traffic } = scene
    const network = scene.watching()
    const attempts = await attemptsOf(network, coin, 100)
    await pay.coin(attempts[7]!.address, 5n)
    await anvil.mine()
    let open = 0
    let most = 0
    traffic.tap = async (_url, _body, pass) => {
      most = Math.max(most, ++open)
      const response = await pass()
      open -= 1
      return response
    }
    traffic.requests = 0
    expect(amountsOf(await scanWatches(network, ...attempts)).flat()).toEqual([5n])
    expect(traffic.requests).toBeLessThanOrEqual(110)
    expect(most).toBeLessThanOrEqual(6)
  })

  test('for an address with very many payments, each of which is read once', async () => {
    const { anvil, coin, pay, traffic } = scene
    let now = Date.now()
    const network = scene.watching({ clock: () => now })
    const attempt = await openAttempt(network, coin)
    const paid = Array.from({ length: 40 }, (_, index) => BigInt(index + 1))
    for (const amount of paid) await pay.coin(attempt.address, amount)
    await anvil.mine(SOLID_LAG + 1)
    const [first] = await scanWatches(network, attempt)
    expect(first!.isPartial).toBe(true)
    expect(first!.completeFrom).toBeGreaterThan(await anvil.head())
    const largest = first!.detectedPayments.map(({ amountAtomic }) => Number(amountAtomic))
    expect(largest.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, index) => 40 - index))
    expect(amountsOf(await scanWatches(network, attempt)).flat()).toHaveLength(40)
    traffic.requests = 0
    const [last] = await scanWatches(network, attempt)
    expect(last!.detectedPayments).toHaveLength(40)
    expect(last!.isPartial).toBe(false)
    expect(traffic.requests).toBeLessThanOrEqual(8)
    // A report by only one endpoint is forgotten after some time.
    now += 3_600_000
    await scanWatches(network, attempt)
    expect(traffic.requests).toBeGreaterThan(40)
  })

  test('for an address that many attempts share', async () => {
    const { anvil, coin, pay, traffic } = scene
    const network = scene.watching()
    const first = await openAttempt(network, coin)
    const others = await Promise.all(
      Array.from({ length: 20 }, () => openAttempt(network, coin, first.address)),
    )
    await pay.coin(first.address, 5n)
    await anvil.mine()
    traffic.requests = 0
    expect(amountsOf(await scanWatches(network, first, ...others)).flat()).toHaveLength(21)
    expect(traffic.requests).toBeLessThanOrEqual(10)
  })
})

describe('a node that is out of date', () => {
  test('has fewer blocks than were seen before, by either interface', async () => {
    const { anvil } = scene
    for (const endpoint of [grid, withoutRpc]) {
      const { network } = several([endpoint])
      const attempt = await openAttempt(network, scene.tether)
      const snapshot = await anvil.rpc('evm_snapshot')
      await anvil.mine(3)
      await scanWatches(network, attempt)
      await anvil.rpc('evm_revert', [snapshot])
      await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
    }
  })

  test('has stopped, which only a private chain may', async () => {
    const late = () => Date.now() + 3_600_000 * 24
    const { network } = several([grid], new Set(), late)
    await scanWatches(network, await openAttempt(network, scene.tether))
    const main = await openScene({
      chainId: 0x2b6653dc,
      genesis: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
    })
    const attempt = await openAttempt(main.watching(), main.tether)
    for (const jsonrpc of [true, false]) {
      main.front.shape.jsonrpc = jsonrpc
      const still = main.watching({ clock: late })
      await expect(still.scan([attempt])).rejects.toThrow(/has not advanced past block/)
      await expect(openAttempt(still, main.tether)).rejects.toThrow(/has not advanced past block/)
    }
    await main.stop()
  })
})

test('an unknown cursor is an error', async () => {
  const { tether, watching } = scene
  const attempt = await openAttempt(watching(), tether)
  for (const cursor of [null, {}, { height: 5 }, { height: '1', hash: 2, at: 3 }]) {
    await expect(watching().scan([{ ...attempt, cursor }])).rejects.toThrow(
      /position on this chain cannot be read/,
    )
  }
})

test('a scan during a reorganisation is repeated', async () => {
  const { anvil, tether, pay, traffic } = scene
  const network = scene.watching()
  const attempt = await openAttempt(network, tether)
  await pay.token(tether, attempt.address, 6n)
  await anvil.mine()
  let reorganisations = 0
  traffic.tap = async (_url, body, pass) => {
    if (body.includes('eth_getLogs') && reorganisations++ === 0) await anvil.reorganise(1)
    return pass()
  }
  expect(await scanPayments(network, attempt)).toEqual([])
  expect(reorganisations).toBeGreaterThan(1)
})

test('a node that reports another head at the end of a scan is an error', async () => {
  const { anvil, tether, traffic } = scene
  const network = scene.watching()
  const attempt = await openAttempt(network, tether)
  const head = `0x${(await anvil.head()).toString(16)}`
  traffic.tap = async (_url, body, pass) => {
    const response = await pass()
    if (/latest|eth_chainId|eth_getLogs/.test(body)) return response
    const replies = [await response.json()].flat() as { result: { number?: string; hash?: string } }[]
    for (const { result } of replies) if (result.number === head) result.hash = `0x${'cd'.repeat(32)}`
    return Response.json(replies)
  }
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
})
