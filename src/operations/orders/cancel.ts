import { Refusal } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import type { World } from '../context.ts'
import { canMove, moveOrder, ownOrder } from './steps/transition.ts'
import type { OrderView } from './view.ts'

/** Cancels an unpaid order, as long as no buyer has begun to pay it. */
export async function cancelOrder(
  world: World,
  merchantId: string,
  id: string,
  by: string,
  reason: string | null,
): Promise<OrderView> {
  return world.storage.write(async tables => {
    const view = await ownOrder(tables, merchantId, id)
    if (view.order.status !== 'UNPAID') {
      throw new Refusal('order_not_cancellable', `The order is ${view.order.status}.`)
    }
    if (!canMove(view, 'cancel') || (await tables.attempts.listOf(id)).length > 0) {
      throw new Refusal('order_not_cancellable', 'A buyer has begun to pay this order.')
    }
    const now = world.clock()
    const cancelled = minorOf(view.order.amount, view.order.currency)
    const change = { cancelledAt: now, cancelledBy: by, cancelReason: reason }
    return moveOrder(tables, view, 'cancel', change, now, { cancelled, cancelledCount: 1 })
  })
}
