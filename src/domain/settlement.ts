import { type Attempt, type AttemptState, lacksOnlyDust } from './attempt.ts'
import { arrived, type Coverage, coverageOf, covers, isInTime, type LateTerms } from './coverage.ts'
import type { Amount } from './money.ts'
import { type Order, orderTransitions } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { shareOf } from './quote.ts'
import { nextState } from './state-machine.ts'

type SettlementVerdict = 'none' | 'partial' | 'exact' | 'short' | 'over' | 'late'

/** What arrived for an attempt. */
type Sums = Pick<Attempt, 'receivedAtomic' | 'confirmedAtomic' | 'confirmations'>

export interface Assessment extends Sums {
  verdict: SettlementVerdict
  /** the attempt's state by its payments alone */
  state: AttemptState
  /** what the final payments cover */
  coverage: Coverage
}

/** The payments that count towards an attempt: in the asset it asked for, and still on their chain. */
export const countingPayments = (attempt: Attempt, incomingPayments: IncomingPayment[]): IncomingPayment[] =>
  incomingPayments.filter(incoming => incoming.state !== 'gone' && incoming.assetId === attempt.assetId)

const isFinal = ({ state }: IncomingPayment): boolean => state === 'final'

/** The sums of the payments that count. */
export function sumsOf(attempt: Attempt, incomingPayments: IncomingPayment[]): Sums {
  const ours = countingPayments(attempt, incomingPayments)
  const confirmations = ours.map(incoming => incoming.confirmations)
  return {
    receivedAtomic: arrived(attempt, ours),
    confirmedAtomic: arrived(attempt, ours.filter(isFinal)),
    confirmations: confirmations.reduce<number | null>((least, one) => Math.min(least ?? one, one), null),
  }
}

/**
 * Assesses what arrived for an attempt. Several payments add up; only final ones settle. `checkedAt` is when
 * the upstream last answered: an attempt expires only after an answer that came after its grace.
 */
export function assess(
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  terms: LateTerms,
  now: number,
  checkedAt: number | null,
): Assessment {
  const ours = countingPayments(attempt, incomingPayments)
  const final = ours.filter(isFinal)
  const sums = sumsOf(attempt, incomingPayments)
  const coverage = coverageOf(attempt, final, terms)
  const isCovered = covers(attempt, terms.order, coverage)
  const isExpected = isCovered || covers(attempt, terms.order, coverageOf(attempt, ours, terms))
  const isOver = now >= attempt.graceUntil && checkedAt !== null && checkedAt >= attempt.graceUntil
  return {
    ...sums,
    verdict: verdictOf(attempt, final, sums.confirmedAtomic, coverage, isCovered),
    state: isCovered ? 'settled' : isExpected ? 'confirming' : openState(sums.receivedAtomic, isOver),
    coverage,
  }
}

function openState(receivedAtomic: bigint, isOver: boolean): AttemptState {
  if (isOver) return 'expired'
  return receivedAtomic > 0n ? 'underpaid' : 'waiting'
}

function verdictOf(
  attempt: Attempt,
  final: IncomingPayment[],
  confirmedAtomic: bigint,
  { inTimeAtomic }: Coverage,
  isCovered: boolean,
): SettlementVerdict {
  if (confirmedAtomic === 0n) return 'none'
  if (!isCovered) return 'partial'
  if (inTimeAtomic < attempt.thresholdAtomic || isAfterExpiry(attempt, final)) return 'late'
  if (isShort(attempt, confirmedAtomic)) return 'short'
  return confirmedAtomic > attempt.dueAtomic ? 'over' : 'exact'
}

/** A payment on a provider's page settles after its order's expiry too, but the merchant is notified. */
function isAfterExpiry(attempt: Attempt, final: IncomingPayment[]): boolean {
  if (attempt.kind !== 'redirect') return false
  const before = final.filter(({ paidAt }) => paidAt <= attempt.lockedUntil)
  return arrived(attempt, before) < attempt.thresholdAtomic
}

/** Providers deduct their fee. What they pay out is short if less than this share arrived, in millionths. */
const USUAL_SHARE = 950_000n

/** Whether less arrived than the merchant expects, although it may be enough. */
export function isShort(attempt: Attempt, atomic: bigint): boolean {
  const isForwardedPage = attempt.kind === 'redirect'
  return atomic < (isForwardedPage ? shareOf(attempt.dueAtomic, USUAL_SHARE) : attempt.dueAtomic)
}

/** Whether a payment settles the order of an attempt without counting towards it: it was accepted. */
const settlesBeside = (attempt: Attempt, { settles, attemptId, assetId }: IncomingPayment): boolean =>
  settles && (attemptId !== attempt.id || assetId !== attempt.assetId)

/**
 * The later parts of a settled attempt that belong to its settlement: those that complete its due. `others`
 * are the payments of the order's other attempts: where any of them pays, the attempt's due is not what is
 * missing.
 */
export function laterParts(
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  others: IncomingPayment[] = [],
): IncomingPayment[] {
  if (attempt.state !== 'settled') return []
  if ([...incomingPayments, ...others].some(one => settlesBeside(attempt, one))) return []
  const final = countingPayments(attempt, incomingPayments).filter(isFinal)
  const settling = final.filter(({ settles }) => settles)
  const parts: IncomingPayment[] = []
  for (const incoming of final.filter(({ settles }) => !settles)) {
    if (arrived(attempt, [...settling, ...parts, incoming]) <= attempt.dueAtomic) parts.push(incoming)
  }
  return parts
}

/** Whether an assessed attempt pays its order: UNPAID, or EXPIRED. */
export const maySettle = (order: Order, { state }: Assessment): boolean =>
  state === 'settled' && nextState(orderTransitions, order.status, 'settle') !== undefined

export type UnmatchedReason =
  | 'wrong_asset'
  | 'underpaid'
  | 'late'
  | 'second_payment'
  | 'order_closed'
  | 'too_late'

/** A payment that settles nothing: kept with its evidence until the merchant has dealt with it. */
export interface UnmatchedPayment {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  incomingPaymentId: string
  reason: UnmatchedReason
  status: 'open' | 'resolved' | 'accepted'
  /** what it was worth in the order's currency when it arrived; null if that is unknown */
  value: Amount | null
  /** what all payments of its attempt leave unpaid of the order; null if nothing, or if it is paid */
  shortfall: Amount | null
  /** what the merchant wrote when they resolved or accepted it */
  note: string | null
  /** who resolved or accepted it; null while it is open, or if a later payment completed it */
  decidedBy: string | null
  createdAt: number
  updatedAt: number
}

/** What a merchant decided about an unmatched payment. */
export type UnmatchedDecision = Pick<UnmatchedPayment, 'note' | 'decidedBy' | 'updatedAt'>

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
  if (attempt.state !== 'expired' && attempt.kind !== 'redirect') return null
  return isInTime(attempt, incoming) ? 'underpaid' : 'late'
}
