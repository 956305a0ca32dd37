import type { Attempt } from '../../domain/attempt.ts'
import type { Order } from '../../domain/order.ts'
import type { Case, Change } from './case.ts'

/** Ends an order now, before its expiry: its locks and graces end too. */
export function endedNow(of: Case): { of: Case; changes: Change[] } {
  const { order, now } = of
  const attempts = of.attempts.map(({ attempt, payments }) => {
    const { lockedUntil, graceLimit } = attempt
    const change = { lockedUntil: Math.min(lockedUntil, now), graceLimit: Math.min(graceLimit, now) }
    return { change, before: attempt, attempt: { ...attempt, ...change }, payments }
  })
  return {
    of: { ...of, order: { ...order, expiresAt: now }, attempts },
    changes: attempts.map(({ before, change }) => ({ do: 'change attempt', attempt: before, change })),
  }
}

/** Whether the lock and the grace of an address were ended with its order, so that nothing prolongs them. */
export const isEndedWith = ({ expiresAt }: Order, { kind, graceLimit }: Attempt): boolean =>
  kind === 'address' && graceLimit === expiresAt
