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

/** Filters of the API. All given ones have to match. */
interface ListedOrders extends Omit<OrderFilter, 'customerId'> {
  /** ignores case */
  customerEmail?: string | undefined
  updatedFrom?: number | undefined
}

/** Orders that a page examines for `updatedFrom`, which no index serves. */
const EXAMINED_MAX = 2000

const startOf = ({ order }: Pick<OrderView, 'order'>): PageStart => ({ at: order.createdAt, id: order.id })

/** A page of orders, newest first. With `updatedFrom`, a page with a next one may be short or even empty. */
export async function listOrders(
  context: Pick<Context, 'storage'>,
  { customerEmail, updatedFrom, ...filter }: ListedOrders,
  size: number,
  after: PageStart | null,
): Promise<Page<OrderView>> {
  const { merchantId } = filter
  const merchant = await knownMerchant(context, merchantId)
  if (!merchant) throw new Refusal('not_found')
  const read = (limit: number) =>
    context.storage.read(async tables => {
      if (customerEmail === undefined) return tables.orders.list(filter, limit, after)
      const customer = await tables.customers.findByEmail(merchantId, customerEmail)
      return customer ? tables.orders.list({ ...filter, customerId: customer.id }, limit, after) : []
    })
  const examined = updatedFrom === undefined ? size : EXAMINED_MAX
  const page = pageOf(
    (await read(examined + 1)).map(row => ({ ...row, merchant })),
    examined,
    startOf,
  )
  if (updatedFrom === undefined) return page
  const matching = page.items.filter(({ order }) => order.updatedAt >= updatedFrom)
  const cut = pageOf(matching, size, startOf)
  return { items: cut.items, next: cut.next ?? page.next }
}
