import type { Asset } from '../../domain/asset.ts'

/** What a network watches for on one chain. */
export interface ChainConfig {
  chain: string
  chainId: number
  /** average time between two blocks; null for a private chain, which may pause for any time */
  blockTimeMs: number | null
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** how many addresses go into one query for logs */
  addressesAtOnce: number
}

/** The chain's own coin; undefined if the table of assets doesn't list it. */
export const coinOf = ({ assets }: ChainConfig): Asset | undefined =>
  assets.find(({ contract }) => contract === null)

/** By contract, in lower case. Any other contract may call itself USDC. */
export const tokensOf = ({ assets }: ChainConfig): Map<string, Asset> =>
  new Map(
    assets.flatMap(asset =>
      asset.contract === null ? [] : [[asset.contract.toLowerCase(), asset] as const],
    ),
  )
