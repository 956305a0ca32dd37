import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { searchedIn } from '../../domain/order-text.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { type PageTurn, type TwoWayPage, twoWayPageOf } from '../../domain/page.ts'
import type { OrderQuery, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** Filters of a list of orders, and a text with which one of several fields begins. */
export interface OrderSelection extends Omit<OrderQuery, 'merchantId' | 'ids'> {
  text?: string | undefined
}

interface OrderPage extends TwoWayPage<OrderView> {
  /** true if more orders have the text than were looked up */
  isCut: boolean
  /** true if the page is not full because only a part of the orders was examined; the next page continues */
  isPartial: boolean
}

interface ResolvedSelection {
  merchant: Merchant
  query: OrderQuery
  isCut: boolean
}

/**
 * Replaces the text by the IDs of the orders that match it. A customer's address selects all their orders.
 */
async function resolve(
  tables: Tables,
  merchantId: string,
  { text = '', ...filter }: OrderSelection,
): Promise<ResolvedSelection> {
  const merchant = await tables.merchants.find(merchantId)
  if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
  const query = { ...filter, merchantId }
  const wanted = searchedIn(text)
  if (wanted === '') return { merchant, query, isCut: false }
  const customer = wanted.includes('@') ? await tables.customers.findByEmail(merchantId, wanted) : null
  if (customer && (filter.customerId ?? customer.id) === customer.id) {
    return { merchant, query: { ...query, customerId: customer.id }, isCut: false }
  }
  const { ids, isCut } = await tables.orders.match(merchantId, wanted)
  return { merchant, query: { ...query, ids }, isCut }
}

async function readPage(
  tables: Tables,
  { merchant, query, isCut }: ResolvedSelection,
  size: number,
  turn: PageTurn | null,
  examinedMax?: number,
): Promise<OrderPage> {
  const { rows, examinedTo } = await tables.orders.browse(query, size + 1, turn, examinedMax)
  const views = rows.map(row => ({ ...row, merchant }))
  const page = twoWayPageOf(views, size, turn, ({ order }) => ({ at: order.createdAt, id: order.id }))
  const onward = turn?.direction ?? 'older'
  return { ...page, ...(examinedTo && { [onward]: examinedTo }), isCut, isPartial: examinedTo !== null }
}

/** A page of the orders that match, newest first. */
export const browseOrders = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  selection: OrderSelection,
  size: number,
  turn: PageTurn | null,
): Promise<OrderPage> =>
  storage.read(async tables => readPage(tables, await resolve(tables, merchantId, selection), size, turn))

const PART = 500
/** Max orders that one read examines for a text: each order and its payments are looked at separately. */
const EXAMINED_MAX = 2000

/**
 * All orders that match, newest first, even if more have the text than a page looks up. Holds a part of them
 * in memory at a time, and lets other work run between the parts.
 */
export async function* eachOrder(
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  selection: OrderSelection,
): AsyncGenerator<OrderView[]> {
  const found = await storage.read(tables => resolve(tables, merchantId, selection))
  const { ids: _, ...query } = found.query
  const all = found.isCut ? { ...found, query: { ...query, text: searchedIn(selection.text ?? '') } } : found
  const examinedMax = found.isCut ? EXAMINED_MAX : undefined
  for (let turn: PageTurn | null = null; ; ) {
    const from: PageTurn | null = turn
    const page: OrderPage = await storage.read(tables => readPage(tables, all, PART, from, examinedMax))
    yield page.items
    if (page.older === null) return
    turn = { ...page.older, direction: 'older' }
    await new Promise(setImmediate)
  }
}
