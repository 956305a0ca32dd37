import type { Asset } from '../../domain/asset.ts'
import { tokenProblem } from '../evm-like/readiness.ts'
import { toEvmAddress } from './address.ts'
import type { Node } from './node.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Why an asset can't be watched at an endpoint; null if it can. Throws NetworkError. */
export async function assetProblem(node: Node, asset: Asset, now: number): Promise<string | null> {
  const { contract } = asset
  if (contract === null) return coinProblem(node, asset, now)
  // Without JSON-RPC no contract can be asked for its decimals.
  return node.rpc === null ? null : tokenProblem(node.rpc, asset, toEvmAddress(contract), 'TRON')
}

async function coinProblem({ rest, host }: Node, coin: Asset, now: number): Promise<string | null> {
  const listed = rest ? await rest.coinEntries(ZERO_ADDRESS, now) : null
  if (listed) return null
  const remedy = 'Set FLORIN_TRON_URL to TronGrid, or to another endpoint that lists them.'
  return `${host} does not list payments of ${coin.ticker}. ${remedy}`
}
