import { assert, Refusal } from './errors.ts'
import { checkMetadata, type Metadata } from './metadata.ts'
import type { Amount } from './money.ts'
import type { Order } from './order.ts'
import { ANY } from './payment-methods.ts'
import { imageOf, type Product } from './product.ts'

export interface Price {
  amount: Amount
  currency: string
}

/** Requested price and methods, each field validated alone; null for a missing field. */
export interface PriceRequest {
  price: Price | null
  methodKeys: string[] | null
  description: string | null
  productImageUrl: string | null
  metadata: Metadata
}

/** Name, price, tax and payment methods of an order. */
export type OrderTerms = Pick<
  Order,
  | 'productId'
  | 'productName'
  | 'productImageUrl'
  | 'description'
  | 'amount'
  | 'currency'
  | 'methodKeys'
  | 'metadata'
  | 'tax'
>

export function termsForAmount({
  price,
  methodKeys,
  description,
  productImageUrl,
  metadata,
}: PriceRequest): OrderTerms {
  assert(price && methodKeys, 'an order without a product has a price and methods')
  const requested = { description, productImageUrl, metadata, methodKeys }
  return { ...requested, ...price, productId: null, productName: null, tax: null }
}

/** Terms of an order for a product: the product's own terms, with the changes that it allows. */
export function productTerms(product: Product, request: PriceRequest): OrderTerms {
  if (!product.active) throw new Refusal('product_not_available')
  if (request.price && !product.allowPriceOverride) throw new Refusal('price_override_not_allowed')
  const { amount, currency } = request.price ?? product
  return {
    productId: product.id,
    productName: product.name,
    productImageUrl: imageOf(product) ?? request.productImageUrl,
    description: product.description ?? request.description,
    amount,
    currency,
    methodKeys: methodsWithin(product, request.methodKeys),
    metadata: checkMetadata({ ...product.metadata, ...request.metadata }),
    tax: null,
  }
}

function methodsWithin({ methodKeys }: Product, requested: string[] | null): string[] {
  if (requested === null) return methodKeys
  if (!methodKeys.includes(ANY) && !requested.every(key => methodKeys.includes(key))) {
    throw new Refusal('method_not_offered', 'This product does not offer all of these payment methods.')
  }
  return requested
}
