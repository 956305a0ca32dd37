import { Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { offersMethod } from '../../domain/payment-methods.ts'
import type { Context } from '../context.ts'
import { loadProductCheckout } from '../products/load-checkout.ts'
import { type CustomerInput, parseOrderRequest } from './steps/parse-request.ts'
import { placeOrder } from './steps/place.ts'

export interface NewProductOrder {
  customer: CustomerInput
  paymentMethodKey: string
  amount?: string | undefined
  currency?: string | undefined
}

/** Creates an order from a product's public page, for the payment method that the buyer chose. */
export async function createProductOrder(
  context: Context,
  productId: string,
  { paymentMethodKey, ...input }: NewProductOrder,
): Promise<OrderView> {
  const body = { ...input, productUUID: productId, paymentMethodsKeys: [paymentMethodKey] }
  const request = await parseOrderRequest(context, body)
  const { product } = await loadProductCheckout(context, productId)
  if (!offersMethod(product.methodKeys, paymentMethodKey)) throw new Refusal('method_not_offered')
  return context.storage.write(tables => placeOrder(context, tables, product.merchantId, request, 'web'))
}
