import type { OrderView } from '../../domain/order-view.ts'
import { cancelOrder } from './cancel.ts'
import { endOrder } from './end.ts'
import { inspectOrder } from './inspect.ts'

type StopContext = Parameters<typeof endOrder>[0] & Parameters<typeof inspectOrder>[0]

/** Cancels an unpaid order, or ends it if the buyer has begun to pay: what was sent still counts. */
export async function stopOrder(context: StopContext, merchantId: string, id: string): Promise<OrderView> {
  const { attempts, openings } = await inspectOrder(context, merchantId, id)
  if (attempts.length + openings.length > 0) return endOrder(context, merchantId, id)
  return cancelOrder(context, merchantId, id, context.origin.actor, null)
}
