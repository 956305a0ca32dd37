import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { forwarderOf } from '../../src/networks/evm/forwarder/source.ts'
import { type EvmOptions, evmNetwork } from '../../src/networks/evm/network.ts'
import type { Fetch, Network, Watch, WatchResult } from '../../src/networks/port.ts'
import { type ContractName, startAnvil, word } from '../support/anvil.ts'
import { type Call, type Reply, replacing } from '../support/calls.ts'
import { firstCursor } from '../support/first-cursor.ts'

export const PAYOUT = '0x00000000000000000000000000000000C0FFEE00'
export const CONFIRMATIONS = 3
/** The number of blocks below the newest settled one that are read again on a private chain. */
export const MARGIN_BLOCKS = 64

interface SceneOptions {
  finality?: boolean
  slotsInAnEpoch?: number
  options?: Partial<EvmOptions>
}

/** Intercepts the body of a request. `pass` sends it to the real node. */
export type Tap = (body: string, pass: () => Promise<Response>) => Promise<Response>

/** A real chain with two listed tokens and an unlisted one, and a network that watches it. */
export async function openScene({ finality = false, slotsInAnEpoch, options }: SceneOptions = {}) {
  const anvil = await startAnvil(slotsInAnEpoch === undefined ? {} : { slotsInAnEpoch })
  const tokens = {} as Record<ContractName, string>
  for (const name of ['TestUSD', 'TestTether', 'TestPayer'] as const) tokens[name] = await anvil.deploy(name)
  const fake = await anvil.deploy('TestUSD')
  const row = (ticker: string, decimals: number, contract: string | null): Asset => ({
    id: `testnet/${ticker.toLowerCase()}`,
    chain: 'testnet',
    network: 'evm',
    ticker,
    name: `${ticker} on a test chain`,
    decimals,
    quoteDecimals: 6,
    minimum: 1n,
    confirmations: CONFIRMATIONS,
    finality,
    chainId: 31337,
    contract,
  })
  const coin = row('ETH', 18, null)
  const usd = row('USDC', 6, tokens.TestUSD)
  const tether = row('USDT', 6, tokens.TestTether)
  const traffic = { requests: 0, tap: honest }
  const tapped: Fetch = (url, init) => {
    traffic.requests += 1
    return traffic.tap(String(init?.body), () => fetch(url, init))
  }
  /** A new network, as after a restart. */
  const networkOf = (change: Partial<EvmOptions> = {}): Network =>
    evmNetwork({
      chain: 'testnet',
      assets: [coin, usd, tether],
      endpoints: [anvil.url],
      fetch: tapped,
      clock: Date.now,
      ...options,
      ...change,
    })
  const answer = (own: Own): void => {
    traffic.tap = answering(own)
  }
  const beHonest = (): void => {
    traffic.tap = honest
  }
  const assets = { coin, usd, tether }
  return { anvil, network: networkOf(), networkOf, ...assets, tokens, fake, traffic, answer, beHonest }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

export const honest: Tap = (_, pass) => pass()

type Own = (call: Call, reply: Reply) => object | null

/** Replaces some replies of the node. */
export const answering =
  (own: Own): Tap =>
  async (body, pass) =>
    replacing(body, await pass(), own)

/** The scene of a test file: opened before its tests, honest again after each, and stopped at the end. */
export function useScene(options?: SceneOptions, blocks = 0): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    Object.assign(scene, await openScene(options))
    if (blocks > 0) await scene.anvil.mine(blocks)
  })
  afterEach(() => scene.beHonest())
  afterAll(() => scene.anvil.stop())
  return scene
}

/** One attempt, which keeps its cursor between scans. */
export type Attempt = Watch

let opened = 0

export async function openAttempt(network: Network, asset: Asset, payoutAddress = PAYOUT): Promise<Attempt> {
  opened += 1
  const attemptId = `attempt-${opened}`
  const own = { attemptId, ...forwarderOf(attemptId, payoutAddress) }
  return { ...own, asset, cursor: await firstCursor(network, asset, own), requiredEndpoints: 1 }
}

/** An address whose key the merchant has, and which may have been used before. */
export async function openAccount(network: Network, asset: Asset, address: string): Promise<Attempt> {
  opened += 1
  const own = { attemptId: `attempt-${opened}`, address, source: { kind: 'pool', position: opened } }
  return { ...own, asset, cursor: await firstCursor(network, asset, own), requiredEndpoints: 1 }
}

/** An unused account for which the node signs. */
export async function freshAccount({ anvil }: Scene, held = 0n): Promise<string> {
  accounts += 1
  const address = `0x${word(BigInt(accounts) * 10n ** 40n).slice(24)}`
  await anvil.rpc('anvil_impersonateAccount', [address])
  await anvil.rpc('anvil_setBalance', [address, `0x${held.toString(16)}`])
  return address
}

let accounts = 0

export async function scanWatches(network: Network, ...attempts: Attempt[]): Promise<WatchResult[]> {
  const watched = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = watched.find(({ attemptId }) => attemptId === attempt.attemptId)!
    attempt.cursor = own.cursor
    return own
  })
}

/** The payments that one scan detects for one attempt. */
export async function scanPayments(network: Network, attempt: Attempt) {
  const [watched] = await scanWatches(network, attempt)
  return watched!.detectedPayments
}

/** The amounts of the payments that one scan detects. */
export const scanAmounts = async (network: Network, attempt: Attempt): Promise<bigint[]> =>
  (await scanPayments(network, attempt)).map(({ amountAtomic }) => amountAtomic)

/** The block up to which everything is final and reported. */
export const heightOf = ({ cursor }: Attempt): number =>
  (cursor as { settled: { height: number } }).settled.height
