import { type Attempt, isLocked, isOpen } from '../../domain/attempt.ts'
import { ANY } from '../../domain/payment-methods.ts'
import { sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import type { Outcome } from './attempts.ts'
import { stateOf } from './attempts.ts'
import type { Case, Occasion } from './case.ts'
import type { Sums } from './sums.ts'

const WAIT_MS = 60_000

/** How an order ends without being paid. */
interface Closing {
  as: 'expire' | 'fail' | null
  /** when to look again whether it has expired; null if that is over */
  lookAgainAt: number | null
}

/** Whether an unpaid order expires or fails now. */
export function closingOf(of: Case, sums: Sums, outcome: Outcome, { isEnded }: Occasion): Closing {
  const { order, session, now } = of
  const can = (trigger: 'expire' | 'fail') =>
    outcome.status === 'UNPAID' && nextState(sessionTransitions, session.status, trigger) !== undefined
  // The buyer of a coin can choose another coin.
  const isOnlyMethod = order.methodKeys.length === 1 && order.methodKeys[0] !== ANY
  if (outcome.failed?.kind === 'redirect' && isOnlyMethod && sums.credited === 0n && can('fail')) {
    return { as: 'fail', lookAgainAt: null }
  }
  if (!can('expire')) return { as: null, lookAgainAt: null }
  if (isEnded) return { as: 'expire', lookAgainAt: null }
  if (now < order.expiresAt) return { as: null, lookAgainAt: order.expiresAt }
  const holding = sums.credits
    .map(credit => ({ ...credit.attempt, state: stateOf(of, sums, credit, outcome) }))
    .filter(attempt => holdsOpen(attempt, isUnconfirmed(of, attempt), now))
  if (holding.length === 0) return { as: 'expire', lookAgainAt: null }
  const locks = holding.filter(attempt => isLocked(attempt, now)).map(({ lockedUntil }) => lockedUntil)
  return { as: null, lookAgainAt: Math.max(now + WAIT_MS, ...locks) }
}

/** Whether anything was seen that may still be mined, in time or not. */
const isUnconfirmed = ({ attempts }: Case, { id }: Attempt): boolean =>
  attempts.some(({ attempt, payments }) => attempt.id === id && payments.some(one => one.state === 'seen'))

/** A locked, unconfirmed or not yet checked payment in a coin keeps its order open; its grace does not. */
function holdsOpen(attempt: Attempt, isUnconfirmed: boolean, now: number): boolean {
  const { kind, checkedAt, lockedUntil, watchUntil } = attempt
  if (kind !== 'address' || now > watchUntil) return false
  const isChecked = checkedAt !== null && checkedAt >= lockedUntil
  return isUnconfirmed || (isOpen(attempt) && !isChecked)
}
