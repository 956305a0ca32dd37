import type { Asset } from './asset.ts'
import { joinWithOr } from './join-with-or.ts'

/** What one chain said about a payout wallet. */
export interface PayoutCheck {
  chain: string
  /** in its canonical spelling */
  address: string
  /** whether the address belongs to a contract, which exists on each chain only if it was deployed there */
  isContract: boolean
  /** why the chain's own coin cannot be paid out to it; null if it can */
  coinRefusal: string | null
  checkedAt: number
}

/** Why money in these assets would be lost at a payout wallet. */
export interface PayoutProblem {
  chain: string
  /** whether it concerns the chain's own coin only */
  isCoinOnly: boolean
  /** where the wallet is a contract that does not exist on this chain */
  deployedOn: string[]
  reason: string
}

/** What is wrong with one payout wallet, from what its chains said. */
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

/** Why an asset must not be paid out to the wallet; null if it may. */
export const payoutProblemOf = (
  problems: readonly PayoutProblem[],
  { chain, contract }: Pick<Asset, 'chain' | 'contract'>,
): string | null =>
  problems.find(problem => problem.chain === chain && (!problem.isCoinOnly || contract === null))?.reason ??
  null
