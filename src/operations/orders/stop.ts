import type { OrderView } from '../../domain/order-view.ts'
import { cancelOrder } from './cancel.ts'
import { endOrder } from './end.ts'
import { inspectOrder, type OrderHistory } from './inspect.ts'

/** True if a corrected order can replace this one: nobody has paid any of it. */
export const isReplaceable = ({ order, attempts }: Pick<OrderHistory, 'order' | 'attempts'>): boolean =>
  order.status === 'UNPAID' && attempts.every(({ credited }) => credited === 0n)

type StopContext = Parameters<typeof endOrder>[0] & Parameters<typeof inspectOrder>[0]

/** Cancels an unpaid order, or ends it if the buyer has begun to pay: what was sent still counts. */
export async function stopOrder(context: StopContext, merchantId: string, id: string): Promise<OrderView> {
  const { attempts, openings } = await inspectOrder(context, merchantId, id)
  if (attempts.length + openings.length > 0) return endOrder(context, merchantId, id)
  return cancelOrder(context, merchantId, id, context.origin.actor, null)
}
