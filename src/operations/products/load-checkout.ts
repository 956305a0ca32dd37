import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Product } from '../../domain/product.ts'
import { emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { Context } from '../context.ts'

export interface ProductCheckout {
  product: Product
  merchant: Merchant
  wallet: Wallet
}

/** Returns a product for its public page. Throws not_found if it is archived or its merchant is suspended. */
export async function loadProductCheckout(
  context: Pick<Context, 'storage'>,
  productId: string,
): Promise<ProductCheckout> {
  return context.storage.read(async tables => {
    const product = await tables.products.find(productId.toLowerCase())
    const merchant = product && (await tables.merchants.find(product.merchantId))
    if (!product || merchant?.status !== 'active')
      throw new Refusal('not_found', 'Product not found.', { reason: { kind: 'product_unknown' } })
    if (!product.active)
      throw new Refusal('not_found', 'Product not found.', { reason: { kind: 'product_archived' } })
    const wallet = (await tables.wallets.find(merchant.id)) ?? emptyWallet(merchant.id, product.createdAt)
    return { product, merchant, wallet }
  })
}
