import { asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { readOrigin } from '../address-origin.ts'
import { type ChainConfig, coinOf, tokensOf } from '../evm-like/chain-config.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, requireFresh, type Tip, tipQueries } from '../evm-like/tip.ts'
import type { Balance, OwnAddress } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { BalanceReader } from './balances.ts'
import { startAt } from './start-watch.ts'

/** Reads the balances of addresses in all assets of a chain, by address. Throws NetworkError. */
export async function readHoldings(
  node: Node,
  reader: BalanceReader,
  config: ChainConfig,
  addresses: string[],
): Promise<Map<string, Balance[]>> {
  const coin = coinOf(config)
  const assets = [...(coin ? [coin] : []), ...tokensOf(config).values()]
  const groups = assets.map(({ contract }) => ({ contract, addresses }))
  const { head, balances } = await reader.readNewest(node, groups)
  requireFresh(config, { head, finalized: null })
  const held = new Map<string, Balance[]>()
  for (const [index, { id }] of assets.entries()) {
    for (const [address, amountAtomic] of asserted(balances[index], 'each asset has its balances')) {
      // A contract that reports no balance is not the token, so nothing can have been paid in it.
      if (amountAtomic) held.set(address, [...(held.get(address) ?? []), { assetId: id, amountAtomic }])
    }
  }
  return held
}

/**
 * The watch of a forwarder begins this much earlier, since the server's clock may differ from the chain's.
 */
const CLOCKS_MS = 600_000
const FIRST_DISTANCE = 64
const WIDER = 4
/**
 * The percentage of the estimated number of blocks that a search goes back at first; above 100, since block
 * times vary.
 */
const SPARE_PERCENT = 120

/**
 * Makes the cursor of a watch that begins at a time in the past. The watch of a forwarder begins a little
 * earlier, since the forwarder was empty before it was allocated. Throws NetworkError.
 */
export async function cursorSince(
  node: Node,
  config: ChainConfig,
  own: OwnAddress,
  since: number,
): Promise<Json> {
  const [head, finalized] = await ask(node, tipQueries)
  const tip = { head, finalized }
  requireFresh(config, tip)
  const isForwarder = readOrigin(own.source).kind === 'create2'
  const start = await blockBefore(node, config, tip, isForwarder ? since - CLOCKS_MS : since)
  return startAt(node, config, own, tip, { start, since })
}

/** Finds the last block that is older than a time. Throws NetworkError. */
export async function lastBlockBefore(
  node: Node,
  config: ChainConfig,
  tip: Tip,
  at: number,
): Promise<Header> {
  let [low, high] = [await blockBefore(node, config, tip, at), tip.head]
  if (high.at < at) return high
  while (high.height - low.height > 1) {
    const [middle] = await ask(node, [headerAt(Math.floor((low.height + high.height) / 2))])
    if (!middle) throw new Reorganised('does not know a block below its newest one')
    if (middle.at < at) low = middle
    else high = middle
  }
  return low
}

/** Finds a final block that is older than a time, but not by much. Throws NetworkError. */
async function blockBefore(node: Node, config: ChainConfig, tip: Tip, at: number): Promise<Header> {
  const { assets, blockTimeMs } = config
  const newest = commonSettledHeight(assets, tip)
  const age = Math.max(0, tip.head.at - at)
  const blocks = blockTimeMs === null ? 0 : Math.ceil((age / blockTimeMs) * (SPARE_PERCENT / 100))
  for (let distance = Math.max(FIRST_DISTANCE, blocks); ; distance *= WIDER) {
    const height = Math.max(0, Math.min(newest, tip.head.height - distance))
    const [header] = await ask(node, [headerAt(height)])
    if (!header) throw new Reorganised(`does not know block ${height}`)
    if (header.at <= at || height === 0) return header
  }
}
