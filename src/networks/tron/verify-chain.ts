import { assets, chainName } from '../assets.ts'
import { WrongChain } from '../rpc/failover.ts'

/** A chain id of TRON is the end of its first block's id. */
const MAINNET = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
export const MAINNET_ID = 0x2b6653dc

const otherChains = new Map<number, string>([
  ...assets.flatMap(({ chainId, chain }) => (chainId === null ? [] : [[chainId, chainName(chain)] as const])),
  [0x94a9059e, "TRON's test chain Shasta"],
  [0xcd8690dc, "TRON's test chain Nile"],
])

/**
 * Believes an endpoint of TRON, and one of a private chain on this machine alone. Throws WrongChain for every
 * other.
 */
export function believeChainId(chainId: number, isLocal: boolean): void {
  if (chainId === MAINNET_ID) return
  const other = otherChains.get(chainId)
  if (other === undefined && isLocal) return
  throw new WrongChain(`serves ${other ?? `chain ${chainId}`}, which is not TRON: name another endpoint`)
}

/** The same by the id of the first block, which tells the chain id. Throws WrongChain. */
export function believeGenesis(blockId: string, isLocal: boolean): number {
  const chainId = Number.parseInt(blockId.slice(-8), 16)
  if (chainId === MAINNET_ID && blockId !== MAINNET) {
    throw new WrongChain('serves another first block than TRON has: name another endpoint')
  }
  believeChainId(chainId, isLocal)
  return chainId
}
