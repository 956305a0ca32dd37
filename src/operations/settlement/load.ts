import type { Attempt } from '../../domain/attempt.ts'
import { isUndated, valuedAt } from '../../domain/coverage.ts'
import { assert } from '../../domain/errors.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { isLowerRate } from '../../domain/quote.ts'
import type { DetectedPayment } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import { loadSweepableCoins } from '../addresses/steps/sweepable-coins.ts'
import type { Context } from '../context.ts'
import type { Case } from './case.ts'
import { minedAt, type PaymentReport } from './merge.ts'

/** The longest time between a payment and the stored rate that values it. */
export const RATE_RANGE_MS = 10 * 60_000

export type LoadContext = Pick<Context, 'clock' | 'networks'>

/** A new report, and the attempt that it is about. */
interface Reported {
  attempt: Attempt
  report: PaymentReport
}

/** A payment of an attempt, stored or just reported. */
interface Arrival {
  attempt: Attempt
  payment: Pick<IncomingPayment, 'assetId' | 'minedAt' | 'paidAt' | 'seen' | 'height'>
}

/**
 * Loads everything that the money of an order depends on, also what a report needs that is not merged yet.
 * Nothing else is read before the decision is applied.
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
    rateOf: await loadRates(tables, order.currency, arrivals),
    assetOf: id => context.networks.asset(id),
    countsOther: arrivals.some(isOtherCoin)
      ? await loadSweepableCoins(context, tables, order, listed)
      : () => false,
    asksLate: merchant?.late === 'ask',
    now: context.clock(),
  }
}

export const arrivalOf = (attempt: Attempt, detected: DetectedPayment): Arrival => {
  const { assetId, paidAt, height } = detected
  return { attempt, payment: { assetId, minedAt: minedAt(detected), paidAt, seen: [], height } }
}

const isOtherCoin = ({ attempt, payment }: Arrival): boolean => payment.assetId !== attempt.assetId

/**
 * Finds reported payments that another attempt already has. Addresses are shared only where the amount
 * identifies the buyer, and a charge has no address.
 */
async function loadClaimed(tables: Tables, { attempt, report }: Reported): Promise<Case['isClaimed']> {
  const isAlone = attempt.provider === null ? !attempt.shared : attempt.address !== null
  const claimed = new Set<string>()
  for (const { txId, txIndex } of isAlone ? [] : report.detectedPayments) {
    const same = await tables.incomingPayments.listByTx(report.source, txId, txIndex)
    if (same.some(({ attemptId }) => attemptId !== attempt.id)) claimed.add(`${txId} ${txIndex}`)
  }
  return ({ attemptId, txId, txIndex }) => attemptId === attempt.id && claimed.has(`${txId} ${txIndex}`)
}

/** Returns true if all of a payment can only be in time, so that its rate is not needed. */
export const isSurelyInTime = ({ attempt, payment }: Arrival): boolean =>
  payment.assetId === attempt.assetId && valuedAt(payment) <= attempt.lockedUntil - attempt.blindMs

/**
 * The times whose rates can count. Without the time of its block, another coin may count as at the opening.
 */
const timesOf = (arrival: Arrival): number[] => {
  const { attempt, payment } = arrival
  const at = valuedAt(payment)
  return isOtherCoin(arrival) && isUndated(payment) ? [at, attempt.createdAt] : [at]
}

/** The rates nearest to the times of payments; the least where several times count. */
async function loadRates(
  tables: Tables,
  currency: string,
  arrivals: readonly Arrival[],
): Promise<Case['rateOf']> {
  const rates = new Map<string, string | null>()
  const attempts = new Map(arrivals.map(({ attempt }) => [attempt.id, attempt]))
  const keyOf = ({ assetId }: Arrival['payment'], at: number) => `${assetId} ${at}`
  for (const arrival of arrivals) {
    if (isSurelyInTime(arrival)) continue
    const pair = { assetId: arrival.payment.assetId, currency }
    for (const at of timesOf(arrival)) {
      const key = keyOf(arrival.payment, at)
      if (rates.has(key)) continue
      rates.set(key, (await tables.rates.nearest(pair, at, RATE_RANGE_MS))?.value ?? null)
    }
  }
  return payment => {
    const attempt = attempts.get(payment.attemptId)
    const times = attempt ? timesOf({ attempt, payment }) : []
    const found = times.flatMap(at => rates.get(keyOf(payment, at)) ?? [])
    const [first = null, ...others] = found
    return others.reduce((least, rate) => (least !== null && isLowerRate(rate, least) ? rate : least), first)
  }
}
