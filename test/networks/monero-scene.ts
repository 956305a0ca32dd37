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

interface Wishes {
  clock?: () => number
  blocksAtOnce?: number
  maxBytes?: number
}

export const watcherOf = (urls: string[], fetch: Fetch, wishes: Wishes = {}): Network =>
  moneroNetwork({
    chain: 'xmr',
    assets: [xmr],
    endpoints: urls.map(url => ({ protocol: 'monerod', url })),
    fetch,
    clock: Date.now,
    ...wishes,
  })

interface Own {
  address: string
  source: { kind: string; payout: string; viewKey: string; index: number }
}

let opened = 0

/** One attempt, whose cursor is kept from look to look as the core keeps it. */
export async function openAttempt(network: Network, own: Own, requiredEndpoints = 1): Promise<Watch> {
  opened += 1
  const attempt = { attemptId: `attempt-${opened}`, ...own }
  return { ...attempt, asset: xmr, cursor: await firstCursor(network, xmr, attempt), requiredEndpoints }
}

/** As the core does it, a cursor goes through its storage as JSON. */
export async function lookAt(network: Network, ...attempts: Watch[]): Promise<WatchResult[]> {
  const watched = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = watched.find(({ attemptId }) => attemptId === attempt.attemptId)!
    attempt.cursor = JSON.parse(JSON.stringify(own.cursor))
    return own
  })
}

/** What one attempt's look saw. */
export async function toDetectedPayments(network: Network, attempt: Watch) {
  const [watched] = await lookAt(network, attempt)
  return watched!.detectedPayments
}

export const heightOf = ({ cursor }: Watch): number => (cursor as { height: number }).height
