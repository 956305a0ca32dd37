import { browseOrders } from '../../operations/orders/browse.ts'
import { browseProducts } from '../../operations/products/read.ts'
import type { ShopVisit } from './visit.ts'

const NOTHING_KNOWN = 'USD'

/**
 * The currency that a new order or product starts with. If the shop has not chosen one, the currency of its
 * newest order or product is a good guess.
 */
export async function usualCurrency(
  { context, merchant }: ShopVisit,
  newestOf: 'orders' | 'products',
): Promise<string> {
  if (merchant.currency !== null) return merchant.currency
  const [product] = (await browseProducts(context, { merchantId: merchant.id }, 1, null)).items
  if (product && newestOf === 'products') return product.product.currency
  const [order] = (await browseOrders(context, merchant.id, {}, 1, null)).items
  return order?.order.currency ?? product?.product.currency ?? NOTHING_KNOWN
}
