import { Elysia } from 'elysia'
import { asserted, invalid, Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { knownMerchant } from '../../operations/merchants/read.ts'
import { cancelOrder } from '../../operations/orders/cancel.ts'
import { endOrder } from '../../operations/orders/end.ts'
import { getOrder } from '../../operations/orders/read.ts'
import { getOrderPayments } from '../../operations/orders/read-payments.ts'
import { contextOf } from '../auth.ts'
import { statusContext } from '../pages/checkout-model.ts'
import { requireToken, requireTokenAndBody, storeOf } from './access.ts'
import { createInvoice } from './create-invoice.ts'
import { findInvoices, numberIn } from './find-invoices.ts'
import { presentInvoice, presentInvoiceMethods } from './present.ts'
import { NewInvoice, NewStatus } from './request.ts'

const STORE = '/api/v1/stores/:storeId/invoices'
const read = { scope: 'api:read' } as const
const create = { live: true, scope: 'orders:create' } as const
const manage = { live: true, scope: 'orders:manage' } as const

/** The values of a parameter that may be repeated. Its name may have the brackets of PHP. */
const valuesIn = (query: URLSearchParams, name: string): string[] => [
  ...query.getAll(name),
  ...query.getAll(`${name}[]`),
]

async function listInvoices(context: Context, merchantId: string, query: URLSearchParams) {
  if (query.get('textSearch')) throw invalid('/textSearch', 'is not supported; use orderId')
  const [from, to] = [numberIn(query, 'startDate'), numberIn(query, 'endDate')]
  const [orderId, ...others] = valuesIn(query, 'orderId')
  if (others.length > 0) throw invalid('/orderId', 'must be given once')
  const found = await findInvoices(context, merchantId, {
    orderId,
    statuses: valuesIn(query, 'status'),
    createdFrom: from === undefined ? undefined : from * 1000,
    createdTo: to === undefined ? undefined : (to + 1) * 1000,
    skip: numberIn(query, 'skip'),
    take: numberIn(query, 'take'),
  })
  return found.map(({ order, paid }) => presentInvoice(order, paid, context.policy.checkoutUrl))
}

async function showInvoice(context: Context, merchantId: string, id: string) {
  const { order, paid } = await getOrderPayments(context, merchantId, id)
  return presentInvoice(order, paid, context.policy.checkoutUrl)
}

async function listInvoiceMethods(context: Context, merchantId: string, id: string) {
  const payments = await getOrderPayments(context, merchantId, id)
  const merchant = asserted(await knownMerchant(context, merchantId), 'a key has a merchant')
  return presentInvoiceMethods(payments, statusContext(context, { merchant }))
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
        return listInvoiceMethods(context, merchantId, params.invoiceId)
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
