import type { Attempt } from '../../../domain/attempt.ts'
import {
  coverageOf,
  isInTime,
  type LateTerms,
  missingOf,
  valuedAt,
  worthOf,
} from '../../../domain/coverage.ts'
import { type Amount, amountOf, minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { countingPayments } from '../../../domain/settlement.ts'
import type { DetectedPayment } from '../../../networks/port.ts'
import type { KeptRate, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { keptPayments } from './kept-payments.ts'

/** How far a stored rate may be from the payment that it values. */
const RANGE_MS = 10 * 60_000

/**
 * Fetches the present rates of payments that have just arrived late or in another asset: none may have been
 * stored for this minute. To be called before the write that records the payments.
 */
export async function fetchPresentRates(
  { storage, rates, clock }: Pick<Context, 'storage' | 'rates' | 'clock'>,
  attemptId: string,
  detectedPayments: DetectedPayment[],
): Promise<KeptRate[]> {
  const now = clock()
  const recent = detectedPayments.filter(({ paidAt }) => now - paidAt <= RANGE_MS)
  if (recent.length === 0) return []
  const found = await storage.read(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    return attempt && { attempt, order: (await tables.orders.find(attempt.orderId))?.order }
  })
  if (!found?.order) return []
  const { attempt, order } = found
  const unlocked = recent.filter(
    ({ assetId, paidAt }) => assetId !== attempt.assetId || paidAt > attempt.lockedUntil,
  )
  const assetIds = new Set(unlocked.map(({ assetId }) => assetId))
  const kept = await Promise.all(
    [...assetIds].map(async assetId => {
      const rate = await rates.rate(assetId, order.currency)
      return rate ? [{ ...rate, assetId, at: now }] : []
    }),
  )
  return kept.flat()
}

/** The rate nearest to the time of each payment, by the payment's ID. */
export async function loadRates(
  tables: Tables,
  { currency }: Order,
  incomingPayments: IncomingPayment[],
): Promise<Map<string, string>> {
  const rates = new Map<string, string>()
  const known = new Map<string, string | null>()
  for (const incoming of incomingPayments) {
    const { id, assetId } = incoming
    const at = valuedAt(incoming)
    const key = `${assetId} ${at}`
    if (!known.has(key)) {
      known.set(key, (await tables.rates.nearest({ assetId, currency }, at, RANGE_MS))?.value ?? null)
    }
    const rate = known.get(key)
    if (rate) rates.set(id, rate)
  }
  return rates
}

/** What late payments of an attempt are worth to its order. The merchant may want to decide about them. */
export async function loadLateTerms(
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<LateTerms> {
  const late = countingPayments(attempt, incomingPayments).filter(one => !isInTime(attempt, one))
  const merchant = late.length > 0 ? await tables.merchants.find(order.merchantId) : null
  const rates = merchant?.late === 'settle' ? await loadRates(tables, order, late) : new Map<string, string>()
  return { order, rateOf: ({ id }) => rates.get(id) ?? null }
}

/** What a payment was worth, and what is missing of its order; null where that is not known. */
interface Valued {
  value: Amount | null
  shortfall: Amount | null
}

/** Values the payments of an attempt that settle nothing, whatever the merchant decided about late ones. */
export async function loadValues(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<(incoming: IncomingPayment) => Valued> {
  const kept = await keptPayments(tables, attempt, incomingPayments)
  const counting = countingPayments(attempt, kept).filter(({ state }) => state === 'final')
  const isLockedRate = (one: IncomingPayment) => one.assetId === attempt.assetId && isInTime(attempt, one)
  const others = incomingPayments.filter(one => one.state === 'final' && !isLockedRate(one))
  const rates = await loadRates(tables, order, others)
  const isKnown = counting.every(one => isLockedRate(one) || rates.has(one.id))
  const rateOf = ({ id }: IncomingPayment) => rates.get(id) ?? null
  const isClosed = order.status !== 'UNPAID' && order.status !== 'EXPIRED'
  const missing = isKnown ? missingOf(attempt, order, coverageOf(attempt, counting, { order, rateOf })) : null
  return incoming => {
    const { assetId } = incoming
    const decimals = assetId === attempt.assetId ? attempt.decimals : networks.asset(assetId)?.decimals
    const rate = rateOf(incoming)
    const price = rate !== null && decimals !== undefined ? { rate, decimals } : null
    const value = worthOf(attempt, order, incoming, price)
    if (isClosed) return { value, shortfall: null }
    return { value, shortfall: assetId === attempt.assetId ? missing : missingAfter(order, value) }
  }
}

/** What a payment in another asset leaves unpaid. */
function missingAfter({ amount, currency }: Order, value: Amount | null): Amount | null {
  if (value === null) return null
  const missing = minorOf(amount, currency) - minorOf(value, currency)
  return missing > 0n ? amountOf(missing, currency) : null
}
