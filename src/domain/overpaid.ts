import type { Attempt } from './attempt.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import type { Order } from './order.ts'
import { VALUE_UNIT } from './quote.ts'

/** What arrived for a paid order beyond what was due. */
export interface Overpaid {
  /** the one of which a part can be sent back: it completed the order */
  attempt: Attempt
  /** of its own coin, atomic; null where several payments were too much together */
  coins: { received: bigint; due: bigint } | null
  /** what all payments count, in the order's currency */
  received: Amount
  excess: Amount
}

/**
 * What a paid order received too much; null if it did not. One page of a provider never pays too much: what
 * the provider passes on varies.
 */
export function overpaidOf(order: Order, attempts: readonly Attempt[]): Overpaid | null {
  if (order.status !== 'PAID') return null
  const { amount, currency, chosenMethod, chosenAsset } = order
  const settled = attempts.filter(({ state }) => state === 'settled')
  const sum = attempts.reduce((total, { settledCredit }) => total + settledCredit, 0n) / VALUE_UNIT
  const excess = sum - minorOf(amount, currency)
  const sums = { received: amountOf(sum, currency), excess: amountOf(excess > 0n ? excess : 0n, currency) }
  const own = settled.findLast(
    ({ kind, confirmedAtomic, dueAtomic }) => kind === 'address' && confirmedAtomic > dueAtomic,
  )
  if (own) return { attempt: own, coins: { received: own.confirmedAtomic, due: own.dueAtomic }, ...sums }
  const isShared = attempts.filter(({ settledCredit }) => settledCredit > 0n).length > 1
  const isPayer = ({ methodKey, assetId }: Attempt) => methodKey === chosenMethod && assetId === chosenAsset
  const payer = settled.findLast(isPayer) ?? settled.at(-1)
  return isShared && payer && excess > 0n ? { attempt: payer, coins: null, ...sums } : null
}
