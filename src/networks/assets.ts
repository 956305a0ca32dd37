import { registry } from '../coins/registry.ts'

/** Every asset that Florin knows, before an operator's file changes the table; and the names of chains. */
export const { assets, chainName } = registry

const DEFAULT_BLOCK_TIME_MS = 12_000

/** The average time between two blocks of a chain; an assumption for a chain that an operator added. */
export const blockTimeOf = (chain: string): number =>
  registry.chain(chain)?.blockTimeMs ?? DEFAULT_BLOCK_TIME_MS

/** Whether an EVM chain id is one of the known chains: a private chain has another. */
export const isKnownChainId = (chainId: number): boolean => assets.some(asset => asset.chainId === chainId)
