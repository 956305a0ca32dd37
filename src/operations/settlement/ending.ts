import { type Attempt, lastLookAt } from '../../domain/attempt.ts'
import { BLIND_MAX_MS } from '../../domain/blind-chain.ts'
import type { Order } from '../../domain/order.ts'
import type { Case, Change } from './case.ts'

/** Ends an order now, before its expiry: its locks and graces end too. */
export function endedNow(of: Case): { of: Case; changes: Change[] } {
  const { order, now } = of
  const attempts = of.attempts.map(({ attempt, payments }) => {
    const change = endsAt(attempt, now)
    return { change, before: attempt, attempt: { ...attempt, ...change }, payments }
  })
  return {
    of: { ...of, order: { ...order, expiresAt: now }, attempts },
    changes: attempts.map(({ before, change }) => ({ do: 'change attempt', attempt: before, change })),
  }
}

/**
 * The new ends of an attempt's lock and grace. A grace that has passed since the last check goes on until
 * now: the chain may have been unreadable, and such time does not count.
 */
function endsAt(attempt: Attempt, now: number): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'blindMs'> {
  const { kind, lockedUntil, graceLimit, blindMs } = attempt
  const isUnseen = kind === 'address' && lastLookAt(attempt) < graceLimit && graceLimit < now
  const lost = isUnseen ? Math.min(now - graceLimit, BLIND_MAX_MS - blindMs) : 0
  return {
    lockedUntil: Math.min(lockedUntil, now),
    graceLimit: Math.min(graceLimit + lost, now),
    blindMs: blindMs + lost,
  }
}

/**
 * Returns true if an attempt's lock and grace were ended with its order. Time in which the chain could not be
 * read no longer prolongs them.
 */
export const isEndedWith = ({ expiresAt }: Order, { kind, graceLimit }: Attempt): boolean =>
  kind === 'address' && graceLimit === expiresAt
