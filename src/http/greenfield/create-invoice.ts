import { Refusal } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import { ANY, CRYPTO } from '../../domain/payment-methods.ts'
import type { Context } from '../../operations/context.ts'
import { knownMerchant } from '../../operations/merchants/read.ts'
import { createOrder } from '../../operations/orders/create.ts'
import type { OrderInput } from '../../operations/orders/steps/parse-request.ts'
import { listMethods } from '../../operations/payments/list-methods.ts'
import { recordInvoiceEvent } from '../../operations/webhooks/steps/record-greenfield.ts'
import { type InvoiceInput, namedMethods, orderOf } from './request.ts'

/**
 * Creates an order. A plugin cannot say that a shop takes only coins. So if the shop has not set the wallet
 * for cards and banks, the order offers coins.
 */
async function placeOrder(context: Context, merchantId: string, order: OrderInput) {
  try {
    return await createOrder(context, merchantId, order)
  } catch (error) {
    const isAnyMethod = order.paymentMethodsKeys?.[0] === ANY
    const lacksWallet = error instanceof Refusal && error.code === 'payout_wallet_required'
    if (!isAnyMethod || !lacksWallet) throw error
    return createOrder(context, merchantId, { ...order, paymentMethodsKeys: [CRYPTO] })
  }
}

/** Creates the order that an invoice asks for. */
export async function createInvoice(
  context: Context,
  merchantId: string,
  input: InvoiceInput,
): Promise<Order> {
  const merchant = await knownMerchant(context, merchantId)
  const methods = namedMethods(input).length > 0 ? await listMethods(context, merchantId, false) : null
  const given = orderOf(input, {
    id: context.ids.uuid(),
    storeCurrency: merchant?.currency ?? null,
    providerMethods: methods?.providerMethods.map(({ key }) => key) ?? [],
    now: context.clock(),
  })
  const { order } = await placeOrder(context, merchantId, given)
  await context.storage.write(tables =>
    recordInvoiceEvent(context, tables, order, { type: 'InvoiceCreated' }),
  )
  return order
}
