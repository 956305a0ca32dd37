import { type Attempt, leftMinor, ROUNDED } from './attempt.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import type { Order } from './order.ts'
import { VALUE_UNIT } from './quote.ts'

/** The excess of a paid order: everything received beyond its amount. */
export interface Overpaid {
  /** the attempt that completed the order; part of its money can be sent back */
  attempt: Attempt
  /** amounts in the attempt's coin, atomic; null if anything counts in another coin, attempt or rate */
  coins: { received: bigint; due: bigint } | null
  /** the value of all payments, in the order's currency */
  received: Amount
  excess: Amount
}

/**
 * The excess of a paid order; null if there is none. If the only payment was on a provider's page, there is
 * no excess, because the amount that a provider passes on varies.
 */
export function overpaidOf(order: Order, attempts: readonly Attempt[]): Overpaid | null {
  if (order.status !== 'PAID') return null
  const { amount, currency, chosenMethod, chosenAsset } = order
  const settled = attempts.filter(({ state }) => state === 'settled')
  const sum = attempts.reduce((total, { settledCredit }) => total + settledCredit, 0n) / VALUE_UNIT
  const excess = sum - minorOf(amount, currency)
  const sums = { received: amountOf(sum, currency), excess: amountOf(excess > 0n ? excess : 0n, currency) }
  const isShared = attempts.filter(({ settledCredit }) => settledCredit > 0n).length > 1
  const own = settled.findLast(one => !isShared && isOverQuote(order, one))
  if (own) return { attempt: own, coins: { received: own.confirmedAtomic, due: own.dueAtomic }, ...sums }
  const isPayer = ({ methodKey, assetId }: Attempt) => methodKey === chosenMethod && assetId === chosenAsset
  const payer = settled.findLast(isPayer) ?? settled.at(-1)
  if (!payer || excess <= 0n) return null
  // A late payment, or one in another coin, can be worth more than the amount due.
  const isWorthMore = payer.kind === 'address' && order.paymentState === 'OVERPAID'
  return isShared || isWorthMore ? { attempt: payer, coins: null, ...sums } : null
}

/** True if an address got more than was due, and all of it counts at the quoted rate. */
function isOverQuote({ currency }: Order, attempt: Attempt): boolean {
  const { kind, confirmedAtomic, dueAtomic, priced, settledCredit } = attempt
  if (kind !== 'address' || confirmedAtomic <= dueAtomic) return false
  const quoted = (confirmedAtomic * minorOf(priced, currency) * VALUE_UNIT) / dueAtomic
  return settledCredit <= quoted + ROUNDED && settledCredit >= quoted - ROUNDED
}

/** True if everything that is credited pays the order once all of it is final. */
export const isCovered = (order: Order, attempts: readonly Attempt[]): boolean =>
  leftMinor(order, attempts) * VALUE_UNIT <= (attempts[0]?.tolerance ?? 0n)
