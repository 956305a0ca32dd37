import type { Attempt, AttemptState, Receipt } from './attempt.ts'
import { isLocked } from './attempt.ts'
import type { Order } from './order.ts'
import { orderMoves } from './order.ts'
import { moved } from './state-machine.ts'

type Verdict = 'none' | 'partial' | 'exact' | 'over' | 'late'

export interface Assessment {
  verdict: Verdict
  /** what the attempt's state is by its receipts alone */
  state: AttemptState
  received: bigint
  confirmed: bigint
  confirmations: number | null
}

/** The receipts that count towards an attempt: of the asset that was asked for, and still on their chain. */
export const counting = (attempt: Attempt, receipts: Receipt[]): Receipt[] =>
  receipts.filter(receipt => receipt.state !== 'gone' && receipt.assetId === attempt.assetId)

const sum = (receipts: Receipt[]): bigint => receipts.reduce((total, receipt) => total + receipt.amount, 0n)

/** By a provider's status alone, and no callback: without the payer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: Receipt): boolean =>
  attempt.provider !== null && txIn === null

/**
 * What arrived, at the least. A provider's status may tell the last payment or the sum of all, so that it is
 * never added to anything.
 */
function arrived(attempt: Attempt, receipts: Receipt[]): bigint {
  const told = sum(receipts.filter(receipt => !isStatusOnly(attempt, receipt)))
  const alone = receipts.filter(receipt => isStatusOnly(attempt, receipt))
  return alone.reduce((most, { amount }) => (amount > most ? amount : most), told)
}

/**
 * Judges what arrived for an attempt. Several payments add up; only the final ones settle. `checkedAt` is
 * when the upstream was last heard: an attempt does not expire before it was heard once after its lock.
 */
export function assess(
  attempt: Attempt,
  receipts: Receipt[],
  now: number,
  checkedAt: number | null,
): Assessment {
  const ours = counting(attempt, receipts)
  const final = ours.filter(receipt => receipt.state === 'final')
  const received = arrived(attempt, ours)
  const confirmed = arrived(attempt, final)
  const confirmations = ours.length === 0 ? null : Math.min(...ours.map(receipt => receipt.confirmations))
  const lockOver = !isLocked(attempt, now) && checkedAt !== null && checkedAt >= attempt.lockedUntil
  const state = stateOf(attempt, received, confirmed, lockOver)
  return { verdict: verdictOf(attempt, final, confirmed), state, received, confirmed, confirmations }
}

function stateOf(attempt: Attempt, received: bigint, confirmed: bigint, lockOver: boolean): AttemptState {
  if (confirmed >= attempt.enough) return 'settled'
  if (received >= attempt.enough) return 'confirming'
  if (lockOver) return 'expired'
  return received > 0n ? 'underpaid' : 'waiting'
}

function verdictOf(attempt: Attempt, final: Receipt[], confirmed: bigint): Verdict {
  if (confirmed === 0n) return 'none'
  if (confirmed < attempt.enough) return 'partial'
  const inTime = final.filter(receipt => receipt.paidAt <= attempt.lockedUntil)
  if (arrived(attempt, inTime) < attempt.enough) return 'late'
  return confirmed > attempt.due ? 'over' : 'exact'
}

/** Whether an attempt pays its order: enough while UNPAID, or, once EXPIRED, enough sent within the watch. */
export function maySettle(order: Order, attempt: Attempt, receipts: Receipt[]): boolean {
  if (moved(orderMoves, order.status, 'settle') === undefined) return false
  const final = counting(attempt, receipts).filter(({ state }) => state === 'final')
  const inTime =
    order.status === 'UNPAID' ? final : final.filter(({ paidAt }) => paidAt <= attempt.watchUntil)
  return arrived(attempt, inTime) >= attempt.enough
}

export type UnmatchedReason = 'wrong_asset' | 'underpaid' | 'second_payment' | 'order_closed' | 'too_late'

/** A payment that settles nothing: recorded with its evidence until the merchant has dealt with it. */
export interface UnmatchedPayment {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  receiptId: string
  reason: UnmatchedReason
  status: 'open' | 'resolved'
  createdAt: number
  updatedAt: number
}

/** Why a receipt settles nothing; null where it did, or may still. */
export function mismatch(receipt: Receipt, attempt: Attempt, order: Order): UnmatchedReason | null {
  if (receipt.state !== 'final' || receipt.settles) return null
  if (receipt.assetId !== attempt.assetId) return 'wrong_asset'
  if (order.status === 'PAID') return 'second_payment'
  if (order.status === 'CANCELLED' || order.status === 'FAILED') return 'order_closed'
  if (receipt.paidAt > attempt.watchUntil) return 'too_late'
  return attempt.state === 'expired' || attempt.kind === 'redirect' ? 'underpaid' : null
}
