import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { assets } from '../../src/networks/assets.ts'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import type { Fetch, Network, Watch, WatchResult } from '../../src/networks/port.ts'
import { addressOfScript, type FrontCoin, startFront } from '../support/bitcoin-front.ts'
import { type Call, type Reply, replacing } from '../support/calls.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { startLitecoind } from '../support/litecoind.ts'

export const CONFIRMATIONS = 3

export const protocols = ['core', 'esplora', 'esplora, bare', 'blockbook', 'blockbook, bare'] as const
export type Protocol = (typeof protocols)[number]

/** Intercepts a request to an endpoint. `pass` sends it on. */
export type Tap = (url: string, body: string, pass: () => Promise<Response>) => Promise<Response>

/** The asset of the table, with fewer confirmations. */
export const assetOf = (coin: FrontCoin, confirmations = CONFIRMATIONS): Asset => ({
  ...assets.find(({ id }) => id === coin)!,
  confirmations,
})

let opened = 0

/** A new script: SegWit if the coin has it, otherwise that of a key hash. */
export function freshScript(coin: FrontCoin = 'ltc'): string {
  opened += 1
  const hash = opened.toString(16).padStart(8, '0').padStart(40, 'ab')
  return coin === 'btc' || coin === 'ltc' ? `0014${hash}` : `76a914${hash}88ac`
}

/** A real node with an endpoint of each protocol. */
export async function openScene() {
  const node = await startLitecoind()
  const fronts = [startFront(node), startFront(node, { isWhole: false })] as const
  const [whole, bare] = fronts
  const endpoints: Record<Protocol, { protocol: string; url: string }> = {
    core: { protocol: 'core', url: node.url },
    esplora: { protocol: 'esplora', url: whole.url },
    'esplora, bare': { protocol: 'esplora', url: bare.url },
    blockbook: { protocol: 'blockbook', url: whole.url },
    'blockbook, bare': { protocol: 'blockbook', url: bare.url },
  }
  const traffic = { requests: 0, tap: honest }
  const time = { later: 0 }
  const tapped: Fetch = (url, init) => {
    traffic.requests += 1
    return traffic.tap(url, String(init?.body ?? ''), () => fetch(url, init))
  }
  /** A new network, as after a restart, on a clock that a test can move. */
  const networkOf = (...names: Protocol[]): Network =>
    bitcoinNetwork({
      chain: 'ltc',
      assets: [assetOf('ltc')],
      endpoints: names.map(name => endpoints[name]),
      fetch: tapped,
      clock: () => Date.now() + time.later,
    })
  return {
    node,
    endpoints,
    traffic,
    time,
    networkOf,
    fetch: tapped,
    beHonest(): void {
      traffic.tap = honest
    },
    async stop() {
      for (const front of fronts) await front.stop()
      await node.stop()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

export const honest: Tap = (_url, _body, pass) => pass()

/** Replaces some replies of a node of Bitcoin Core. */
export const answering =
  (own: (call: Call, reply: Reply) => object | null): Tap =>
  async (_url, body, pass) =>
    body === '' ? pass() : replacing(body, await pass(), own)

const FAR = 1_000_000

export const inventedHash = (height: number): string => height.toString(16).padStart(8, '0').padStart(64, 'f')

/** An index that invents a height, with a hash for each block up to it. */
export const farIndex =
  (head: number, above = FAR): Tap =>
  async (url, _body, pass) => {
    const { pathname } = new URL(url)
    const height = head + above
    const [, invented = 0] = /^[/](?:block-height|api[/]v2[/]block-index)[/]([0-9]+)$/.exec(pathname) ?? []
    const blockHash = inventedHash(Number(invented))
    const isBlockbook = pathname.startsWith('/api/')
    if (Number(invented) > head) return isBlockbook ? Response.json({ blockHash }) : new Response(blockHash)
    if (pathname === '/blocks/tip/height') return new Response(`${height}`)
    if (pathname === `/block/${inventedHash(height)}`)
      return Response.json({ timestamp: Math.floor(Date.now() / 1000) })
    if (pathname !== '/api/v2') return pass()
    const { blockbook, backend } = (await (await pass()).json()) as Record<string, object>
    return Response.json({ blockbook: { ...blockbook, bestHeight: height }, backend })
  }

/** The scene of a test file: opened before its tests, honest again after each, and stopped at the end. */
export function useScene(blocks = 0): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    Object.assign(scene, await openScene())
    await scene.node.mine(blocks)
  })
  afterEach(() => {
    scene.beHonest()
    scene.time.later = 0
  })
  afterAll(() => scene.stop())
  return scene
}

/** One attempt, whose cursor is stored between scans as in the product. */
export interface Attempt extends Watch {
  script: string
}

export async function openAttempt(network: Network, coin: FrontCoin = 'ltc', script = freshScript(coin)) {
  const asset = assetOf(coin)
  const own = {
    attemptId: `attempt-${opened}`,
    address: addressOfScript(coin, script)!,
    source: { kind: 'xpub' },
  }
  const cursor = await firstCursor(network, asset, own)
  return { ...own, script, asset, cursor, requiredEndpoints: 1 } satisfies Attempt
}

export async function scanAttempts(network: Network, ...attempts: Attempt[]): Promise<WatchResult[]> {
  const results = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = results.find(({ attemptId }) => attemptId === attempt.attemptId)!
    attempt.cursor = own.cursor
    expect(JSON.stringify(own.cursor).length).toBeLessThan(5000)
    return own
  })
}

/** The payments that a scan of one attempt detects. */
export async function detectPayments(network: Network, attempt: Attempt) {
  const [result] = await scanAttempts(network, attempt)
  return result!.detectedPayments
}

/** Amount, confirmations and finality of each payment, in the order of their outputs. */
export const summarize = ({ detectedPayments }: WatchResult) =>
  detectedPayments
    .toSorted((a, b) => Number(a.txIndex) - Number(b.txIndex))
    .map(({ amountAtomic, confirmations, final }) => [amountAtomic, confirmations, final])

/** The same summary of one scan of an attempt. */
export const scanSummary = async (network: Network, attempt: Attempt) =>
  summarize((await scanAttempts(network, attempt))[0]!)
