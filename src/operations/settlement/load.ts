import { asserted } from '../../domain/errors.ts'
import { takenBackFrom } from '../../domain/taken-back.ts'
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
  const found = asserted(await tables.orders.find(orderId), 'the order of an attempt exists')
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
  const hasArrivals = arrivals.length > 0
  const isAtProvider = listed.some(({ provider }) => provider !== null)
  const merchant = hasArrivals ? await tables.merchants.find(order.merchantId) : null
  const unmatched = hasArrivals ? await tables.unmatched.listOf(orderId) : []
  return {
    ...found,
    attempts,
    unmatched: unmatched.map(({ payment }) => payment),
    settlement: order.transactionId === null ? null : await tables.transactions.findSettlement(orderId),
    isClaimed: reported ? await loadClaimed(tables, reported) : () => false,
    takenBackOf: takenBackFrom(order, isAtProvider ? await tables.reversals.listOf(orderId) : []),
    rateOf: await loadRates(tables, order.currency, arrivals),
    assetOf: id => context.networks.asset(id),
    countsOther: arrivals.some(isOtherCoin)
      ? await loadSweepableCoins(context, tables, order, listed)
      : () => false,
    asksLate: merchant?.late === 'ask',
    now: context.clock(),
  }
}
