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

/** What a caller said of an order, each member judged by itself; null for what he left out. */
export interface PriceRequest {
  price: Price | null
  methodKeys: string[] | null
  description: string | null
  productImageUrl: string | null
  metadata: Metadata
}

/** What is sold, for how much, and by which methods. */
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
>

/** The terms of an order that no product stands behind: its own words. */
export function termsForAmount({
  price,
  methodKeys,
  description,
  productImageUrl,
  metadata,
}: PriceRequest): OrderTerms {
  assert(price && methodKeys, 'an order without a product names its price and its methods')
  const own = { description, productImageUrl, metadata, methodKeys }
  return { ...own, ...price, productId: null, productName: null }
}

/**
 * The terms of a product's order: the product's defaults, which a caller may change as far as the product
 * allows it.
 */
export function productTerms(product: Product, query: PriceRequest): OrderTerms {
  if (!product.active) throw new Refusal('product_not_available')
  if (query.price && !product.allowPriceOverride) throw new Refusal('price_override_not_allowed')
  const { amount, currency } = query.price ?? product
  return {
    productId: product.id,
    productName: product.name,
    productImageUrl: imageOf(product) ?? query.productImageUrl,
    description: product.description ?? query.description,
    amount,
    currency,
    methodKeys: methodsWithin(product, query.methodKeys),
    metadata: checkMetadata({ ...product.metadata, ...query.metadata }),
  }
}

function methodsWithin({ methodKeys }: Product, wished: string[] | null): string[] {
  if (wished === null) return methodKeys
  if (!methodKeys.includes(ANY) && !wished.every(key => methodKeys.includes(key))) {
    throw new Refusal('method_not_offered', 'The product does not offer all of these payment methods.')
  }
  return wished
}
