import { invalid } from '../../domain/errors.ts'
import { invoiceStateOf } from '../../domain/greenfield.ts'
import type { Order } from '../../domain/order.ts'
import type { PageTurn } from '../../domain/page.ts'
import type { Context } from '../../operations/context.ts'
import { browseOrders, type OrderSelection } from '../../operations/orders/browse.ts'
import { listOrders } from '../../operations/orders/read.ts'
import { listPaidAmounts } from '../../operations/orders/read-payments.ts'
import { externalIdOf } from './request.ts'

const TAKE_MAX = 500
const TAKE = 50

/**
 * The orders to search for each status of BTCPay Server. All of them have that status, except that orders
 * which are being confirmed are `Processing`.
 */
const selectionFor: Record<string, OrderSelection> = {
  New: { statuses: ['UNPAID'] },
  Processing: { paymentState: 'CONFIRMING' },
  Settled: { statuses: ['PAID'] },
  Expired: { statuses: ['EXPIRED'] },
  Invalid: { statuses: ['CANCELLED', 'FAILED'] },
}

/** The first orders whose invoice has a status, newest first. */
async function ordersOf(
  context: Context,
  merchantId: string,
  { status, period, max }: { status: string; period: OrderSelection; max: number },
): Promise<Order[]> {
  const found: Order[] = []
  const selection = selectionFor[status]
  for (let turn: PageTurn | null = null; selection && found.length < max; ) {
    const from: PageTurn | null = turn
    const page = await browseOrders(context, merchantId, { ...period, ...selection }, max, from)
    found.push(...page.items.flatMap(({ order }) => (invoiceStateOf(order).status === status ? [order] : [])))
    if (page.older === null) break
    turn = { ...page.older, direction: 'older' }
  }
  return found
}

/** The invoices that a plugin asks for. */
export interface InvoiceQuery {
  orderId: string | undefined
  /** statuses of BTCPay Server that the invoices may have; any status if empty */
  statuses: readonly string[]
  createdFrom: number | undefined
  createdTo: number | undefined
  skip: number | undefined
  take: number | undefined
}

/** Finds the orders of a shop, newest first, each with the amount that was paid in the order's currency. */
export async function findInvoices(
  context: Context,
  merchantId: string,
  { orderId, statuses, createdFrom, createdTo, skip = 0, take = TAKE }: InvoiceQuery,
): Promise<{ order: Order; paid: string }[]> {
  const max = skip + take
  if (max > TAKE_MAX) throw invalid('/take', `must be at most ${TAKE_MAX}, together with skip`)
  const wanted = [...new Set(statuses)]
  const externalId = orderId === undefined ? undefined : (externalIdOf(orderId) ?? '')
  const period = { createdFrom, createdTo }
  const isWanted = (order: Order) => wanted.length === 0 || wanted.includes(invoiceStateOf(order).status)
  const listed = async (size: number) =>
    (await listOrders(context, { merchantId, externalId, ...period }, size, null)).items
      .map(({ order }) => order)
      .filter(isWanted)
  const byStatus = () =>
    Promise.all(wanted.map(status => ordersOf(context, merchantId, { status, period, max })))
  const found =
    externalId !== undefined
      ? await listed(TAKE_MAX)
      : wanted.length === 0
        ? await listed(max)
        : (await byStatus()).flat().toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  const orders = found.slice(skip, max)
  const paid = await listPaidAmounts(context, orders)
  return orders.map(order => ({ order, paid: paid.get(order.id) ?? '0' }))
}

/** Returns a whole number of a query; undefined if it is missing. */
export const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d{1,12}$/.test(text)) throw invalid(`/${name}`, 'must be a whole number')
  return Number(text)
}
