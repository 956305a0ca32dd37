import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { encodeTron } from '../../src/networks/addresses/tron.ts'
import type { Fetch, Network, Watch, WatchResult } from '../../src/networks/port.ts'
import { type TronOptions, tronNetwork } from '../../src/networks/tron/network.ts'
import { type ContractName, startAnvil, word } from '../support/anvil.ts'
import { type Call, type Reply, replacing } from '../support/calls.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { toHex, toTron } from '../support/tron-chain.ts'
import { startTronFront } from '../support/tron-front.ts'

export const SOLID_LAG = 3

type SceneOptions = Parameters<typeof startTronFront>[1] & { chainId?: number }

/** Intercepts a request. `pass` sends it to the real endpoint. */
export type Tap = (url: URL, body: string, pass: () => Promise<Response>) => Promise<Response>

/** The kinds of endpoints that operators use. */
export const endpointTypes = {
  'trongrid with JSON-RPC': { protocol: 'trongrid', jsonrpc: true },
  'trongrid without JSON-RPC': { protocol: 'trongrid', jsonrpc: false },
  jsonrpc: { protocol: 'jsonrpc', jsonrpc: true },
} as const
export type EndpointType = keyof typeof endpointTypes

/** A real chain behind a front of TRON, with two listed tokens and an unlisted one. */
export async function openScene({ chainId, ...overrides }: SceneOptions = {}) {
  const anvil = await startAnvil(chainId === undefined ? {} : { chainId })
  const front = startTronFront(anvil, { solidLag: SOLID_LAG, ...overrides })
  const contracts = {} as Record<ContractName, string>
  for (const name of ['TestUSD', 'TestTether', 'TestPayer'] as const)
    contracts[name] = await anvil.deploy(name)
  const fake = await anvil.deploy('TestTether')
  await anvil.mine(SOLID_LAG)
  const row = (ticker: string, contract: string | null): Asset => ({
    id: `trc20/${ticker.toLowerCase()}`,
    chain: 'trc20',
    network: 'trc20',
    ticker,
    name: `${ticker} on a test chain`,
    decimals: 6,
    quoteDecimals: 6,
    minimum: 1n,
    confirmations: 19,
    finality: true,
    chainId: null,
    contract: contract && toTron(contract),
  })
  const coin = row('TRX', null)
  const tether = row('USDT', contracts.TestTether)
  const usd = row('USDC', contracts.TestUSD)
  const traffic = { requests: 0, tap: honest }
  /** The front under any URL, with a tap before it. */
  const behind =
    (tap: Tap): Fetch =>
    (url, init) => {
      const at = new URL(url)
      return tap(at, String(init?.body ?? ''), () => fetch(`${front.url}${at.pathname}${at.search}`, init))
    }
  const tapped = behind((...request) => {
    traffic.requests += 1
    return traffic.tap(...request)
  })
  const watching = (options: Partial<TronOptions> = {}): Network =>
    tronNetwork({
      chain: 'trc20',
      assets: [coin, tether, usd],
      endpoints: [{ protocol: 'trongrid', url: front.url }],
      fetch: tapped,
      clock: Date.now,
      ...options,
    })
  /** Sends several payments in one transaction of a contract. */
  async function payAtOnce(asset: Asset, payments: [address: string, amount: bigint][]): Promise<string> {
    const token = asset.contract && toHex(asset.contract)
    const calls = payments.map(([address, amount]) =>
      token
        ? { to: token, value: 0n, data: `a9059cbb${word(toHex(address))}${word(amount)}` }
        : { to: toHex(address), value: amount, data: '' },
    )
    const total = payments.reduce((sum, [, amount]) => sum + amount, 0n)
    const { contractAddress } = await anvil.run({ data: deploying(calls.map(calling).join('')) })
    if (token) await anvil.run({ to: token, data: `0xa9059cbb${word(contractAddress)}${word(total)}` })
    const paid = await anvil.run({ to: contractAddress, value: token ? 0n : total })
    return paid.transactionHash
  }
  const paying = (asset: Asset, address: string, amount: bigint): Promise<string> =>
    asset.contract
      ? anvil.sendToken(toHex(asset.contract), toHex(address), amount)
      : anvil.sendNative(toHex(address), amount)
  /** An attempt that was paid in a block which is now solid. */
  async function openPaid(network: Network, asset: Asset, amount: bigint) {
    const attempt = await openAttempt(network, asset)
    const hash = await paying(asset, attempt.address, amount)
    await anvil.mine(SOLID_LAG + 1)
    return { attempt, id: hash.slice(2) }
  }
  async function stop(): Promise<void> {
    front.stop()
    await anvil.stop()
  }
  const pay = { token: paying, coin: (address: string, amount: bigint) => paying(coin, address, amount) }
  const assets = { coin, tether, usd, contracts, fake }
  return { anvil, front, ...assets, traffic, behind, watching, pay, payAtOnce, openPaid, stop }
}

export const honest: Tap = (_url, _body, pass) => pass()

/** Replaces some replies of the endpoint's JSON-RPC. */
export const answering =
  (own: (call: Call, reply: Reply) => object | null): Tap =>
  async (_url, body, pass) =>
    body.includes('"jsonrpc"') ? replacing(body, await pass(), own) : pass()

/** The scene of a test file. It is opened before the tests, and reset after each. */
export function useScene(options?: SceneOptions): Scene {
  const scene = {} as Scene
  let shape = {}
  beforeAll(async () => {
    Object.assign(scene, await openScene(options))
    shape = { ...scene.front.shape }
  })
  afterEach(() => {
    scene.traffic.tap = honest
    Object.assign(scene.front.shape, shape)
  })
  afterAll(() => scene.stop())
  return scene
}

/** EVM code that makes one call. */
function calling({ to, value, data }: { to: string; value: bigint; data: string }): string {
  const words = data.match(/.{1,64}/g) ?? []
  const stored = words.map((part, index) => `7f${part.padEnd(64, '0')}60${short(index * 32)}52`).join('')
  return `${stored}60006000${`60${short(data.length / 2)}`}60007f${word(value)}73${to.slice(2)}5af150`
}

/** EVM code that deploys this code. */
const deploying = (code: string): string => `0x61${long(code.length / 2)}80600c6000396000f3${code}`

const short = (value: number): string => value.toString(16).padStart(2, '0')
const long = (value: number): string => value.toString(16).padStart(4, '0')

export type Scene = Awaited<ReturnType<typeof openScene>>

let opened = 0

/** An unused address. */
export function freshAddress(): string {
  opened += 1
  const account = Bun.SHA256.hash(`tron ${opened} ${Bun.nanoseconds()}`) as Uint8Array
  return encodeTron(account.slice(0, 20))
}

/** One attempt, which keeps its cursor between scans. */
export async function openAttempt(network: Network, asset: Asset, address = freshAddress()): Promise<Watch> {
  const own = { attemptId: `attempt-${++opened}`, address, source: { kind: 'xpub' } }
  return { ...own, asset, cursor: await firstCursor(network, asset, own), requiredEndpoints: 1 }
}

export async function scanWatches(network: Network, ...attempts: Watch[]): Promise<WatchResult[]> {
  const watched = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = watched.find(({ attemptId }) => attemptId === attempt.attemptId)!
    // The cursor is converted to JSON and back, as when it is stored.
    attempt.cursor = JSON.parse(JSON.stringify(own.cursor))
    return own
  })
}

export async function scanPayments(network: Network, attempt: Watch) {
  const [watched] = await scanWatches(network, attempt)
  return watched!.detectedPayments
}

/** The amounts of the payments that one scan finds, and true for final ones. */
export const scanSummary = async (network: Network, attempt: Watch) =>
  (await scanPayments(network, attempt)).map(({ amountAtomic, final }) => [amountAtomic, final])

export const heightOf = ({ cursor }: Watch): number => (cursor as { height: number }).height
