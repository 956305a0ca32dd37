import type { ProductImage } from '../domain/product.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { ProductView } from '../operations/products/steps/store.ts'
import { productCheckoutUrl } from './product-checkout.ts'

const dataUri = ({ type, bytes }: ProductImage): string => `data:${type};base64,${bytes.toBase64()}`

export const presentProduct = ({ product, image }: ProductView, checkoutUrl: string) => ({
  productUUID: product.id,
  merchantId: product.merchantId,
  checkoutUrl: productCheckoutUrl(product.id, checkoutUrl),
  name: product.name,
  description: product.description,
  imageUrl: image ? dataUri(image) : product.imageUrl,
  imageDisplaySize: product.imageDisplaySize,
  active: product.active,
  allowPriceOverride: product.allowPriceOverride,
  orderTemplate: {
    amount: product.amount,
    currency: product.currency,
    paymentMethodsKeys: product.methodKeys,
    metadata: product.metadata,
  },
  createdAt: formatTimestamp(product.createdAt),
  updatedAt: formatTimestamp(product.updatedAt),
})
