import { assets, chainName } from '../assets.ts'
import { WrongChain } from '../rpc/failover.ts'

/** The ID of TRON's first block, whose last four bytes are the chain ID. */
const MAINNET_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
export const MAINNET_ID = 0x2b6653dc

const otherChains = new Map<number, string>([
  ...assets.flatMap(({ chainId, chain }) => (chainId === null ? [] : [[chainId, chainName(chain)] as const])),
  [0x94a9059e, "TRON's test chain Shasta"],
  [0xcd8690dc, "TRON's test chain Nile"],
])

/**
 * Accepts TRON's chain ID, and that of a private chain on this machine. Throws WrongChain for any other
 * chain.
 */
export function requireChainId(chainId: number, isLocal: boolean): void {
  if (chainId === MAINNET_ID) return
  const other = otherChains.get(chainId)
  if (other === undefined && isLocal) return
  throw new WrongChain(`serves ${other ?? `chain ${chainId}`}, which is not TRON: use another endpoint`)
}

/** Returns the chain ID of an accepted chain, from the ID of its first block. Throws WrongChain. */
export function requireGenesis(blockId: string, isLocal: boolean): number {
  const chainId = Number.parseInt(blockId.slice(-8), 16)
  if (chainId === MAINNET_ID && blockId !== MAINNET_GENESIS) {
    throw new WrongChain("serves another first block than TRON's: use another endpoint")
  }
  requireChainId(chainId, isLocal)
  return chainId
}
