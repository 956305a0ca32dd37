import { invalid, Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { OrderFilter, OrderSearch, OrderWithSession, Tables } from '../../storage/port.ts'
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

/** Filters of the API. An order has to match all given filters. */
interface ListedOrders extends Omit<OrderFilter, 'customerId'> {
  /** ignores case */
  customerEmail?: string | undefined
  updatedFrom?: number | undefined
}

/** Max orders that a page examines for `updatedFrom` if no index lists the changed orders. */
const EXAMINED_MAX = 2000

const startOf = ({ order }: OrderWithSession): PageStart => ({ at: order.createdAt, id: order.id })

/**
 * A page of orders, newest first. With `updatedFrom`, a page can be short or even empty although another
 * follows.
 */
export async function listOrders(
  context: Pick<Context, 'storage'>,
  { customerEmail, updatedFrom, ...filter }: ListedOrders,
  size: number,
  after: PageStart | null,
): Promise<Page<OrderView>> {
  const { merchantId } = filter
  const merchant = await knownMerchant(context, merchantId)
  if (!merchant) throw new Refusal('not_found')
  const { items, next } = await context.storage.read(async tables => {
    const customer =
      customerEmail === undefined ? undefined : await tables.customers.findByEmail(merchantId, customerEmail)
    if (customer === null) return { items: [], next: null }
    const found = { ...filter, customerId: customer?.id }
    if (updatedFrom === undefined)
      return pageOf(await tables.orders.list(found, size + 1, after), size, startOf)
    return listUpdated(tables, { ...found, updatedFrom }, size, after)
  })
  return { items: items.map(row => ({ ...row, merchant })), next }
}

/** A page of the orders that were created or changed since a time. */
async function listUpdated(
  { orders }: Pick<Tables, 'orders'>,
  { updatedFrom, ...filter }: OrderFilter & { updatedFrom: number },
  size: number,
  after: PageStart | null,
): Promise<Page<OrderWithSession>> {
  const { customerId, externalId, createdFrom = 0, createdTo = Infinity } = filter
  const matching = (rows: OrderWithSession[]) => rows.filter(({ order }) => order.updatedAt >= updatedFrom)
  const examine = async (found: OrderFilter, newer: OrderWithSession[]) => {
    const rows = [...newer, ...(await orders.list(found, EXAMINED_MAX + 1, after))]
    const page = pageOf(rows, newer.length + EXAMINED_MAX, startOf)
    const cut = pageOf(matching(page.items), size, startOf)
    return { items: cut.items, next: cut.next ?? page.next }
  }
  if (customerId !== undefined || externalId !== undefined) return examine(filter, [])
  const since = { ...filter, createdFrom: Math.max(createdFrom, updatedFrom) }
  const created = await orders.list(since, size + 1, after)
  const left = size + 1 - created.length
  const changed = left === 0 ? [] : await orders.listChanged(filter, updatedFrom, left, after)
  if (changed === null) return examine({ ...filter, createdTo: Math.min(createdTo, updatedFrom) }, created)
  const page = pageOf([...created, ...changed], size, startOf)
  return { ...page, items: matching(page.items) }
}
