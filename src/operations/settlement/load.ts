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

/** How far a stored rate may be from the payment that it values. */
export const RATE_RANGE_MS = 10 * 60_000

export type LoadContext = Pick<Context, 'clock' | 'networks'>

/** What an upstream has just reported about an attempt. */
interface Reported {
  attempt: Attempt
  report: PaymentReport
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
  const attempts = await tables.attempts.listOf(orderId)
  const stored = attempts.length === 0 ? [] : await tables.incomingPayments.listOfOrder(orderId)
  const detected = reported?.report.detectedPayments ?? []
  const isPaid = stored.length + detected.length > 0
  const merchant = isPaid ? await tables.merchants.find(found.order.merchantId) : null
  const unmatched = isPaid ? await tables.unmatched.listOf(orderId) : []
  const settled = found.order.transactionId !== null
  return {
    ...found,
    attempts: attempts.map(attempt => ({
      attempt,
      payments: stored.filter(({ attemptId }) => attemptId === attempt.id),
    })),
    unmatched: unmatched.map(({ payment }) => payment),
    settlement: settled ? await tables.transactions.findSettlement(orderId) : null,
    claimed: new Set(),
    rateOf: await loadRates(tables, found.order.currency, [
      ...stored.map(payment => ({ payment, of: attempts.find(({ id }) => id === payment.attemptId) })),
      ...detected.map(one => ({ payment: dated(one), of: reported?.attempt })),
    ]),
    assetOf: id => context.networks.asset(id),
    countsOther: hasOtherCoins(attempts, stored, reported)
      ? await loadSweepableCoins(context, tables, found.order, attempts)
      : () => false,
    asksLate: merchant?.late === 'ask',
    now: context.clock(),
  }
}

/** Whether anything arrived in another coin than its attempt asked for. */
const hasOtherCoins = (
  attempts: readonly Attempt[],
  stored: readonly IncomingPayment[],
  reported: Reported | undefined,
): boolean =>
  attempts.some(({ id, assetId }) => stored.some(one => one.attemptId === id && one.assetId !== assetId)) ||
  (reported?.report.detectedPayments ?? []).some(({ assetId }) => assetId !== reported?.attempt.assetId)

type Dated = Pick<IncomingPayment, 'assetId' | 'minedAt' | 'paidAt' | 'seen' | 'height'>

const dated = (detected: DetectedPayment): Dated => {
  const { assetId, paidAt, height } = detected
  return { assetId, minedAt: minedAt(detected), paidAt, seen: [], height }
}

/**
 * The keys of reported payments that another attempt has. Addresses are shared only where the amount
 * identifies the buyer, and a charge has no address.
 */
export async function listClaimed(tables: Tables, { attempt, report }: Reported): Promise<Set<string>> {
  const claimed = new Set<string>()
  const isAlone = attempt.provider === null ? !attempt.shared : attempt.address !== null
  if (isAlone) return claimed
  for (const { txId, txIndex } of report.detectedPayments) {
    const others = await tables.incomingPayments.listByTx(report.source, txId, txIndex)
    if (others.some(({ attemptId }) => attemptId !== attempt.id)) claimed.add(`${txId} ${txIndex}`)
  }
  return claimed
}

/** A payment, and the attempt that it was sent to. */
interface Sent {
  payment: Dated
  of: Attempt | undefined
}

/** Whether all of a payment can only be in time, so that nobody needs to know its price. */
const isSurelyInTime = ({ payment, of }: Sent): boolean =>
  of !== undefined && payment.assetId === of.assetId && valuedAt(payment) <= of.lockedUntil - of.blindMs

/** When the price of a payment counts: of another coin in a block without a time also at the opening. */
function timesOf({ payment, of }: Sent): number[] {
  const isOther = of !== undefined && payment.assetId !== of.assetId
  return isOther && isUndated(payment) ? [valuedAt(payment), of.createdAt] : [valuedAt(payment)]
}

/** The rates nearest to the times of payments; the least where several times count. */
async function loadRates(
  tables: Tables,
  currency: string,
  payments: readonly Sent[],
): Promise<Case['rateOf']> {
  const rates = new Map<string, string | null>()
  const attempts = new Map(payments.flatMap(({ of }) => (of ? [[of.id, of] as const] : [])))
  const keyOf = ({ assetId }: Dated, at: number) => `${assetId} ${at}`
  for (const sent of payments.filter(one => !isSurelyInTime(one))) {
    const pair = { assetId: sent.payment.assetId, currency }
    for (const at of timesOf(sent)) {
      const key = keyOf(sent.payment, at)
      if (rates.has(key)) continue
      rates.set(key, (await tables.rates.nearest(pair, at, RATE_RANGE_MS))?.value ?? null)
    }
  }
  return payment => {
    const found = timesOf({ payment, of: attempts.get(payment.attemptId) }).flatMap(
      at => rates.get(keyOf(payment, at)) ?? [],
    )
    return found.reduce<string | null>(
      (least, rate) => (least === null || isLowerRate(rate, least) ? rate : least),
      null,
    )
  }
}
