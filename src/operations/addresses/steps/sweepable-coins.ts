import { chainOf } from '../../../domain/asset.ts'
import { type Attempt, type OwnAttempt, sourceKindOf } from '../../../domain/attempt.ts'
import type { Order } from '../../../domain/order.ts'
import { offersCrypto } from '../../../domain/payment-methods.ts'
import { payoutProblemOf, payoutProblems } from '../../../domain/payout-check.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { otherChains } from './other-chains.ts'

/** Returns true if a coin counts at the address of an attempt that asked for another coin. */
type CountsOther = (attempt: Attempt, assetId: string) => boolean

const nothing: CountsOther = () => false

/**
 * Loads the coins that count at an address which asked for another coin: those that the merchant offers and
 * can move, on this chain or on another chain on which the address exists.
 */
export async function loadSweepableCoins(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  order: Order,
  attempts: readonly Attempt[],
): Promise<CountsOther> {
  const wallet = await tables.wallets.find(order.merchantId)
  if (!offersCrypto(order.methodKeys) || !wallet?.includeCrypto) return nothing
  const unmovable = new Set<string>()
  const own = attempts.filter(attempt => attempt.provider === null)
  for (const attempt of own.filter(one => sourceKindOf(one) === 'create2')) {
    for (const chain of await chainsWithout(context, tables, attempt)) unmovable.add(`${attempt.id} ${chain}`)
  }
  return (attempt, assetId) => {
    const asset = context.networks.asset(assetId)
    if (!asset || attempt.provider !== null || attempt.shared) return false
    const isHere = asset.chain === chainOf(attempt.assetId)
    if (!isHere && !otherChains(context, attempt).includes(asset.chain)) return false
    const part = asset.contract === null ? 'coin' : 'token'
    return !unmovable.has(`${attempt.id} ${asset.chain} ${part}`)
  }
}

/**
 * The coins and tokens that a forwarder cannot pay out, by chain. It pays only to the payout wallet, which
 * may be a contract that does not exist on another chain, or that refuses the chain's own coin.
 */
async function chainsWithout(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  attempt: OwnAttempt,
): Promise<string[]> {
  const own = networks.asset(attempt.assetId)
  if (!own) return []
  const checks = await tables.payoutChecks.listOf(networks.canonical(own.network, attempt.payoutAddress))
  const problems = payoutProblems(checks)
  const isContract = checks.some(check => check.isContract)
  const chains = [own.chain, ...otherChains({ networks }, attempt)]
  return chains.flatMap(chain => {
    const isUnknown = isContract && !checks.some(check => check.chain === chain)
    return (['coin', 'token'] as const).flatMap(part => {
      const problem = payoutProblemOf(problems, { chain, contract: part === 'coin' ? null : '' })
      return isUnknown || problem !== null ? [`${chain} ${part}`] : []
    })
  })
}
