import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { assets } from '../../src/networks/assets.ts'
import { evmNetwork } from '../../src/networks/evm/network.ts'
import { type Network, NetworkError } from '../../src/networks/port.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
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
