import type { Asset } from '../../domain/asset.ts'

/** The facts about one chain that scans need. */
export interface ChainConfig {
  chain: string
  chainId: number
  /** the average time between two blocks; null for a private chain, which may pause for any time */
  blockTimeMs: number | null
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** the number of addresses in one query for logs */
  addressesAtOnce: number
}

/** The chain's own coin; undefined if the table of assets does not list it. */
export const coinOf = ({ assets }: ChainConfig): Asset | undefined =>
  assets.find(({ contract }) => contract === null)

/**
 * The tokens by contract, in lower case. A token's name proves nothing, since any contract may call itself
 * USDC.
 */
export const tokensOf = ({ assets }: ChainConfig): Map<string, Asset> =>
  new Map(
    assets.flatMap(asset =>
      asset.contract === null ? [] : [[asset.contract.toLowerCase(), asset] as const],
    ),
  )
