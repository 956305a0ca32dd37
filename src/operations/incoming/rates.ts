import type { Attempt } from '../../domain/attempt.ts'
import { isUndated, type OrderPayments, valuedAt } from '../../domain/coverage.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { isLowerRate } from '../../domain/quote.ts'
import type { DetectedPayment } from '../../networks/port.ts'
import type { KeptRate, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { minedAt, type PaymentReport } from './merge.ts'

/** The longest time between a payment and the stored rate that values it. */
const RATE_RANGE_MS = 10 * 60_000

/** A payment of an attempt, stored or just reported. */
interface Arrival {
  attempt: Attempt
  payment: Pick<IncomingPayment, 'assetId' | 'minedAt' | 'paidAt' | 'seen' | 'height'>
}

export const arrivalOf = (attempt: Attempt, detected: DetectedPayment): Arrival => {
  const { assetId, paidAt, height } = detected
  return { attempt, payment: { assetId, minedAt: minedAt(detected), paidAt, seen: [], height } }
}

export const isOtherCoin = ({ attempt, payment }: Arrival): boolean => payment.assetId !== attempt.assetId

/** Returns true if a payment is certainly in time, so that its rate is not needed. */
const isSurelyInTime = ({ attempt, payment }: Arrival): boolean =>
  payment.assetId === attempt.assetId && valuedAt(payment) <= attempt.lockedUntil - attempt.blindMs

/**
 * The times whose rates can count for a payment. If another coin arrived and the time of its block is
 * unknown, the rate at the opening of the attempt can count too.
 */
const timesOf = (arrival: Arrival): number[] => {
  const { attempt, payment } = arrival
  const at = valuedAt(payment)
  return isOtherCoin(arrival) && isUndated(payment) ? [at, attempt.createdAt] : [at]
}

/**
 * Loads the rates nearest to the times of payments that have no rate yet. If several times can count for a
 * payment, the lowest rate is used.
 */
export async function loadRates(
  tables: Tables,
  currency: string,
  arrivals: readonly Arrival[],
): Promise<OrderPayments['rateOf']> {
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
    if (payment.rate !== null) return payment.rate
    const attempt = attempts.get(payment.attemptId)
    const times = attempt ? timesOf({ attempt, payment }) : []
    const found = times.flatMap(at => rates.get(keyOf(payment, at)) ?? [])
    const [first = null, ...others] = found
    return others.reduce((least, rate) => (least !== null && isLowerRate(rate, least) ? rate : least), first)
  }
}

/**
 * Fetches the current rates of payments that have just arrived late or in another asset, because no rate may
 * be stored for this minute yet. Call it before the write that records the payments.
 */
export async function fetchPresentRates(
  { storage, rates, clock }: Pick<Context, 'storage' | 'rates' | 'clock'>,
  attemptId: string,
  { detectedPayments }: PaymentReport,
): Promise<KeptRate[]> {
  const now = clock()
  const recent = detectedPayments.filter(({ paidAt }) => now - paidAt <= RATE_RANGE_MS)
  if (recent.length === 0) return []
  const found = await storage.read(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const order = attempt && (await tables.orders.find(attempt.orderId))?.order
    return order && { attempt, order, stored: await tables.incomingPayments.listOf(attemptId) }
  })
  if (!found) return []
  const { attempt, order, stored } = found
  const unlocked = recent.filter(one => needsRate(attempt, stored, one))
  if (unlocked.length === 0) return []
  const assetIds = new Set(unlocked.map(({ assetId }) => assetId))
  const rateOf = await rates.latest()
  return [...assetIds].flatMap(assetId => {
    const rate = rateOf(assetId, order.currency)
    return rate ? [{ ...rate, assetId, at: now }] : []
  })
}

/**
 * True if the value of a reported payment may need a rate of this minute. A stored payment outside of blocks
 * keeps its time, while a provider's report of it always has the present time.
 */
function needsRate(attempt: Attempt, stored: readonly IncomingPayment[], one: DetectedPayment): boolean {
  const isSame = ({ txId, txIndex, amountAtomic, height }: IncomingPayment): boolean =>
    txId === one.txId && txIndex === one.txIndex && amountAtomic === one.amountAtomic && height === null
  const known = one.height === null ? stored.find(isSame) : undefined
  const arrival = known ? { attempt, payment: known } : arrivalOf(attempt, one)
  return (known?.rate ?? null) === null && !isSurelyInTime(arrival)
}
