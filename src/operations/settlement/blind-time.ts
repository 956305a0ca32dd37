import type { Attempt } from '../../domain/attempt.ts'
import type { Context } from '../context.ts'
import { blindSince } from '../payments/steps/retry-check.ts'

/** A chain that cannot be read for longer does not hold a price for longer. */
const BLIND_MAX_MS = 24 * 3600_000

/**
 * What changes about an attempt whose chain can be read again: the time in which it could not be does not
 * count towards lock and grace. Null if there was no such time, or lock and grace were over before.
 */
export function afterBlindTime(
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  readAt: number,
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'watchUntil' | 'blindMs'> | null {
  const since = attempt.kind === 'address' ? blindSince(context, attempt, readAt) : null
  const { lockedUntil, graceLimit, watchUntil, blindMs } = attempt
  if (since === null || since >= graceLimit) return null
  const lost = Math.min(readAt - since, BLIND_MAX_MS - blindMs)
  if (lost <= 0) return null
  return {
    lockedUntil: since < lockedUntil ? lockedUntil + lost : lockedUntil,
    graceLimit: graceLimit + lost,
    watchUntil: watchUntil + lost,
    blindMs: blindMs + lost,
  }
}
