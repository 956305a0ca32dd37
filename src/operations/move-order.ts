import { assert, mustWin, Refusal } from '../domain/errors.ts'
import { moved } from '../domain/machine.ts'
import { minorOf } from '../domain/money.ts'
import { type Order, type OrderTrigger, orderMoves } from '../domain/order.ts'
import { type SessionTrigger, sessionMoves } from '../domain/session.ts'
import { dayOf, type StatisticsDelta } from '../domain/statistics.ts'
import type { OrderWithSession, Tables } from '../storage/port.ts'
import type { OrderView } from './order-view.ts'

const withSession: Record<OrderTrigger, SessionTrigger> = {
  cancel: 'abandon',
  settle: 'settle',
  force: 'settle',
  expire: 'expire',
  fail: 'fail',
}

/** An order of a merchant, with all that an answer shows. Another merchant's order is not there. */
export async function ownOrder(tables: Tables, merchantId: string, id: string): Promise<OrderView> {
  const found = await tables.orders.find(id)
  const merchant = await tables.merchants.find(merchantId)
  if (!found || !merchant || found.order.merchantId !== merchantId) {
    throw new Refusal('not_found', 'There is no order with this id.')
  }
  return { ...found, merchant }
}

/** Whether the tables of states have a cell for it. */
export const canMove = ({ order, session }: OrderWithSession, trigger: OrderTrigger): boolean =>
  moved(orderMoves, order.status, trigger) !== undefined &&
  moved(sessionMoves, session.status, withSession[trigger]) !== undefined

/**
 * Moves an order and its session together, takes it out of the pending sums and off the expiry, and adds what
 * the move itself counts for. The caller has asked `canMove`.
 */
export async function moveOrder<T extends OrderWithSession>(
  tables: Tables,
  view: T,
  trigger: OrderTrigger,
  change: Partial<Order>,
  now: number,
  counts: StatisticsDelta = {},
): Promise<T> {
  const { order, session } = view
  const status = moved(orderMoves, order.status, trigger)
  const sessionStatus = moved(sessionMoves, session.status, withSession[trigger])
  assert(status && sessionStatus, 'a move was asked for before it was made')
  const orderChange = { ...change, status, updatedAt: now }
  mustWin(await tables.orders.move(order.id, order.status, orderChange))
  mustWin(await tables.sessions.move(order.id, session.status, sessionStatus, now))
  if (order.status === 'UNPAID') {
    await tables.jobs.remove('order.expire', order.id)
    await tables.statistics.add(order.merchantId, dayOf(order.createdAt), order.currency, {
      pending: -minorOf(order.amount, order.currency),
      pendingCount: -1,
    })
  }
  await tables.statistics.add(order.merchantId, dayOf(now), order.currency, counts)
  return {
    ...view,
    order: { ...order, ...orderChange },
    session: { ...session, status: sessionStatus, updatedAt: now },
  }
}
