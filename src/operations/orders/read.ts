import { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { OrderFilter } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireOrder } from './steps/transition.ts'
import type { OrderView } from './view.ts'

export const getOrder = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<OrderView> => context.storage.read(tables => requireOrder(tables, merchantId, id))

export async function listOrders(
  context: Pick<Context, 'storage'>,
  filter: OrderFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<OrderView>> {
  return context.storage.read(async tables => {
    const merchant = await tables.merchants.find(filter.merchantId)
    if (!merchant) throw new Refusal('not_found')
    const rows = await tables.orders.list(filter, size + 1, after)
    return pageOf(
      rows.map(row => ({ ...row, merchant })),
      size,
      ({ order }) => ({ at: order.createdAt, id: order.id }),
    )
  })
}
