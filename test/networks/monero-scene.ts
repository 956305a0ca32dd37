import type { Asset } from '../../src/domain/asset.ts'
import { moneroNetwork } from '../../src/networks/monero/network.ts'
import type { Fetch, Network, Watch, WatchResult } from '../../src/networks/port.ts'
import { firstCursor } from '../support/first-cursor.ts'

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

/** One attempt, whose cursor is kept from scan to scan as the core keeps it. */
export async function openAttempt(network: Network, own: Own, requiredEndpoints = 1): Promise<Watch> {
  opened += 1
  const attempt = { attemptId: `attempt-${opened}`, ...own }
  return { ...attempt, asset: xmr, cursor: await firstCursor(network, xmr, attempt), requiredEndpoints }
}

/** Stores each cursor as JSON, as the core does. */
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

export const heightOf = ({ cursor }: Watch): number => (cursor as { height: number }).height
