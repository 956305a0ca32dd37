import type { OrderRow } from '../../../../views/dashboard/orders.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import { fiatCurrency } from '../../../domain/fiat.ts'
import type { OrderView } from '../../../domain/order-view.ts'
import { CRYPTO } from '../../../domain/payment-methods.ts'
import type { Context } from '../../../operations/context.ts'
import { type Confirmations, listConfirmations } from '../../../operations/orders/confirmations.ts'
import { listMethods } from '../../../operations/payments/list-methods.ts'
import { assetOf } from '../../../present/orders-csv.ts'

/** The names of payment methods by their keys. A method without a name is shown by its key. */
export type MethodNames = ReadonlyMap<string, string>

/** The names of the methods of the shop's providers. Empty while the methods cannot be read. */
export async function methodNamesOf(context: Context, merchantId: string): Promise<MethodNames> {
  try {
    const { providerMethods } = await listMethods(context, merchantId, false)
    return new Map(providerMethods.map(({ key, name }) => [key, name]))
  } catch (error) {
    context.log.warn({ merchantId, reason: String(error) }, 'dashboard.methods.unavailable')
    return new Map()
  }
}

/** The email address to show; null if the buyer was not asked for one. */
export const emailOf = (email: string): string | null => (email === NO_EMAIL ? null : email)

function paidWith(
  { networks }: Pick<Context, 'networks'>,
  names: MethodNames,
  order: OrderView['order'],
): string | null {
  const { chosenMethod } = order
  if (chosenMethod === null) return null
  if (chosenMethod !== CRYPTO) return names.get(chosenMethod) ?? chosenMethod
  const asset = (id: string) => networks.asset(id)?.name ?? null
  const assetId = assetOf(order, { asset })
  return assetId && (asset(assetId) ?? assetId)
}

/** The amount that arrived. A charge has a currency, and a payment of coins has their ticker. */
function receivedOf(
  { networks }: Pick<Context, 'networks'>,
  { receivedAmount: amount, receivedCurrency: asset }: OrderView['order'],
): OrderRow['received'] {
  if (amount === null || asset === null) return null
  const currency = fiatCurrency(asset)
  return currency !== null
    ? { amount, currency }
    : { amount, ticker: networks.asset(asset)?.ticker ?? asset.toUpperCase() }
}

/** A row of the list of orders. */
export function orderRow(
  context: Context,
  names: MethodNames,
  { order }: Pick<OrderView, 'order'>,
  confirmations: Confirmations | null,
): OrderRow {
  const { id, createdAt, externalId, description, customerId, customerEmail, customerFullName } = order
  return {
    id,
    createdAt,
    externalId,
    description: description ?? order.productName,
    customerId,
    email: emailOf(customerEmail),
    fullName: customerFullName,
    amount: { amount: order.amount, currency: order.currency },
    status: order.status,
    isForced: order.forcedAt !== null,
    payment: order.paymentState && { state: order.paymentState, confirmations },
    refund: order.refundCount > 0 ? order.refundStatus : null,
    paidWith: paidWith(context, names, order),
    received: receivedOf(context, order),
  }
}

/** The rows of a list of orders. */
export async function orderRows(
  context: Context,
  names: MethodNames,
  views: readonly OrderView[],
): Promise<OrderRow[]> {
  const confirmations = await listConfirmations(context, views)
  return views.map(view => orderRow(context, names, view, confirmations.get(view.order.id) ?? null))
}
