import { Refusal } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { reviewOrder } from '../settlement/record.ts'
import { requireOrder } from './steps/require-order.ts'
import { wasEnded } from './steps/was-ended.ts'

type EndContext = AuditContext & ApplyContext & Pick<Context, 'storage'>

/**
 * Expires an unpaid order now. Payments that were sent before still count as in time. Ending an order again
 * changes nothing.
 */
export async function endOrder(context: EndContext, merchantId: string, id: string): Promise<OrderView> {
  return context.storage.write(async tables => {
    const before = await requireOrder(tables, merchantId, id)
    if (await wasEnded(tables, before.order)) return before
    if (before.order.status !== 'UNPAID') {
      throw new Refusal(
        'order_not_endable',
        `Only an unpaid order can be ended. This one is ${before.order.status}.`,
      )
    }
    await reviewOrder(context, tables, id, { isEnded: true })
    const after = await requireOrder(tables, merchantId, id)
    await recordAudit(context, tables, {
      merchantId,
      action: 'order.ended',
      subject: `order:${id}`,
      before: auditFields(before.order),
      after: auditFields(after.order),
    })
    return after
  })
}

const auditFields = ({ status, expiresAt }: Order) => ({ status, expiresAt: formatTimestamp(expiresAt) })

/** Expires an order after its expiry time. Returns the time of the next check, or null when done. */
export const expireOrder = (
  context: ApplyContext & Pick<Context, 'storage'>,
  orderId: string,
): Promise<number | null> =>
  context.storage.write(async tables =>
    (await tables.orders.find(orderId)) === null ? null : reviewOrder(context, tables, orderId),
  )
