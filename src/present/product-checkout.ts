import type { Order } from '../domain/order.ts'
import { imageOf } from '../domain/product.ts'
import type { ProductCheckout } from '../operations/products/load-checkout.ts'
import { imageUrl } from './order.ts'

export const productCheckoutUrl = (productId: string, checkoutUrl: string): string =>
  `${checkoutUrl}/checkout/${productId}`

/** A product as the public may see it. */
export const presentProductCheckout = ({ product, merchant }: ProductCheckout, checkoutUrl: string) => ({
  productUUID: product.id,
  merchantName: merchant.name,
  name: product.name,
  description: product.description,
  imageUrl: imageUrl(imageOf(product), checkoutUrl),
  imageDisplaySize: product.imageDisplaySize,
  allowPriceOverride: product.allowPriceOverride,
  amount: product.amount,
  currency: product.currency,
  paymentMethodsKeys: product.methodKeys,
  checkoutUrl: productCheckoutUrl(product.id, checkoutUrl),
})

/**
 * The order that a buyer created on a product's page. A new order is always unpaid. Buyers go to the order's
 * page first: it stays open while a provider's page takes the payment.
 */
export const presentStartedOrder = (order: Order, checkoutUrl: string) => ({
  orderUUID: order.id,
  status: 'UNPAID' as const,
  redirectUrl: `${checkoutUrl}/pay/${order.id}`,
})
