import type { Context } from '../context.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { reviewOrder } from '../settlement/record.ts'

/** Expires an order after its expiry time. Returns when to check again, or null when done. */
export const expireOrder = (
  context: ApplyContext & Pick<Context, 'storage'>,
  orderId: string,
): Promise<number | null> =>
  context.storage.write(async tables =>
    (await tables.orders.find(orderId)) === null ? null : reviewOrder(context, tables, orderId),
  )
