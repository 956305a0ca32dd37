import { Elysia } from 'elysia'
import { invalid, Refusal } from '../../domain/errors.ts'
import { invoiceStateOf } from '../../domain/greenfield.ts'
import type { Order } from '../../domain/order.ts'
import type { PageTurn } from '../../domain/page.ts'
import type { Context } from '../../operations/context.ts'
import { browseOrders, type OrderSelection } from '../../operations/orders/browse.ts'
import { cancelOrder } from '../../operations/orders/cancel.ts'
import { endOrder } from '../../operations/orders/end.ts'
import { getOrder, listOrders } from '../../operations/orders/read.ts'
import { getOrderPayments, listPaidAmounts } from '../../operations/orders/read-payments.ts'
import { contextOf } from '../auth.ts'
import { requireToken, requireTokenAndBody, storeOf } from './access.ts'
import { createInvoice } from './create-invoice.ts'
import { presentInvoice, presentInvoiceMethods } from './present.ts'
import { externalIdOf, NewInvoice, NewStatus } from './request.ts'

const STORE = '/api/v1/stores/:storeId/invoices'
const read = { scope: 'api:read' } as const
const create = { live: true, scope: 'orders:create' } as const
const manage = { live: true, scope: 'orders:manage' } as const

const TAKE_MAX = 500
const TAKE = 50

/** The orders that can have a status: all of them have it, except for those that are being confirmed. */
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

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d{1,12}$/.test(text)) throw invalid(`/${name}`, 'must be a whole number')
  return Number(text)
}

/** The values of a parameter that may be repeated. Its name may have the brackets of PHP. */
const valuesIn = (query: URLSearchParams, name: string): string[] => [
  ...query.getAll(name),
  ...query.getAll(`${name}[]`),
]

async function listInvoices(context: Context, merchantId: string, query: URLSearchParams) {
  if (query.get('textSearch')) throw invalid('/textSearch', 'is not supported; use orderId')
  const [from, to] = [numberIn(query, 'startDate'), numberIn(query, 'endDate')]
  const [skip, take] = [numberIn(query, 'skip') ?? 0, numberIn(query, 'take') ?? TAKE]
  if (skip + take > TAKE_MAX) throw invalid('/take', `must be at most ${TAKE_MAX}, together with skip`)
  const [orderId, ...others] = valuesIn(query, 'orderId')
  if (others.length > 0) throw invalid('/orderId', 'must be given once')
  const wanted = [...new Set(valuesIn(query, 'status'))]
  const externalId = orderId === undefined ? undefined : (externalIdOf(orderId) ?? '')
  const period = {
    createdFrom: from === undefined ? undefined : from * 1000,
    createdTo: to === undefined ? undefined : (to + 1) * 1000,
  }
  const max = skip + take
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
  return orders.map(order => presentInvoice(order, paid.get(order.id) ?? '0', context.policy.checkoutUrl))
}

async function showInvoice(context: Context, merchantId: string, id: string) {
  const { order, paid } = await getOrderPayments(context, merchantId, id)
  return presentInvoice(order, paid, context.policy.checkoutUrl)
}

/**
 * Cancels an order. If a buyer has started to pay, ends it instead, so that money that was sent still counts.
 */
async function invalidate(context: Context, merchantId: string, id: string, by: string): Promise<void> {
  try {
    await cancelOrder(context, merchantId, id, by, 'marked as invalid by an app')
  } catch (error) {
    const { order } = await getOrder(context, merchantId, id)
    const isStarted = error instanceof Refusal && error.code === 'order_not_cancellable'
    if (!isStarted || order.status !== 'UNPAID') throw error
    await endOrder(context, merchantId, id)
  }
}

const refuseRefund = () => {
  throw new Refusal(
    'conflict',
    'Florin makes no pull payments. Open the order in the dashboard to send the money back or to record it.',
  )
}

/** The routes for orders, as invoices of BTCPay Server. */
export const invoices = (context: Context) =>
  new Elysia()
    .post(
      STORE,
      async ({ body, params, request }) => {
        const { merchantId } = await storeOf(request, params)
        const order = await createInvoice(context, merchantId, body)
        return presentInvoice(order, '0', context.policy.checkoutUrl)
      },
      requireTokenAndBody(context, create, NewInvoice),
    )
    .get(
      STORE,
      async ({ params, request }) => {
        const { merchantId } = await storeOf(request, params)
        return listInvoices(context, merchantId, new URL(request.url).searchParams)
      },
      requireToken(context, read),
    )
    .get(
      `${STORE}/:invoiceId`,
      async ({ params, request }) =>
        showInvoice(context, (await storeOf(request, params)).merchantId, params.invoiceId),
      requireToken(context, read),
    )
    .get(
      '/api/v1/invoices/:invoiceId',
      async ({ params, request }) =>
        showInvoice(context, (await storeOf(request, {})).merchantId, params.invoiceId),
      requireToken(context, read),
    )
    .get(
      `${STORE}/:invoiceId/payment-methods`,
      async ({ params, request }) => {
        const { merchantId } = await storeOf(request, params)
        return presentInvoiceMethods(await getOrderPayments(context, merchantId, params.invoiceId))
      },
      requireToken(context, read),
    )
    .post(
      `${STORE}/:invoiceId/status`,
      async ({ body, params, request }) => {
        const { merchantId, keyId } = await storeOf(request, params)
        if (body.status !== 'Invalid') {
          throw invalid('/status', 'must be Invalid. Only people can mark an order as paid, in the dashboard')
        }
        const own = await contextOf(context, request)
        await invalidate(own, merchantId, params.invoiceId, `key:${keyId}`)
        return showInvoice(context, merchantId, params.invoiceId)
      },
      requireTokenAndBody(context, manage, NewStatus),
    )
    .post(`${STORE}/:invoiceId/refund`, refuseRefund, { ...requireToken(context, manage), parse: () => null })
    .post('/api/v1/stores/:storeId/pull-payments', refuseRefund, {
      ...requireToken(context, manage),
      parse: () => null,
    })
