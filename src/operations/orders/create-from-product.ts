import { Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { CRYPTO, offersMethod } from '../../domain/payment-methods.ts'
import { unknownPayer } from '../../domain/tax.ts'
import type { Context } from '../context.ts'
import { loadProductCheckout } from '../products/load-checkout.ts'
import { type CustomerInput, parseOrderRequest } from './steps/parse-request.ts'
import { placeOrder } from './steps/place.ts'
import type { TaxPayerInput } from './steps/tax-payer.ts'

export interface NewProductOrder {
  customer: CustomerInput
  paymentMethodKey: string
  amount?: string | undefined
  currency?: string | undefined
}

/**
 * An order from a product's public page. The page asks for the buyer's country in shops with tax settings.
 */
export interface ProductOrderInput extends NewProductOrder {
  taxPayer?: TaxPayerInput | undefined
}

/** Creates an order from a product's public page, for the payment method that the buyer chose. */
export async function createProductOrder(
  context: Context,
  productId: string,
  { paymentMethodKey, ...input }: ProductOrderInput,
): Promise<OrderView> {
  const body = { ...input, productUUID: productId, paymentMethodsKeys: [paymentMethodKey] }
  const request = await parseOrderRequest(context, body)
  const { product } = await loadProductCheckout(context, productId)
  if (!offersMethod(product.methodKeys, paymentMethodKey) || !(await mayExist(context, paymentMethodKey))) {
    throw new Refusal('method_not_offered')
  }
  // The price is never final here: a buyer who names no country pays the tax of the shop's country.
  const sale = { ...request, payer: request.payer ?? unknownPayer }
  return context.storage.write(tables => placeOrder(context, tables, product.merchantId, sale, 'web'))
}

/** Returns false if it is known that no provider has the method. */
async function mayExist({ storage, providers }: Context, methodKey: string): Promise<boolean> {
  if (methodKey === CRYPTO) return true
  const isOwn = providers.all.some(({ charge }) =>
    charge?.accounts?.methods.some(({ key }) => key === methodKey),
  )
  if (isOwn) return true
  const others = providers.all.filter(({ charge }) => !charge?.accounts)
  const catalogues = await storage.read(tables =>
    Promise.all(others.map(({ id }) => tables.catalogues.find(id))),
  )
  return catalogues.some(known => known === null || known.methods.some(({ key }) => key === methodKey))
}
