import type { Asset } from '../../src/domain/asset.ts'
import { moneroNetwork } from '../../src/networks/monero/network.ts'
import type { Fetch, Network, Watch, WatchResult } from '../../src/networks/port.ts'
import { daemonsOn, FakeChain } from '../support/fake-monerod.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { merchantOf, payment } from '../support/monero-payment.ts'

export const CONFIRMATIONS = 3

export const xmr: Asset = {
  id: 'xmr',
  chain: 'xmr',
  network: 'xmr',
  ticker: 'XMR',
  name: 'Monero',
  decimals: 12,
  quoteDecimals: 8,
  minimum: 1n,
  confirmations: CONFIRMATIONS,
  finality: false,
  chainId: null,
  contract: null,
}

interface Options {
  clock?: () => number
  blocksAtOnce?: number
  maxBytes?: number
}

export const watcherOf = (urls: string[], fetch: Fetch, options: Options = {}): Network =>
  moneroNetwork({
    chain: 'xmr',
    assets: [xmr],
    endpoints: urls.map(url => ({ protocol: 'monerod', url })),
    fetch,
    clock: Date.now,
    ...options,
  })

interface Own {
  address: string
  source: { kind: string; payout: string; viewKey: string; index: number }
}

let opened = 0

/** One attempt, whose cursor is stored between scans as in the product. */
export async function openAttempt(network: Network, own: Own, requiredEndpoints = 1): Promise<Watch> {
  opened += 1
  const attempt = { attemptId: `attempt-${opened}`, ...own }
  return { ...attempt, asset: xmr, cursor: await firstCursor(network, xmr, attempt), requiredEndpoints }
}

/** Scans attempts. Stores each cursor as JSON, as the product does. */
export async function scanWatches(network: Network, ...attempts: Watch[]): Promise<WatchResult[]> {
  const results = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = results.find(({ attemptId }) => attemptId === attempt.attemptId)!
    attempt.cursor = JSON.parse(JSON.stringify(own.cursor))
    return own
  })
}

/** The payments that one scan finds for an attempt. */
export async function scanPayments(network: Network, attempt: Watch) {
  const [results] = await scanWatches(network, attempt)
  return results!.detectedPayments
}

/** The amounts of the payments that one scan finds. */
export const scanAmounts = async (network: Network, attempt: Watch): Promise<bigint[]> =>
  amountsOf(await scanPayments(network, attempt))

export const amountsOf = (payments: WatchResult['detectedPayments']): bigint[] =>
  payments.map(({ amountAtomic }) => amountAtomic)

export const heightOf = ({ cursor }: Watch): number => (cursor as { height: number }).height

export const shop = merchantOf('shop')
export const other = merchantOf('other shop')

/** A payment to an address of a merchant. */
export const payTo = (merchant: typeof shop, index: number, amount: bigint, options = {}) =>
  payment([{ address: merchant.own(index).address, amount }], options)

export const pay = (index: number, amount: bigint, options = {}) => payTo(shop, index, amount, options)

/** A simulated chain of 20 blocks, its daemons on these hosts, and a network that watches it. */
export function fakeScene(...hosts: string[]) {
  const chain = new FakeChain()
  chain.mineEmpty(20)
  const all = hosts.length === 0 ? ['127.0.0.1'] : hosts
  const daemons = daemonsOn(Object.fromEntries(all.map(host => [host, chain])))
  const urls = all.map(host => `http://${host}`)
  /** A new network, as after a restart. */
  const restarted = (options?: Options) => watcherOf(urls, daemons.reach, options)
  return { chain, network: restarted(), restarted, ...daemons }
}

export type FakeScene = ReturnType<typeof fakeScene>
