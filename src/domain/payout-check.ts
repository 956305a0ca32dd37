import type { Asset } from './asset.ts'
import { joinWithOr } from './join-with-or.ts'

/** A chain's answer about a payout wallet. */
export interface PayoutCheck {
  chain: string
  /** in canonical spelling */
  address: string
  /** true if the address is a contract, which exists only on chains where it was deployed */
  isContract: boolean
  /** reason why the wallet cannot receive the chain's own coin; null if it can */
  coinRefusal: string | null
  checkedAt: number
}

/** The reason why money on a chain would be lost at a payout wallet. */
export interface PayoutProblem {
  chain: string
  /** true if only the chain's own coin is affected */
  isCoinOnly: boolean
  /** chains on which the contract exists; it is missing on this one */
  deployedOn: string[]
  reason: string
}

/** Finds the problems of one payout wallet, given the answers of its chains. */
export function payoutProblems(checks: readonly PayoutCheck[]): PayoutProblem[] {
  const deployed = checks.filter(({ isContract }) => isContract).map(({ chain }) => chain)
  return checks.flatMap(({ chain, isContract, coinRefusal }): PayoutProblem[] => {
    if (deployed.length > 0 && !isContract) {
      const where = `a contract on ${joinWithOr(deployed)} and does not exist on ${chain}`
      const reason = `the payout wallet is ${where}`
      return [{ chain, isCoinOnly: false, deployedOn: deployed, reason }]
    }
    return coinRefusal === null ? [] : [{ chain, isCoinOnly: true, deployedOn: [], reason: coinRefusal }]
  })
}

/** The problem of paying out an asset to the wallet; null if there is none. */
export const payoutProblemOf = (
  problems: readonly PayoutProblem[],
  { chain, contract }: Pick<Asset, 'chain' | 'contract'>,
): string | null =>
  problems.find(problem => problem.chain === chain && (!problem.isCoinOnly || contract === null))?.reason ??
  null
