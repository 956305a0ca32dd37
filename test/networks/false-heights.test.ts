import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { assets } from '../../src/networks/assets.ts'
import { evmNetwork } from '../../src/networks/evm/network.ts'
import { type Network, NetworkError } from '../../src/networks/port.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { callsIn, replacing } from '../support/calls.ts'
import { type Answer, changingCalls, honest, type ProxyServer, startProxy } from '../support/proxy.ts'
import { openAccount, openAttempt, scanPayments, scanWatches } from './evm-scene.ts'

const CHAIN_ID = 137
const FAR = 1_000_000
const ETHER = 10n ** 18n

let anvil: Anvil
let first: ProxyServer
let now = Date.now()
let next = 0
beforeAll(async () => {
  anvil = await startAnvil({ chainId: CHAIN_ID })
  await anvil.mine(200)
  first = startProxy(anvil.url)
})
afterEach(() => {
  first.answer = honest
})
afterAll(async () => {
  first.stop()
  await anvil.stop()
})

const coin: Asset = { ...assets.find(({ id }) => id === 'polygon/pol')!, finality: false, confirmations: 3 }

/** A public chain with a block every two seconds. */
const networkOf = (...urls: string[]) =>
  evmNetwork({ chain: 'polygon', assets: [coin], endpoints: urls, fetch, clock: () => now })

interface Head {
  number: string
  timestamp: string
}

/** Mines blocks two seconds apart, and sets the clock to the time of the last one. */
async function pass(blocks: number): Promise<void> {
  await anvil.rpc('anvil_mine', [hex(blocks), hex(2)])
  const head = (await anvil.rpc('eth_getBlockByNumber', ['latest', false])) as Head
  now = Number(head.timestamp) * 1000
}

const hex = (count: number): string => `0x${count.toString(16)}`

/** An account with earlier money. */
async function account(): Promise<string> {
  next += 1
  const address = `0x${next.toString(16).padStart(40, 'c')}`
  await anvil.run({ to: address, value: ETHER })
  return address
}

/** Makes the endpoint appear a million blocks ahead. */
const farAhead: Answer = changingCalls({
  params: ({ method, params }) =>
    /^eth_get(BlockByNumber|Balance|TransactionCount)$/.test(method)
      ? params.map(param => (Number(param) > FAR && `${param}`.length < 12 ? nearer(`${param}`) : param))
      : undefined,
  result({ method }, result) {
    if (method !== 'eth_getBlockByNumber' || result === null) return undefined
    const block = result as { number: string }
    return { ...block, number: `0x${(Number(block.number) + FAR).toString(16)}` }
  },
})
const nearer = (height: string): string => `0x${(Number(height) - FAR).toString(16)}`

describe('an account that is opened while an endpoint reports a false far height', () => {
  test('begins at the height of the second endpoint, and its payment is found', async () => {
    const network = networkOf(first.url, anvil.url)
    first.answer = farAhead
    const attempt = await openAccount(network, coin, await account())
    first.answer = honest
    await anvil.run({ to: attempt.address, value: 9n })
    await anvil.mine(3)
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 9n, final: true }])
  })

  test('is found by its only endpoint, whose height was not known before', async () => {
    const address = await account()
    await pass(100)
    first.answer = farAhead
    const network = networkOf(first.url)
    const attempt = await openAccount(network, coin, address)
    first.answer = honest
    await anvil.run({ to: address, value: 8n })
    await anvil.mine(3)
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 8n, final: true }])
  })

  test('is refused if it has only one endpoint, whose height was known a moment before', async () => {
    const network = networkOf(first.url)
    const before = await openAccount(network, coin, await account())
    await scanWatches(network, before)
    first.answer = farAhead
    const address = await account()
    await expect(openAccount(network, coin, address)).rejects.toThrow(NetworkError)
    first.answer = honest
    const attempt = await openAccount(network, coin, address)
    await anvil.run({ to: address, value: 7n })
    await anvil.mine(3)
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 7n, final: true }])
  })
})

/** Makes the endpoint appear to stand at an old block, which it reports as a new one. */
const farBehind = (height: number): Answer =>
  changingCalls({
    params: ({ method, params: [block, ...others] }) =>
      method === 'eth_getBlockByNumber' && /latest|finalized/.test(`${block}`)
        ? [hex(height), ...others]
        : undefined,
    result: ({ method }, result) =>
      method === 'eth_getBlockByNumber' && result !== null && Number((result as Head).number) === height
        ? { ...(result as Head), timestamp: hex(Math.floor(now / 1000)) }
        : undefined,
  })
test('an account that is opened while its only endpoint is far behind is found, without its earlier money', async () => {
  const old = await anvil.head()
  await pass(1100)
  const address = await account()
  await pass(100)
  const network = networkOf(first.url)
  first.answer = farBehind(old)
  const attempt = await openAccount(network, coin, address)
  expect((attempt.cursor as { height: number }).height).toBe(old)
  first.answer = honest
  await anvil.run({ to: address, value: 6n })
  await anvil.mine(3)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 6n, final: true }])
})

describe.each([
  ['a forwarder', (network: Network, _: string) => openAttempt(network, coin)],
  ['an account', (network: Network, address: string) => openAccount(network, coin, address)],
])('%s', (_, open) => {
  test.each([
    ['set back since', 0, -180_000],
    ['ahead then', 540_000, 0],
    ['behind then', -1_700_000, 0],
  ])('that began at a false height is found although the clock was %s', async (_, then, later) => {
    const address = await account()
    await pass(30)
    const [truth, network] = [now, networkOf(first.url)]
    now = truth + then
    first.answer = farAhead
    const attempt = await open(network, address)
    first.answer = honest
    await anvil.run({ to: attempt.address, value: 5n })
    await pass(20)
    now += later
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
  })
})

/** Makes the endpoint appear some blocks ahead. These blocks have later times, and those up to `head` are true. */
const inventing =
  (head: number, blocks: number, ms: number): Answer =>
  async (_path, body, pass) => {
    const isInvented = (block: unknown): boolean => `${block}`.length < 12 && Number(block) > head
    const calls = callsIn(body).map(({ params, ...call }) => {
      return { ...call, params: params.map(one => (isInvented(one) ? hex(Number(one) - blocks) : one)) }
    })
    const answer = await pass(JSON.stringify(body.startsWith('[') ? calls : calls[0]))
    return replacing(body, answer, ({ method, params: [block] }, { result }) => {
      if (method !== 'eth_getBlockByNumber' || !(block === 'latest' || isInvented(block))) return null
      const { number, timestamp } = result as Head
      const times = { number: hex(Number(number) + blocks), timestamp: hex(Number(timestamp) + ms / 1000) }
      return {
        result: { ...(result as Head), ...times, hash: `0x${times.number.slice(2).padStart(64, 'e')}` },
      }
    })
  }

test.each([
  [15, 0],
  [15, 25],
  [500, 0],
  [500, 25],
])(
  'payments to accounts are found by another endpoint than one that invented %i blocks, %i minutes ahead, at the opening',
  async (blocks, minutes) => {
    const usd: Asset = { ...coin, id: 'polygon/usdc', decimals: 6, contract: await anvil.deploy('TestUSD') }
    const networkOfBoth = (...urls: string[]) =>
      evmNetwork({ chain: 'polygon', assets: [coin, usd], endpoints: urls, fetch, clock: () => now })
    const address = await account()
    await anvil.sendToken(usd.contract!, address, 3n)
    await pass(100)
    const head = await anvil.head()
    first.answer = inventing(head, blocks, minutes * 60_000)
    const network = networkOfBoth(first.url, anvil.url)
    const attempts = [await openAccount(network, coin, address), await openAccount(network, usd, address)]
    const starts = attempts.map(({ cursor }) => (cursor as { height: number }).height)
    expect(starts).toEqual(minutes === 0 ? [head + blocks, head + blocks] : [head, head])
    first.answer = honest
    await anvil.sendToken(usd.contract!, address, 4n)
    await anvil.run({ to: address, value: 5n })
    // A height that was seen is forgotten after a quarter of an hour.
    await pass(480)
    const [found] = await scanWatches(networkOfBoth(anvil.url), ...attempts)
    expect(found!.detectedPayments.map(({ amountAtomic }) => amountAtomic).sort()).toEqual([4n, 5n])
  },
)
