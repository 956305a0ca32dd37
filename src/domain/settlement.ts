import { type Attempt, type AttemptState, isLocked, lacksOnlyDust } from './attempt.ts'
import { type Order, orderTransitions } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { shareOf } from './quote.ts'
import { nextState } from './state-machine.ts'

type SettlementVerdict = 'none' | 'partial' | 'exact' | 'short' | 'over' | 'late'

export interface Assessment {
  verdict: SettlementVerdict
  /** the attempt's state by its payments alone */
  state: AttemptState
  received: bigint
  confirmed: bigint
  confirmations: number | null
}

/** The payments that count towards an attempt: in the asset it asked for, and still on their chain. */
export const countingPayments = (attempt: Attempt, incomingPayments: IncomingPayment[]): IncomingPayment[] =>
  incomingPayments.filter(incoming => incoming.state !== 'gone' && incoming.assetId === attempt.assetId)

const sum = (incomingPayments: IncomingPayment[]): bigint =>
  incomingPayments.reduce((total, incoming) => total + incoming.amount, 0n)

/** Whether a provider reported it by a status look-up only: such a report lacks the buyer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * The least that arrived. A provider's status may report the last payment or the total of all payments, so it
 * is never added to other reports.
 */
function arrived(attempt: Attempt, incomingPayments: IncomingPayment[]): bigint {
  const reported = sum(incomingPayments.filter(incoming => !isStatusOnly(attempt, incoming)))
  const statusOnly = incomingPayments.filter(incoming => isStatusOnly(attempt, incoming))
  return statusOnly.reduce((most, { amount }) => (amount > most ? amount : most), reported)
}

/**
 * Assesses what arrived for an attempt. Several payments add up; only final ones settle. `checkedAt` is when
 * the upstream last answered: an attempt expires only after an answer that came after its lock.
 */
export function assess(
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  now: number,
  checkedAt: number | null,
): Assessment {
  const ours = countingPayments(attempt, incomingPayments)
  const final = ours.filter(incoming => incoming.state === 'final')
  const received = arrived(attempt, ours)
  const confirmed = arrived(attempt, final)
  const confirmations = ours.length === 0 ? null : Math.min(...ours.map(incoming => incoming.confirmations))
  const lockOver = !isLocked(attempt, now) && checkedAt !== null && checkedAt >= attempt.lockedUntil
  const state = stateOf(attempt, received, confirmed, lockOver)
  return { verdict: verdictOf(attempt, final, confirmed), state, received, confirmed, confirmations }
}

function stateOf(attempt: Attempt, received: bigint, confirmed: bigint, lockOver: boolean): AttemptState {
  if (confirmed >= attempt.thresholdAtomic) return 'settled'
  if (received >= attempt.thresholdAtomic) return 'confirming'
  if (lockOver) return 'expired'
  return received > 0n ? 'underpaid' : 'waiting'
}

function verdictOf(attempt: Attempt, final: IncomingPayment[], confirmed: bigint): SettlementVerdict {
  if (confirmed === 0n) return 'none'
  if (confirmed < attempt.thresholdAtomic) return 'partial'
  const inTime = final.filter(incoming => incoming.paidAt <= attempt.lockedUntil)
  if (arrived(attempt, inTime) < attempt.thresholdAtomic) return 'late'
  if (isShort(attempt, confirmed)) return 'short'
  return confirmed > attempt.dueAtomic ? 'over' : 'exact'
}

/** Providers deduct their fee. What they pay out is short if less than this share arrived, in millionths. */
const USUAL_SHARE = 950_000n

/** Whether less arrived than the merchant expects, although it may be enough. */
export function isShort(attempt: Attempt, atomic: bigint): boolean {
  const isForwardedPage = attempt.kind === 'redirect'
  return atomic < (isForwardedPage ? shareOf(attempt.dueAtomic, USUAL_SHARE) : attempt.dueAtomic)
}

/** The later parts of a settled attempt that belong to its settlement: those that complete its due. */
export function laterParts(attempt: Attempt, incomingPayments: IncomingPayment[]): IncomingPayment[] {
  if (attempt.state !== 'settled') return []
  const final = countingPayments(attempt, incomingPayments).filter(({ state }) => state === 'final')
  const settling = final.filter(({ settles }) => settles)
  const parts: IncomingPayment[] = []
  for (const incoming of final.filter(({ settles }) => !settles)) {
    if (arrived(attempt, [...settling, ...parts, incoming]) <= attempt.dueAtomic) parts.push(incoming)
  }
  return parts
}

/** Whether an attempt pays its order: with enough while UNPAID, with enough in the watch once EXPIRED. */
export function maySettle(order: Order, attempt: Attempt, incomingPayments: IncomingPayment[]): boolean {
  if (nextState(orderTransitions, order.status, 'settle') === undefined) return false
  const final = countingPayments(attempt, incomingPayments).filter(({ state }) => state === 'final')
  const inTime =
    order.status === 'UNPAID' ? final : final.filter(({ paidAt }) => paidAt <= attempt.watchUntil)
  return arrived(attempt, inTime) >= attempt.thresholdAtomic
}

export type UnmatchedReason = 'wrong_asset' | 'underpaid' | 'second_payment' | 'order_closed' | 'too_late'

/** A payment that settles nothing: kept with its evidence until the merchant has dealt with it. */
export interface UnmatchedPayment {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  incomingPaymentId: string
  reason: UnmatchedReason
  status: 'open' | 'resolved'
  createdAt: number
  updatedAt: number
}

/** Why a payment settles nothing; null if it did settle, or still may. */
export function unmatchedReason(
  incoming: IncomingPayment,
  attempt: Attempt,
  order: Order,
): UnmatchedReason | null {
  if (incoming.state !== 'final' || incoming.settles) return null
  if (incoming.assetId !== attempt.assetId) return 'wrong_asset'
  if (order.status === 'PAID') return 'second_payment'
  if (order.status === 'CANCELLED' || order.status === 'FAILED') return 'order_closed'
  if (incoming.paidAt > attempt.watchUntil) return 'too_late'
  if (lacksOnlyDust(attempt)) return 'underpaid'
  return attempt.state === 'expired' || attempt.kind === 'redirect' ? 'underpaid' : null
}
