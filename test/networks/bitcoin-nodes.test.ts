import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import { type Fetch, NetworkError } from '../../src/networks/port.ts'
import type { FrontCoin } from '../support/bitcoin-front.ts'
import {
  assetOf,
  CONFIRMATIONS,
  lookAt,
  openAttempt,
  openScene,
  type Protocol,
  protocols,
  type Scene,
  toDetectedPayments,
  told,
} from './bitcoin-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(() => {
  scene.traffic.tap = (_url, _body, pass) => pass()
})
afterAll(() => scene.stop())

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** A node that answers some calls, or a server that answers some paths, in its own way. */
function answering(own: (asked: string, params: unknown[]) => unknown) {
  scene.traffic.tap = async (url, body, pass) => {
    const answer = await pass()
    if (body === '') {
      const told = own(new URL(url).pathname, [])
      if (told === undefined) return answer
      return typeof told === 'string' ? new Response(told) : Response.json(told)
    }
    const sent = JSON.parse(body) as Call | Call[]
    const replies = [await answer.json()].flat() as object[]
    const changed = [sent].flat().map(({ id, method, params }, index) => {
      const told = own(method, params)
      return told === undefined ? replies[index] : { id, result: told, error: null }
    })
    return Response.json(Array.isArray(sent) ? changed : changed[0])
  }
}

/** The real endpoint under a name of its own, as it were elsewhere. */
function elsewhere(protocol: Protocol, coin: FrontCoin = 'ltc', hosts = ['a.example']) {
  const { endpoints, fetch: tapped } = scene
  const { protocol: spoken, url } = endpoints[protocol]
  const { username, password, host } = new URL(url)
  const far: Fetch = (asked, init) => tapped(asked.replace(/^https:[/][/][^/]+/, `http://${host}`), init)
  return bitcoinNetwork({
    chain: coin,
    assets: [assetOf(coin)],
    endpoints: hosts.map(name => ({
      protocol: spoken,
      url: username ? `https://${username}:${password}@${name}` : `https://${name}`,
    })),
    fetch: far,
    clock: Date.now,
  })
}

const geneses = {
  btc: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  ltc: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  doge: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
  testnet: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
}

/** Other hashes at some heights. */
const withHashes = (hashes: Record<number, string>) => (asked: string, params: unknown[]) => {
  const height = asked === 'getblockhash' ? params[0] : /(?:height|index)[/]([0-9]+)$/.exec(asked)?.[1]
  const hash = hashes[Number(height)]
  if (height === undefined || hash === undefined) return undefined
  return asked.includes('/api/') ? { blockHash: hash } : hash
}

const tellingHashes = protocols.filter(protocol => protocol !== 'blockbook, bare')

describe.each(tellingHashes)('over %s', protocol => {
  test('a private chain is not believed from elsewhere', async () => {
    const network = elsewhere(protocol)
    expect(await network.unavailableReason(assetOf('ltc'))).toMatch(/serves a private chain/)
    await expect(openAttempt(network)).rejects.toThrow(NetworkError)
  })

  test.each([geneses.doge, geneses.btc, geneses.testnet])(
    'another public chain (%s) is not believed here nor there',
    async genesis => {
      for (const network of [scene.watcher(protocol), elsewhere(protocol)]) {
        answering(withHashes({ 0: genesis }))
        expect(await network.unavailableReason(assetOf('ltc'))).toMatch(/serves another public chain/)
        await expect(openAttempt(network)).rejects.toThrow(NetworkError)
      }
    },
  )

  test('the main chain is believed from anywhere, and held to what a main chain does', async () => {
    const network = elsewhere(protocol)
    answering(withHashes({ 0: geneses.ltc }))
    expect(await network.unavailableReason(assetOf('ltc'))).toBeNull()
    expect(await openAttempt(network)).toMatchObject({ requiredEndpoints: 1 })
  })

  test.each([
    ['btc', 840_000],
    ['bitcoincash', 661_648],
  ] as const)('a fork of %s is told apart by block %d', async (coin, height) => {
    const status = { blockbook: { coin, bestHeight: 5, inSync: true } }
    const telling = (hashes: Record<number, string>) =>
      answering((asked, params) => (asked === '/api/v2' ? status : withHashes(hashes)(asked, params)))
    telling({ 0: geneses.btc, [height]: 'ab'.repeat(32) })
    expect(await elsewhere(protocol, coin).unavailableReason(assetOf(coin))).toMatch(/serves a fork/)
    telling({ 0: geneses.btc })
    const young = elsewhere(protocol, coin)
    expect(await young.unavailableReason(assetOf(coin))).toMatch(/has not reached block/)
  })
})

describe('a server that tells a coin and no hashes', () => {
  const naming = (name: string, chain?: string) => (asked: string) =>
    asked === '/api/v2'
      ? { blockbook: { coin: name, bestHeight: 5, inSync: true }, backend: chain ? { chain } : {} }
      : undefined

  test.each([
    ['Dogecoin', undefined],
    ['Litecoin Testnet', undefined],
    ['Litecoin', 'test'],
    ['', undefined],
  ])('is not believed from elsewhere as %p, %p', async (name, chain) => {
    answering(naming(name, chain))
    expect(await elsewhere('blockbook, bare').unavailableReason(assetOf('ltc'))).toMatch(
      /is not the main chain of ltc/,
    )
  })

  test('is not believed on this machine as another coin', async () => {
    answering(naming('Dogecoin'))
    expect(await scene.watcher('blockbook, bare').unavailableReason(assetOf('ltc'))).toMatch(/serves doge/)
  })

  test('is believed by the name of the coin', async () => {
    answering(naming('Litecoin', 'main'))
    expect(await elsewhere('blockbook, bare').unavailableReason(assetOf('ltc'))).toBeNull()
  })
})

describe('a main chain', () => {
  const longAgo = Math.floor(Date.now() / 1000) - 3 * 3600

  test('that stands still for hours is a fault', async () => {
    const { head, rpc } = scene.node
    const chain = await rpc<object>('getblockchaininfo')
    const isMain = withHashes({ 0: geneses.ltc })
    answering((asked, params) =>
      asked === 'getblockchaininfo' ? { ...chain, mediantime: longAgo } : isMain(asked, params),
    )
    expect(await elsewhere('core').unavailableReason(assetOf('ltc'))).toMatch(/stands still at block/)
    answering((asked, params) =>
      /^[/]block[/]/.test(asked) ? { timestamp: longAgo } : isMain(asked, params),
    )
    expect(await elsewhere('esplora').unavailableReason(assetOf('ltc'))).toMatch(/stands still at block/)
    const bestHeight = await head()
    const lastBlockTime = new Date(longAgo * 1000).toISOString()
    const status = { blockbook: { coin: 'Litecoin', bestHeight, inSync: true, lastBlockTime } }
    answering((asked, params) => (asked === '/api/v2' ? status : isMain(asked, params)))
    expect(await elsewhere('blockbook').unavailableReason(assetOf('ltc'))).toMatch(/stands still at block/)
  })

  test('that is still loaded is a fault', async () => {
    const { head, rpc } = scene.node
    const chain = await rpc<object>('getblockchaininfo')
    const isMain = withHashes({ 0: geneses.ltc })
    for (const loading of [{ initialblockdownload: true }, { initial_block_download_complete: false }]) {
      const state = { ...chain, initialblockdownload: false, chain: 'main', ...loading }
      answering((asked, params) => (asked === 'getblockchaininfo' ? state : isMain(asked, params)))
      expect(await elsewhere('core').unavailableReason(assetOf('ltc'))).toMatch(/still loads the chain/)
    }
    const bestHeight = await head()
    const status = {
      blockbook: { coin: 'Litecoin', bestHeight, inSync: false },
      backend: { blocks: bestHeight + 500 },
    }
    answering((asked, params) => (asked === '/api/v2' ? status : isMain(asked, params)))
    expect(await elsewhere('blockbook').unavailableReason(assetOf('ltc'))).toMatch(/is not in sync/)
  })
})

describe.each(protocols)('over %s', protocol => {
  test.each([
    ['a page', () => new Response('<html>welcome</html>')],
    ['nothing', () => new Response('')],
    ['an object', () => Response.json({})],
    ['a list', () => Response.json([])],
    ['a status', () => new Response('no', { status: 500 })],
    ['a refusal', () => new Response('no', { status: 403 })],
    ['a redirection', () => new Response(null, { status: 302, headers: { location: 'http://localhost' } })],
    ['silence', () => Promise.reject(new TypeError('refused'))],
  ])('an endpoint that answers with %s is a fault', async (_, answer) => {
    const { watcher, traffic } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    traffic.tap = async () => answer()
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
    await expect(openAttempt(network)).rejects.toThrow(NetworkError)
    const fault = await watcher(protocol).unavailableReason(assetOf('ltc'))
    expect(fault).toContain('no usable endpoint for ltc')
    expect(fault).not.toMatch(/secretword/)
  })

  test('rubbish in the place of any answer is a fault', async () => {
    const { node, watcher } = scene
    const places: Record<string, (RegExp | string)[]> = {
      core: ['getblockchaininfo', 'getblockhash', 'getblock', 'getrawmempool', 'getrawtransaction'],
      esplora: [/tip[/]height/, /block-height/, /address/],
      blockbook: [/v2$/, /address/],
    }
    const attempt = await openAttempt(watcher(protocol))
    await node.pay({ script: attempt.script, amount: 80_000n })
    await node.mine()
    await node.pay({ script: attempt.script, amount: 80_000n })
    for (const place of places[protocol.split(',')[0]!]!) {
      for (const rubbish of [null, 7, 'tomorrow', {}, [{}], [null], { vin: [], vout: [{}] }]) {
        answering(asked =>
          (typeof place === 'string' ? asked === place : place.test(asked)) ? rubbish : undefined,
        )
        await expect(watcher(protocol).scan([attempt])).rejects.toThrow(NetworkError)
      }
    }
  })

  test('a cursor that nobody wrote is a fault', async () => {
    const network = scene.watcher(protocol)
    const attempt = await openAttempt(network)
    for (const cursor of [null, {}, { ...(attempt.cursor as object), block: { height: 1, hash: 5 } }]) {
      await expect(network.scan([{ ...attempt, cursor }])).rejects.toThrow(/cursor/)
    }
  })

  test('an endpoint that knows less blocks than were seen before is a fault', async () => {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher(protocol))
    await node.mine(3)
    await lookAt(watcher(protocol), attempt)
    await node.takeBack(2)
    await expect(watcher(protocol).scan([attempt])).rejects.toThrow(/is behind/)
    await node.mine(3)
    expect(await toDetectedPayments(watcher(protocol), attempt)).toEqual([])
  })

  test('one that is down is left for the next, and all that are down are a fault', async () => {
    const { node, watcher, traffic, endpoints } = scene
    const others = protocols.filter(
      other => new URL(endpoints[other].url).port !== new URL(endpoints[protocol].url).port,
    )
    const attempt = await openAttempt(watcher(protocol))
    await node.pay({ script: attempt.script, amount: 81_000n })
    await node.mine(CONFIRMATIONS)
    const { port } = new URL(endpoints[protocol].url)
    traffic.tap = (url, _body, pass) =>
      new URL(url).port === port ? Promise.reject(new TypeError('refused')) : pass()
    const network = watcher(protocol, others[0]!)
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[81_000n, CONFIRMATIONS, true]])
    expect(await network.unavailableReason(assetOf('ltc'))).toBeNull()
    traffic.tap = () => Promise.reject(new TypeError('refused'))
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  })
})

test('an asset of another chain, and an address of another coin, are faults', async () => {
  const network = scene.watcher('core')
  const attempt = await openAttempt(network)
  expect(await network.unavailableReason(assetOf('doge'))).toBe('doge is not an asset of ltc')
  await expect(network.scan([{ ...attempt, asset: assetOf('doge') }])).rejects.toThrow(NetworkError)
  const address = 'DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE'
  await expect(network.scan([{ ...attempt, address }])).rejects.toThrow(/is not an address of ltc/)
})
