import type { Attempt } from '../../domain/attempt.ts'
import { assert } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import { isBeforePayment, takenBack } from '../../domain/taken-back.ts'
import type { Tables } from '../../storage/port.ts'
import { loadSweepableCoins } from '../addresses/steps/sweepable-coins.ts'
import type { Context } from '../context.ts'
import { arrivalOf, isOtherCoin, loadRates } from '../incoming/rates.ts'
import { loadClaimed, type Reported } from '../incoming/store.ts'
import type { Case } from './case.ts'

export type LoadContext = Pick<Context, 'clock' | 'networks'>

/**
 * Loads all data that decisions about the payments of an order depend on, including the data for a report
 * that is not merged yet. Nothing else is read before the decision is applied.
 */
export async function loadCase(
  context: LoadContext,
  tables: Tables,
  orderId: string,
  reported?: Reported,
): Promise<Case> {
  const found = await tables.orders.find(orderId)
  assert(found, 'the order of an attempt exists')
  const { order } = found
  const listed = await tables.attempts.listOf(orderId)
  const stored = listed.length === 0 ? [] : await tables.incomingPayments.listOfOrder(orderId)
  const attempts = listed.map(attempt => ({
    attempt,
    payments: stored.filter(({ attemptId }) => attemptId === attempt.id),
  }))
  const arrivals = [
    ...attempts.flatMap(({ attempt, payments }) => payments.map(payment => ({ attempt, payment }))),
    ...(reported ? reported.report.detectedPayments.map(one => arrivalOf(reported.attempt, one)) : []),
  ]
  const isPaid = arrivals.length > 0
  const merchant = isPaid ? await tables.merchants.find(order.merchantId) : null
  const unmatched = isPaid ? await tables.unmatched.listOf(orderId) : []
  return {
    ...found,
    attempts,
    unmatched: unmatched.map(({ payment }) => payment),
    settlement: order.transactionId === null ? null : await tables.transactions.findSettlement(orderId),
    isClaimed: reported ? await loadClaimed(tables, reported) : () => false,
    takenBackOf: await loadTakenBack(tables, order, listed),
    rateOf: await loadRates(tables, order.currency, arrivals),
    assetOf: id => context.networks.asset(id),
    countsOther: arrivals.some(isOtherCoin)
      ? await loadSweepableCoins(context, tables, order, listed)
      : () => false,
    asksLate: merchant?.late === 'ask',
    now: context.clock(),
  }
}

/**
 * A paid order stays paid, so the payments that settled it count even if they are taken back later. Other
 * payments do not count as far as they were taken back.
 */
async function loadTakenBack(
  tables: Tables,
  order: Order,
  attempts: readonly Attempt[],
): Promise<Case['takenBackOf']> {
  if (attempts.every(({ provider }) => provider === null)) return () => 0n
  const reversals = await tables.reversals.listOf(order.id)
  return ({ attempt, payments }) => {
    const own = reversals.filter(({ attemptId }) => attemptId === attempt.id)
    const hasSettled = payments.some(({ settles }) => settles)
    return takenBack(hasSettled ? own.filter(one => isBeforePayment(order, one)) : own)
  }
}
