import { describe, expect, test } from 'bun:test'
import { type EndpointUrl, NetworkError } from '../../src/networks/port.ts'
import { freshAddress, honest, openAttempt, useScene } from './tron-scene.ts'

const scene = useScene()

const MAINNET = 0x2b6653dc
const NILE = 0xcd8690dc
const MAINNET_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
const NILE_GENESIS = '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc'
const PRIVATE_GENESIS = `${'0'.repeat(16)}${'ab'.repeat(24)}`
const REMOTE = 'https://tron.example'

/** An endpoint of the real front that reports another chain id. */
const named = (endpoint: EndpointUrl, chainId?: number, onRequest?: (init: RequestInit) => void) =>
  scene.watching({
    endpoints: [endpoint],
    async fetch(url, init = {}) {
      onRequest?.(init)
      return chainId !== undefined && String(init.body).includes('eth_chainId')
        ? Response.json({ jsonrpc: '2.0', id: 1, result: `0x${chainId.toString(16)}` })
        : scene.behind(honest)(url, init)
    },
  })

const opening = (endpoint: EndpointUrl, chainId?: number) =>
  openAttempt(named(endpoint, chainId), scene.tether)

describe.each(['trongrid', 'jsonrpc'])('the chain of an endpoint by %s', protocol => {
  test.each([
    [
      'of a private chain on another machine',
      REMOTE,
      31337,
      /tron.example serves chain 31337, which is not TRON/,
    ],
    ["of TRON's test chain on another machine", REMOTE, NILE, /Nile, which is not TRON/],
    ["of TRON's test chain on this machine", 'http://127.0.0.1:1', NILE, /Nile, which is not TRON/],
    ['of Ethereum on another machine', REMOTE, 1, /serves Ethereum, which is not TRON/],
    ['of Ethereum on this machine', 'http://localhost:1', 1, /serves Ethereum, which is not TRON/],
    ['that reports no number', REMOTE, Number.NaN, /expected a quantity/],
  ])('an endpoint %s is refused', async (_, url, chainId, expected) => {
    await expect(opening({ protocol, url }, chainId)).rejects.toThrow(expected)
    expect(await named({ protocol, url }, chainId).unavailableReason(scene.tether)).toMatch(expected)
  })

  test.each([
    ['of TRON on another machine', REMOTE, MAINNET],
    ['of TRON on this machine', 'http://[::1]:1', MAINNET],
    ['of a private chain on this machine', 'http://127.0.0.1:1', 31337],
  ])('an endpoint %s is accepted', async (_, url, chainId) => {
    expect(await opening({ protocol, url }, chainId)).toMatchObject({ requiredEndpoints: 1 })
  })
})

describe('the chain of an endpoint without JSON-RPC', () => {
  const protocol = 'trongrid'

  test.each([
    ['a private chain on another machine', REMOTE, PRIVATE_GENESIS, /is not TRON/],
    ['a test chain on this machine', 'http://127.0.0.1:1', NILE_GENESIS, /Nile, which is not TRON/],
    [
      'a chain whose first block only ends like that of TRON',
      'http://127.0.0.1:1',
      `${'1'.repeat(56)}2b6653dc`,
      /another first block/,
    ],
    ['an unreported chain on another machine', REMOTE, null, /does not report which chain it serves/],
  ])('%s is refused', async (_, url, genesis, expected) => {
    Object.assign(scene.front.shape, { jsonrpc: false, genesis })
    await expect(opening({ protocol, url })).rejects.toThrow(expected)
  })

  test.each([
    ['TRON on another machine', REMOTE, MAINNET_GENESIS],
    ['a private chain on this machine', 'http://127.0.0.1:1', PRIVATE_GENESIS],
    ['an unreported chain on this machine', 'http://127.0.0.1:1', null],
  ])('%s is accepted', async (_, url, genesis) => {
    Object.assign(scene.front.shape, { jsonrpc: false, genesis })
    expect(await opening({ protocol, url })).toMatchObject({ requiredEndpoints: 1 })
  })
})

test('a server without JSON-RPC is an error', async () => {
  scene.front.shape.jsonrpc = false
  await expect(opening({ protocol: 'jsonrpc', url: REMOTE }, undefined)).rejects.toThrow(
    /does not serve JSON-RPC/,
  )
})

test.each(['', '/', '/jsonrpc', '/jsonrpc/'])('JSON-RPC is found at a URL that ends in "%s"', async end => {
  const endpoint = { protocol: 'jsonrpc', url: `${REMOTE}${end}` }
  expect(await opening(endpoint, MAINNET)).toMatchObject({ requiredEndpoints: 1 })
})

test('JSON-RPC is found at a URL that serves it by another path', async () => {
  const { tether, anvil } = scene
  const network = scene.watching({
    endpoints: [{ protocol: 'jsonrpc', url: 'http://127.0.0.1:1/key' }],
    fetch: (url, init) =>
      new URL(url).pathname === '/key'
        ? fetch(anvil.url, init)
        : Promise.resolve(new Response('', { status: 404 })),
  })
  expect(await openAttempt(network, tether)).toMatchObject({ requiredEndpoints: 1 })
})

test("a key is sent in TronGrid's header, a login in the standard one, and errors contain neither", async () => {
  const sent: Headers[] = []
  const seen = (init: RequestInit) => sent.push(new Headers(init.headers))
  const key = { protocol: 'trongrid', url: 'https://0b5ec3e7-key@tron.example' }
  await openAttempt(named(key, MAINNET, seen), scene.tether)
  expect(new Set(sent.map(headers => headers.get('tron-pro-api-key')))).toEqual(new Set(['0b5ec3e7-key']))
  expect(sent.every(headers => headers.get('authorization') === null)).toBe(true)
  sent.length = 0
  const login = { protocol: 'jsonrpc', url: 'https://floris:fl0r1n@tron.example' }
  await openAttempt(named(login, MAINNET, seen), scene.tether)
  expect(sent.every(headers => headers.get('tron-pro-api-key') === null)).toBe(true)
  expect(sent.every(headers => headers.get('authorization') === `Basic ${btoa('floris:fl0r1n')}`)).toBe(true)
  const message = await opening(key, 5).catch((error: Error) => error.message)
  expect(message).toMatch(/tron.example serves chain 5/)
  expect(message).not.toMatch(/0b5ec3e7/)
})

describe('offered assets', () => {
  const local = (protocol: string) => named({ protocol, url: 'http://127.0.0.1:1' })

  test('are not TRX by JSON-RPC alone, TRX by an index that lacks it, or an asset of another chain', async () => {
    const { coin, tether, front } = scene
    expect(await local('jsonrpc').unavailableReason(coin)).toMatch(
      /TRX payments cannot be found by JSON-RPC; add a trongrid endpoint/,
    )
    front.shape.coinList = false
    expect(await local('trongrid').unavailableReason(coin)).toMatch(
      /does not list payments of TRX. Set FLORIN_TRON_URL to TronGrid/,
    )
    expect(await local('trongrid').unavailableReason(tether)).toBeNull()
    const other = scene.watching({ assets: [coin, tether] })
    expect(await other.unavailableReason(scene.usd)).toMatch(/trc20\/usdc is not an asset of trc20/)
  })

  test('are not tokens with a wrong row in the table', async () => {
    const { tether, watching } = scene
    const nowhere = { ...tether, contract: freshAddress() }
    expect(await watching({ assets: [nowhere] }).unavailableReason(nowhere)).toMatch(
      /There is no contract at T\w+ on TRON/,
    )
    const finer = { ...tether, decimals: 18 }
    expect(await watching({ assets: [finer] }).unavailableReason(finer)).toMatch(
      /has 6 decimals; the table says 18/,
    )
  })

  test('are TRX and tokens by TronGrid, and tokens by JSON-RPC', async () => {
    const { coin, tether } = scene
    expect(await local('trongrid').unavailableReason(coin)).toBeNull()
    expect(await local('trongrid').unavailableReason(tether)).toBeNull()
    expect(await local('jsonrpc').unavailableReason(tether)).toBeNull()
    scene.front.shape.jsonrpc = false
    expect(await local('trongrid').unavailableReason(tether)).toBeNull()
  })

  test('a network without endpoints is an error', async () => {
    const network = scene.watching({ endpoints: [] })
    expect(await network.unavailableReason(scene.tether)).toMatch(/no endpoint is configured/)
    await expect(openAttempt(network, scene.tether)).rejects.toThrow(NetworkError)
  })
})
