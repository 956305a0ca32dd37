import type { Attempt, AttemptState, IncomingPayment } from './attempt.ts'
import { isLocked } from './attempt.ts'
import type { Order } from './order.ts'
import { orderTransitions } from './order.ts'
import { nextState } from './state-machine.ts'

type SettlementVerdict = 'none' | 'partial' | 'exact' | 'over' | 'late'

export interface Assessment {
  verdict: SettlementVerdict
  /** what the attempt's state is by its receipts alone */
  state: AttemptState
  received: bigint
  confirmed: bigint
  confirmations: number | null
}

/** The receipts that count towards an attempt: of the asset that was asked for, and still on their chain. */
export const countingPayments = (attempt: Attempt, incomingPayments: IncomingPayment[]): IncomingPayment[] =>
  incomingPayments.filter(incoming => incoming.state !== 'gone' && incoming.assetId === attempt.assetId)

const sum = (incomingPayments: IncomingPayment[]): bigint =>
  incomingPayments.reduce((total, incoming) => total + incoming.amount, 0n)

/** By a provider's status alone, and no callback: without the payer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * What arrived, at the least. A provider's status may tell the last payment or the sum of all, so that it is
 * never added to anything.
 */
function arrived(attempt: Attempt, incomingPayments: IncomingPayment[]): bigint {
  const told = sum(incomingPayments.filter(incoming => !isStatusOnly(attempt, incoming)))
  const alone = incomingPayments.filter(incoming => isStatusOnly(attempt, incoming))
  return alone.reduce((most, { amount }) => (amount > most ? amount : most), told)
}

/**
 * Judges what arrived for an attempt. Several payments add up; only the final ones settle. `checkedAt` is
 * when the upstream was last heard: an attempt does not expire before it was heard once after its lock.
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
  return confirmed > attempt.dueAtomic ? 'over' : 'exact'
}

/** Whether an attempt pays its order: enough while UNPAID, or, once EXPIRED, enough sent within the watch. */
export function maySettle(order: Order, attempt: Attempt, incomingPayments: IncomingPayment[]): boolean {
  if (nextState(orderTransitions, order.status, 'settle') === undefined) return false
  const final = countingPayments(attempt, incomingPayments).filter(({ state }) => state === 'final')
  const inTime =
    order.status === 'UNPAID' ? final : final.filter(({ paidAt }) => paidAt <= attempt.watchUntil)
  return arrived(attempt, inTime) >= attempt.thresholdAtomic
}

export type UnmatchedReason = 'wrong_asset' | 'underpaid' | 'second_payment' | 'order_closed' | 'too_late'

/** A payment that settles nothing: recorded with its evidence until the merchant has dealt with it. */
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

/** Why a receipt settles nothing; null where it did, or may still. */
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
  return attempt.state === 'expired' || attempt.kind === 'redirect' ? 'underpaid' : null
}
