import type { Attempt } from '../../domain/attempt.ts'
import { isLocked, isOpen } from '../../domain/attempt.ts'
import type { OrderWithSession, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { recordPaymentState } from '../payments/steps/payment-state.ts'
import { recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import { canTransition, transitionOrder } from './steps/transition.ts'

const WAIT_MS = 60_000

/** A locked, unconfirmed or not yet re-checked crypto attempt keeps the order open; its grace does not. */
function holdsOpen(attempt: Attempt, now: number): boolean {
  if (attempt.kind !== 'address' || !isOpen(attempt) || now > attempt.watchUntil) return false
  const isChecked = attempt.checkedAt !== null && attempt.checkedAt >= attempt.lockedUntil
  return !isChecked || attempt.state === 'confirming' || attempt.receivedAtomic > attempt.confirmedAtomic
}

/** Expires an order after its expiry time. Returns when to check again, or null when done. */
export async function expireOrder(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  orderId: string,
): Promise<number | null> {
  return context.storage.write(async tables => {
    const found = await tables.orders.find(orderId)
    return found && expireWhenOver(context, tables, found, context.clock())
  })
}

/** Expires the order within a write that released what kept it open. */
export async function expireWhenOver(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  found: OrderWithSession,
  now: number,
): Promise<number | null> {
  if (!canTransition(found, 'expire')) return null
  if (now < found.order.expiresAt) return found.order.expiresAt
  const attempts = await tables.attempts.listOf(found.order.id)
  const holding = attempts.filter(attempt => holdsOpen(attempt, now))
  if (holding.length > 0) {
    const locks = holding.filter(attempt => isLocked(attempt, now)).map(({ lockedUntil }) => lockedUntil)
    return Math.max(now + WAIT_MS, ...locks)
  }
  await transitionOrder(tables, found, 'expire', {}, now)
  for (const attempt of attempts) {
    if (attempt.kind === 'redirect' && isOpen(attempt)) await expirePage(context, tables, found, attempt, now)
  }
  await recordPaymentState(tables, found.order)
  return null
}

/** Ends a page with its order. A check that finds nothing later no longer does. */
async function expirePage(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  { order }: OrderWithSession,
  attempt: Attempt,
  now: number,
): Promise<void> {
  await tables.attempts.update(attempt.id, { state: 'expired', updatedAt: now })
  if (attempt.redirectUrl === null || attempt.receivedAtomic > 0n) return
  await recordPaymentEvent(context, tables, 'payment.expired', order, attempt)
}
