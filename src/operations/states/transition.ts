import { assert, mustWin } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import { type Order, type OrderStatus, type OrderTrigger, orderTransitions } from '../../domain/order.ts'
import { type SessionTrigger, sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import type { PaidWith, Sums } from '../../domain/statistics.ts'
import type { OrderWithSession, Tables } from '../../storage/port.ts'

const withSession: Record<OrderTrigger, SessionTrigger> = {
  cancel: 'abandon',
  settle: 'settle',
  force: 'settle',
  expire: 'expire',
  fail: 'fail',
}

/** True if the state tables allow this trigger. */
export const canTransition = ({ order, session }: OrderWithSession, trigger: OrderTrigger): boolean =>
  nextState(orderTransitions, order.status, trigger) !== undefined &&
  nextState(sessionTransitions, session.status, withSession[trigger]) !== undefined

interface Transition {
  trigger: OrderTrigger
  change: Partial<Order>
  /** amounts that the move adds to the current statistics */
  sums?: Partial<Sums>
  paidWith?: PaidWith
}

/**
 * Moves an order and its session to their next states, removes the order from the pending statistics and its
 * expiry job, and adds the statistics of the move. Call `canTransition` first: a move that it refuses is a
 * bug.
 */
export async function transitionOrder<T extends OrderWithSession>(
  tables: Tables,
  view: T,
  { trigger, change, sums = {}, paidWith }: Transition,
  now: number,
): Promise<T> {
  const { order, session } = view
  const status = nextState(orderTransitions, order.status, trigger)
  const sessionStatus = nextState(sessionTransitions, session.status, withSession[trigger])
  assert(status && sessionStatus, `${trigger} is not allowed here; canTransition is asked first`)
  const expired = status === 'EXPIRED' ? { expiredAt: now } : {}
  // An expired order keeps its payment state, because money may still complete it.
  const expected = status === 'EXPIRED' ? {} : { paymentState: null }
  const orderChange = { ...expected, ...change, ...expired, status, updatedAt: now }
  mustWin(await tables.orders.move(order.id, order.status, orderChange))
  mustWin(await tables.sessions.move(order.id, session.status, sessionStatus, now))
  if (order.status === 'UNPAID') {
    await tables.jobs.remove('order.expire', order.id)
  }
  await countAtCreation(tables, order, status)
  if (Object.keys(sums).length > 0) {
    await tables.statistics.add(order.merchantId, now, order.currency, sums, paidWith)
  }
  return {
    ...view,
    order: { ...order, ...orderChange },
    session: { ...session, status: sessionStatus, updatedAt: now },
  }
}

/** Changes the statistics of the time at which the order was created. */
async function countAtCreation(
  tables: Tables,
  { merchantId, createdAt, amount, currency, status: from }: Order,
  to: OrderStatus,
): Promise<void> {
  const pending = from === 'UNPAID' ? { pending: -minorOf(amount, currency), pendingCount: -1 } : {}
  const converted = to === 'PAID' ? { convertedCount: 1 } : {}
  await tables.statistics.add(merchantId, createdAt, currency, { ...pending, ...converted })
}
