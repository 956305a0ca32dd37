import type { Attempt } from './attempt.ts'
import { type Amount, amountOf, ceilDiv, minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { MINED_WITHIN_MS, VALUE_UNIT, valueAt } from './quote.ts'

type Timed = Pick<IncomingPayment, 'paidAt' | 'minedAt'>

/**
 * Whether a payment arrived while its quoted amount held: seen or mined before the end of the grace. One that
 * was only seen counts if it is mined soon enough. Pages of providers have no lock.
 */
export function isInTime(attempt: Attempt, { paidAt, minedAt }: Timed): boolean {
  if (attempt.kind === 'redirect') return paidAt <= attempt.watchUntil
  if (paidAt > attempt.graceUntil) return false
  const minedBy = Math.max(attempt.graceUntil, attempt.lockedUntil + MINED_WITHIN_MS)
  return minedAt === null || minedAt <= minedBy
}

/** When a late payment is valued: the time of its block, or when it was reported. */
export const valuedAt = ({ paidAt, minedAt }: Timed): number => minedAt ?? paidAt

/** What late payments are worth to an order. */
export interface LateTerms {
  order: Pick<Order, 'amount' | 'currency'>
  /** The price of a late payment's coin when it arrived; null if it is unknown, or the merchant decides. */
  rateOf(incoming: IncomingPayment): string | null
}

/** How much of an order's amount is paid. */
export interface Coverage {
  /** the amount that arrived in time, at the quoted rate */
  inTimeAtomic: bigint
  /** the value of what arrived later, in units of 1 / VALUE_UNIT of a minor unit */
  lateValue: bigint
}

/** Whether a provider reported it by a status look-up only: such a report lacks the buyer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * The least that arrived. A provider's status may report the last payment or the total of all payments, so it
 * is never added to other reports.
 */
class Arrived {
  #reported = 0n
  #status = 0n

  constructor(private readonly attempt: Attempt) {}

  get sum(): bigint {
    return this.#reported > this.#status ? this.#reported : this.#status
  }

  /** Returns by how much the sum grew. */
  add(incoming: IncomingPayment): bigint {
    const before = this.sum
    if (!isStatusOnly(this.attempt, incoming)) this.#reported += incoming.amountAtomic
    else if (incoming.amountAtomic > this.#status) this.#status = incoming.amountAtomic
    return this.sum - before
  }
}

export function arrived(attempt: Attempt, incomingPayments: IncomingPayment[]): bigint {
  const sum = new Arrived(attempt)
  for (const incoming of incomingPayments) sum.add(incoming)
  return sum.sum
}

const byTime = (a: IncomingPayment, b: IncomingPayment): number =>
  valuedAt(a) - valuedAt(b) || (a.id < b.id ? -1 : 1)

/** What payments in the attempt's asset cover: each late one by its own rate, within the watch. */
export function coverageOf(
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  { order, rateOf }: LateTerms,
): Coverage {
  const sum = new Arrived(attempt)
  for (const incoming of incomingPayments) if (isInTime(attempt, incoming)) sum.add(incoming)
  const inTimeAtomic = sum.sum
  let lateValue = 0n
  const late = incomingPayments.filter(incoming => isValuedLate(attempt, incoming)).sort(byTime)
  for (const incoming of late) {
    const rate = rateOf(incoming)
    if (rate !== null) lateValue += valueAt(sum.add(incoming), attempt.decimals, rate, order.currency)
  }
  return { inTimeAtomic, lateValue }
}

const isValuedLate = (attempt: Attempt, incoming: IncomingPayment): boolean =>
  !isInTime(attempt, incoming) && incoming.paidAt <= attempt.watchUntil

type Priced = Pick<Order, 'amount' | 'currency'>

/** Whether in time ÷ due + late value ÷ order amount is at least the attempt's threshold ÷ due. */
export function covers(
  { dueAtomic, thresholdAtomic }: Attempt,
  order: Priced,
  { inTimeAtomic, lateValue }: Coverage,
): boolean {
  const price = minorOf(order.amount, order.currency) * VALUE_UNIT
  return inTimeAtomic * price + lateValue * dueAtomic >= thresholdAtomic * price
}

/** What is missing of an order's amount, rounded up to the minor unit; null if nothing is. */
export function missingOf(
  { dueAtomic }: Attempt,
  order: Priced,
  { inTimeAtomic, lateValue }: Coverage,
): Amount | null {
  const price = minorOf(order.amount, order.currency) * VALUE_UNIT
  const missing = dueAtomic * price - inTimeAtomic * price - lateValue * dueAtomic
  return missing > 0n ? amountOf(ceilDiv(missing, dueAtomic * VALUE_UNIT), order.currency) : null
}

/** The value of one payment in the order's currency, rounded down; at the quoted rate if it was in time. */
export function worthOf(
  attempt: Attempt,
  order: Priced,
  incoming: IncomingPayment,
  price: { rate: string; decimals: number } | null,
): Amount | null {
  const { assetId, amountAtomic } = incoming
  if (assetId === attempt.assetId && isInTime(attempt, incoming)) {
    const minor = minorOf(order.amount, order.currency)
    return amountOf((amountAtomic * minor) / attempt.dueAtomic, order.currency)
  }
  if (price === null) return null
  const value = valueAt(amountAtomic, price.decimals, price.rate, order.currency)
  return amountOf(value / VALUE_UNIT, order.currency)
}
