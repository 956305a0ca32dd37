import { invalid, Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { OrderFilter, OrderSearch } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { knownMerchant } from '../merchants/read.ts'
import { viewOf } from './steps/require-order.ts'

export async function getOrder(
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<OrderView> {
  const found = await context.storage.read(tables => tables.orders.find(id))
  return viewOf(found, await knownMerchant(context, merchantId))
}

const FOUND_MAX = 500

/** The orders of a merchant that match a search, newest first. */
export async function findOrders(
  context: Pick<Context, 'storage'>,
  search: OrderSearch,
  limit: number,
): Promise<OrderView[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > FOUND_MAX) {
    throw invalid('limit', `must be a whole number from 1 to ${FOUND_MAX}`)
  }
  return context.storage.read(async tables => {
    const merchant = await tables.merchants.find(search.merchantId)
    if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
    const rows = await tables.orders.search(search, limit)
    return rows.map(row => ({ ...row, merchant }))
  })
}

export async function listOrders(
  context: Pick<Context, 'storage'>,
  filter: OrderFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<OrderView>> {
  const rows = await context.storage.read(tables => tables.orders.list(filter, size + 1, after))
  const merchant = await knownMerchant(context, filter.merchantId)
  if (!merchant) throw new Refusal('not_found')
  return pageOf(
    rows.map(row => ({ ...row, merchant })),
    size,
    ({ order }) => ({ at: order.createdAt, id: order.id }),
  )
}
