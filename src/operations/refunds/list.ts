import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'

export const listRefunds = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  orderId: string,
  size: number,
  after: PageStart | null,
): Promise<Page<Refund>> =>
  context.storage.read(async tables => {
    const { order } = await requireOrder(tables, merchantId, orderId)
    const rows = await tables.refunds.list(order.id, size + 1, after)
    return pageOf(rows, size, ({ createdAt, id }) => ({ at: createdAt, id }))
  })
