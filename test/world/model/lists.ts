import type { Json, ListSaying } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { isSameJson } from './exact.ts'
import { mayBeDeleted } from './known.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/**
 * Rule 11: lists are complete, sorted and without duplicates, and agree with the answers about single items.
 */

const idOf: Record<string, (item: Json) => string> = {
  '/v1/orders': item => item.orderUUID,
  '/v1/transactions': item => item.transactionId,
  '/v1/events': item => item.id,
  '/v1/products': item => item.productUUID,
}

export const makeLists: MakeRule = book => {
  /** 11a: the newest item comes first, and each item once. */
  function shapeProblems({ items, path }: ListSaying, idIn: (item: Json) => string): string[] {
    const ids = items.map(idIn)
    const times = items.map(({ createdAt }) => Date.parse(createdAt))
    const isSorted = times.every((time, index) => index === 0 || time <= times[index - 1]!)
    return broken([
      [new Set(ids).size === ids.length, `11a: ${path} lists something twice`],
      [
        isSorted || path.startsWith('/v1/products') || book.clocks.length > 1,
        `11a: ${path} is not newest first`,
      ],
    ])
  }

  const ownOrders = (shop: number): KnownOrder[] => [...book.orders.values()].filter(one => one.shop === shop)

  /** 11b: every order of the shop that matches the filter, and no other. */
  function orderProblems({ shop, path, items, at }: ListSaying): string[] {
    const filter = new URL(path, 'http://list').searchParams
    const status = filter.get('status')
    const externalId = filter.get('externalId')
    if (filter.has('createdFrom') || filter.has('createdTo') || filter.has('pageToken')) return []
    const listed = new Map<string, Json>(items.map(item => [item.orderUUID, item]))
    const wrong = items.filter(
      item => (status && item.status !== status) || (externalId && item.externalId !== externalId),
    )
    const settled = (order: KnownOrder) =>
      status === null || (order.last?.status === status && isEndState(status))
    const missing = ownOrders(shop).filter(
      order =>
        order.createdAt < at &&
        order.first !== null &&
        !listed.has(order.id) &&
        !mayBeDeleted(order, at + book.aheadMs) &&
        settled(order) &&
        (externalId === null || order.first.externalId === externalId),
    )
    return [
      ...missing.map(order => `11b: ${path} does not list ${nameOf(order)}`),
      ...wrong.map(item => `11b: ${path} lists the order ${item.orderUUID}, which does not fit`),
    ]
  }

  /** 11c: one transaction for each paid order except forced ones, with the amounts of the order. */
  function transactionProblems({ shop, path, items, at }: ListSaying): string[] {
    if (path.includes('?status') || path.includes('&status') || path.includes('orderUUID')) return []
    const byOrder = new Map<string, Json>(items.map(item => [item.orderUUID, item]))
    const paid = ownOrders(shop).filter(({ last }) => last?.status === 'PAID' && last.forced !== true)
    const missing = paid.filter(order => !byOrder.has(order.id) && order.createdAt < at)
    const wrong = paid.filter(order => {
      const item = byOrder.get(order.id)
      return item !== undefined && !agrees(item, order.last)
    })
    return [
      ...broken([[byOrder.size === items.length, `11c: ${path} has two transactions of one order`]]),
      ...missing.map(order => `11c: ${path} does not list the transaction of ${nameOf(order)}`),
      ...wrong.map(order => `11c: the transaction of ${nameOf(order)} is not what the order says`),
    ]
  }

  /** 11d: one order.paid for each paid order. */
  function eventProblems({ shop, path, items }: ListSaying): string[] {
    const paid: Json[] = items.filter(({ type }) => type === 'order.paid')
    const orders = new Set(paid.map(({ orderUUID }) => orderUUID))
    if (path.includes('status=') || (path.includes('type=') && !path.includes('type=order.paid'))) return []
    const missing = ownOrders(shop).filter(({ id, last }) => last?.status === 'PAID' && !orders.has(id))
    return [
      ...broken([[orders.size === paid.length, `11d: ${path} has two order.paid of one order`]]),
      ...missing.map(order => `11d: ${path} lists no order.paid of ${nameOf(order)}`),
    ]
  }

  function listed(saying: ListSaying): string[] {
    const path = saying.path.split('?')[0]!
    const idIn = idOf[path]
    if (!idIn) return []
    const problems = shapeProblems(saying, idIn)
    if (path === '/v1/orders') return [...problems, ...orderProblems(saying)]
    if (path === '/v1/transactions') return [...problems, ...transactionProblems(saying)]
    return path === '/v1/events' ? [...problems, ...eventProblems(saying)] : problems
  }

  return { hear: saying => (saying.says === 'list' ? listed(saying) : []) }
}

/** An order never leaves this status, so a filter by the status always finds it. */
const isEndState = (status: string): boolean =>
  status === 'PAID' || status === 'CANCELLED' || status === 'FAILED'

const SAME = [
  ...[
    'orderUUID',
    'amount',
    'currency',
    'feePercent',
    'platformFeeAmount',
    'netAmount',
    'externalId',
    'metadata',
  ],
  ...['customerEmail', 'merchantId'],
]

const agrees = (transaction: Json, order: Json): boolean =>
  SAME.every(field => isSameJson(transaction[field], order[field])) &&
  transaction.transactionId === order.paidTransactionUUID
