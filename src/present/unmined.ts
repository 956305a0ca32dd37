import { timingsOf } from '../domain/grace.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import { mayGetMore } from '../domain/watch.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'

/**
 * The payments of an order that were seen so long ago that they count only once they are mined, oldest first.
 * Leaves out payments that the merchant dealt with, and those whose address is not watched any more.
 */
export function unminedOf(
  { order, attempts, payments, unmatched }: Checkout,
  now: number,
): IncomingPayment[] {
  if (payments.every(({ state }) => state === 'final')) return []
  const watched = new Set(attempts.filter(one => mayGetMore(one, now)).map(({ id }) => id))
  const handled = new Set(
    unmatched.flatMap(({ payment, incoming }) => (payment.status === 'open' ? [] : [incoming.id])),
  )
  const of = attempts.map(attempt => ({
    attempt,
    payments: payments.filter(({ attemptId }) => attemptId === attempt.id),
  }))
  const timings = timingsOf(order, of, now).of
  return payments.filter(
    ({ id, attemptId }) => timings.get(id)?.isStale && watched.has(attemptId) && !handled.has(id),
  )
}
