import { registry } from '../coins/registry.ts'

/** Every asset that Florin knows, without the changes of an operator's file, and the names of chains. */
export const { assets, chainName } = registry

const DEFAULT_BLOCK_TIME_MS = 12_000

/** The average time between two blocks of a chain; Ethereum's for a chain that an operator added. */
export const blockTimeOf = (chain: string): number =>
  registry.chain(chain)?.blockTimeMs ?? DEFAULT_BLOCK_TIME_MS

/** True for the chain ID of a public EVM chain in the registry. Private chains have other IDs. */
export const isKnownChainId = (chainId: number): boolean => assets.some(asset => asset.chainId === chainId)
