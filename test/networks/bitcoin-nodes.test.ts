import { describe, expect, test } from 'bun:test'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import { type Fetch, NetworkError } from '../../src/networks/port.ts'
import type { FrontCoin } from '../support/bitcoin-front.ts'
import { replacing } from '../support/calls.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { assetOf, CONFIRMATIONS, detectPayments, openAttempt, protocols, scanAttempts, scanSummary } = bitcoin
type Protocol = bitcoin.Protocol
const scene = bitcoin.useScene()

/** Replaces the responses to some calls of a node, or to some paths of a server. */
function answering(override: (asked: string, params: unknown[]) => unknown) {
  scene.traffic.tap = async (url, body, pass) => {
    const answer = await pass()
    if (body === '') {
      const reply = override(new URL(url).pathname, [])
      if (reply === undefined) return answer
      return typeof reply === 'string' ? new Response(reply) : Response.json(reply)
    }
    return replacing(body, answer, ({ method, params }) => {
      const result = override(method, params)
      return result === undefined ? null : { result }
    })
  }
}

/** A network that reaches the endpoint of the test under the names of other hosts. */
function remote(protocol: Protocol, coin: FrontCoin = 'ltc', hosts = ['a.example']) {
  const { endpoints, fetch: tapped } = scene
  const { protocol: name, url } = endpoints[protocol]
  const { username, password, host } = new URL(url)
  const redirected: Fetch = (asked, init) =>
    tapped(asked.replace(/^https:[/][/][^/]+/, `http://${host}`), init)
  return bitcoinNetwork({
    chain: coin,
    assets: [assetOf(coin)],
    endpoints: hosts.map(remoteHost => ({
      protocol: name,
      url: username ? `https://${username}:${password}@${remoteHost}` : `https://${remoteHost}`,
    })),
    fetch: redirected,
    clock: Date.now,
  })
}

const geneses = {
  btc: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  ltc: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  doge: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
  testnet: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
}

/** Replaces the block hashes at some heights. */
const withHashes = (hashes: Record<number, string>) => (asked: string, params: unknown[]) => {
  const height = asked === 'getblockhash' ? params[0] : /(?:height|index)[/]([0-9]+)$/.exec(asked)?.[1]
  const hash = hashes[Number(height)]
  if (height === undefined || hash === undefined) return undefined
  return asked.includes('/api/') ? { blockHash: hash } : hash
}

const withBlockHashes = protocols.filter(protocol => protocol !== 'blockbook, bare')

describe.each(withBlockHashes)('over %s', protocol => {
  test('a private chain on another machine is refused', async () => {
    const network = remote(protocol)
    expect(await network.unavailableReason(assetOf('ltc'))).toMatch(/serves a private chain/)
    await expect(openAttempt(network)).rejects.toThrow(NetworkError)
  })

  test.each([geneses.doge, geneses.btc, geneses.testnet])(
    'another public chain (%s) is refused on this machine and on another',
    async genesis => {
      for (const network of [scene.networkOf(protocol), remote(protocol)]) {
        answering(withHashes({ 0: genesis }))
        expect(await network.unavailableReason(assetOf('ltc'))).toMatch(/serves another public chain/)
        await expect(openAttempt(network)).rejects.toThrow(NetworkError)
      }
    },
  )

  test('the main chain is accepted from any machine', async () => {
    const network = remote(protocol)
    answering(withHashes({ 0: geneses.ltc }))
    expect(await network.unavailableReason(assetOf('ltc'))).toBeNull()
    expect(await openAttempt(network)).toMatchObject({ requiredEndpoints: 1 })
  })

  test.each([
    ['btc', 840_000],
    ['bitcoincash', 661_648],
  ] as const)('a fork of %s is recognised by block %d', async (coin, height) => {
    const status = { blockbook: { coin, bestHeight: 5, inSync: true } }
    const serving = (hashes: Record<number, string>) =>
      answering((asked, params) => (asked === '/api/v2' ? status : withHashes(hashes)(asked, params)))
    serving({ 0: geneses.btc, [height]: 'ab'.repeat(32) })
    expect(await remote(protocol, coin).unavailableReason(assetOf(coin))).toMatch(/serves a fork/)
    serving({ 0: geneses.btc })
    const syncing = remote(protocol, coin)
    expect(await syncing.unavailableReason(assetOf(coin))).toMatch(/has not reached block/)
  })
})

describe('a server that reports its coin but no block hashes', () => {
  const naming = (name: string, chain?: string) => (asked: string) =>
    asked === '/api/v2'
      ? { blockbook: { coin: name, bestHeight: 5, inSync: true }, backend: chain ? { chain } : {} }
      : undefined

  test.each([
    ['Dogecoin', undefined],
    ['Litecoin Testnet', undefined],
    ['Litecoin', 'test'],
    ['', undefined],
  ])('is refused on another machine as %p, %p', async (name, chain) => {
    answering(naming(name, chain))
    expect(await remote('blockbook, bare').unavailableReason(assetOf('ltc'))).toMatch(
      /is not the main chain of ltc/,
    )
  })

  test('is refused on this machine if it is another coin', async () => {
    answering(naming('Dogecoin'))
    expect(await scene.networkOf('blockbook, bare').unavailableReason(assetOf('ltc'))).toMatch(/serves doge/)
  })

  test('is accepted if it names the coin', async () => {
    answering(naming('Litecoin', 'main'))
    expect(await remote('blockbook, bare').unavailableReason(assetOf('ltc'))).toBeNull()
  })
})

describe('a node of the main chain', () => {
  const longAgo = Math.floor(Date.now() / 1000) - 3 * 3600

  test('is refused when it has not advanced for hours', async () => {
    const { head, rpc } = scene.node
    const chain = await rpc<object>('getblockchaininfo')
    const isMain = withHashes({ 0: geneses.ltc })
    answering((asked, params) =>
      asked === 'getblockchaininfo' ? { ...chain, mediantime: longAgo } : isMain(asked, params),
    )
    expect(await remote('core').unavailableReason(assetOf('ltc'))).toMatch(/has not advanced past block/)
    answering((asked, params) =>
      /^[/]block[/]/.test(asked) ? { timestamp: longAgo } : isMain(asked, params),
    )
    expect(await remote('esplora').unavailableReason(assetOf('ltc'))).toMatch(/has not advanced past block/)
    const bestHeight = await head()
    const lastBlockTime = new Date(longAgo * 1000).toISOString()
    const status = { blockbook: { coin: 'Litecoin', bestHeight, inSync: true, lastBlockTime } }
    answering((asked, params) => (asked === '/api/v2' ? status : isMain(asked, params)))
    expect(await remote('blockbook').unavailableReason(assetOf('ltc'))).toMatch(/has not advanced past block/)
  })

  test('is refused while it is syncing', async () => {
    const { head, rpc } = scene.node
    const chain = await rpc<object>('getblockchaininfo')
    const isMain = withHashes({ 0: geneses.ltc })
    for (const syncing of [{ initialblockdownload: true }, { initial_block_download_complete: false }]) {
      const state = { ...chain, initialblockdownload: false, chain: 'main', ...syncing }
      answering((asked, params) => (asked === 'getblockchaininfo' ? state : isMain(asked, params)))
      expect(await remote('core').unavailableReason(assetOf('ltc'))).toMatch(/is still syncing/)
    }
    const bestHeight = await head()
    const status = {
      blockbook: { coin: 'Litecoin', bestHeight, inSync: false },
      backend: { blocks: bestHeight + 500 },
    }
    answering((asked, params) => (asked === '/api/v2' ? status : isMain(asked, params)))
    expect(await remote('blockbook').unavailableReason(assetOf('ltc'))).toMatch(/is not in sync/)
  })
})

describe.each(protocols)('over %s', protocol => {
  test.each([
    ['a page', () => new Response('<html>welcome</html>')],
    ['nothing', () => new Response('')],
    ['an object', () => Response.json({})],
    ['a list', () => Response.json([])],
    ['a status', () => new Response('no', { status: 500 })],
    ['a rejection', () => new Response('no', { status: 403 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://localhost' } })],
    ['silence', () => Promise.reject(new TypeError('refused'))],
  ])('an endpoint that responds with %s is a network error', async (_, answer) => {
    const { networkOf, traffic } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    traffic.tap = async () => answer()
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
    await expect(openAttempt(network)).rejects.toThrow(NetworkError)
    const reason = await networkOf(protocol).unavailableReason(assetOf('ltc'))
    expect(reason).toContain('no usable endpoint for ltc')
    expect(reason).not.toMatch(/secretword/)
  })

  test('an invalid response to any request is a network error', async () => {
    const { node, networkOf } = scene
    const requests: Record<string, (RegExp | string)[]> = {
      core: ['getblockchaininfo', 'getblockhash', 'getblock', 'getrawmempool', 'getrawtransaction'],
      esplora: [/tip[/]height/, /block-height/, /address/],
      blockbook: [/v2$/, /address/],
    }
    const attempt = await openAttempt(networkOf(protocol))
    await node.pay({ script: attempt.script, amount: 80_000n })
    await node.mine()
    await node.pay({ script: attempt.script, amount: 80_000n })
    for (const request of requests[protocol.split(',')[0]!]!) {
      for (const invalid of [null, 7, 'tomorrow', {}, [{}], [null], { vin: [], vout: [{}] }]) {
        answering(asked =>
          (typeof request === 'string' ? asked === request : request.test(asked)) ? invalid : undefined,
        )
        await expect(networkOf(protocol).scan([attempt])).rejects.toThrow(NetworkError)
      }
    }
  })

  test('an invalid cursor is a network error', async () => {
    const network = scene.networkOf(protocol)
    const attempt = await openAttempt(network)
    for (const cursor of [null, {}, { ...(attempt.cursor as object), block: { height: 1, hash: 5 } }]) {
      await expect(network.scan([{ ...attempt, cursor }])).rejects.toThrow(/saved position/)
    }
  })

  test('an endpoint with fewer blocks than were seen before is a network error', async () => {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf(protocol))
    await node.mine(3)
    await scanAttempts(networkOf(protocol), attempt)
    await node.takeBack(2)
    await expect(networkOf(protocol).scan([attempt])).rejects.toThrow(/is behind/)
    await node.mine(3)
    expect(await detectPayments(networkOf(protocol), attempt)).toEqual([])
  })

  test('the next endpoint takes over from one that is down; a network error when all are down', async () => {
    const { node, networkOf, traffic, endpoints } = scene
    const others = protocols.filter(
      other => new URL(endpoints[other].url).port !== new URL(endpoints[protocol].url).port,
    )
    const attempt = await openAttempt(networkOf(protocol))
    await node.pay({ script: attempt.script, amount: 81_000n })
    await node.mine(CONFIRMATIONS)
    const { port } = new URL(endpoints[protocol].url)
    traffic.tap = (url, _body, pass) =>
      new URL(url).port === port ? Promise.reject(new TypeError('refused')) : pass()
    const network = networkOf(protocol, others[0]!)
    expect(await scanSummary(network, attempt)).toEqual([[81_000n, CONFIRMATIONS, true]])
    expect(await network.unavailableReason(assetOf('ltc'))).toBeNull()
    traffic.tap = () => Promise.reject(new TypeError('refused'))
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  })
})

test('an asset of another chain and an address of another coin are network errors', async () => {
  const network = scene.networkOf('core')
  const attempt = await openAttempt(network)
  expect(await network.unavailableReason(assetOf('doge'))).toBe('doge is not an asset of ltc')
  await expect(network.scan([{ ...attempt, asset: assetOf('doge') }])).rejects.toThrow(NetworkError)
  const address = 'DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE'
  await expect(network.scan([{ ...attempt, address }])).rejects.toThrow(/is not an address of ltc/)
})

test('a payment is not gone because one scan of a node read older blocks than its own', async () => {
  const network = scene.networkOf('core')
  const older = await openAttempt(network)
  await scene.node.mine(220)
  const attempt = await openAttempt(network)
  await scene.node.pay({ script: attempt.script, amount: 56_000n })
  await scene.node.mine(30)
  const height = (await scene.node.rpc<number>('getblockcount')) - 29
  const [, first] = await scanAttempts(network, older, attempt)
  expect(first).toMatchObject({ detectedPayments: [], isPartial: true })
  expect(first!.completeTo).toBeLessThan(height)
  expect(await detectPayments(network, attempt)).toMatchObject([{ amountAtomic: 56_000n, height }])
})
