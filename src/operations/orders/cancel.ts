import { Refusal } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { Context } from '../context.ts'
import { canTransition, transitionOrder } from '../states/transition.ts'
import { recordOrderEnd } from '../webhooks/steps/record-event.ts'
import { requireOrder } from './steps/require-order.ts'

/** Cancels an unpaid order that no buyer has started to pay. */
export async function cancelOrder(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  merchantId: string,
  id: string,
  by: string,
  reason: string | null,
): Promise<OrderView> {
  return context.storage.write(async tables => {
    const view = await requireOrder(tables, merchantId, id)
    if (view.order.status !== 'UNPAID') {
      throw new Refusal('order_not_cancellable', `The order cannot be cancelled: it is ${view.order.status}.`)
    }
    const { attempts, openings } = await tables.attempts.listStarted(id)
    if (!canTransition(view, 'cancel') || attempts.length + openings.length > 0) {
      throw new Refusal(
        'order_not_cancellable',
        'The order cannot be cancelled: a buyer has started to pay. It expires by itself if nothing arrives.',
      )
    }
    const now = context.clock()
    const minor = minorOf(view.order.amount, view.order.currency)
    const change = { cancelledAt: now, cancelledBy: by, cancelReason: reason }
    const sums = { cancelled: minor, cancelledCount: 1 }
    const cancelled = await transitionOrder(tables, view, { trigger: 'cancel', change, sums }, now)
    await recordOrderEnd(context, tables, cancelled.order)
    return cancelled
  })
}
