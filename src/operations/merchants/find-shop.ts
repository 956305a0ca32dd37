import type { Merchant } from '../../domain/merchant.ts'
import type { Context } from '../context.ts'

/** Whose order or product an id names, whatever the state of that merchant; null for an unknown id. */
export const findShop = (
  { storage }: Pick<Context, 'storage'>,
  kind: 'order' | 'product',
  id: string,
): Promise<Merchant | null> =>
  storage.read(async tables => {
    const owner =
      kind === 'order' ? (await tables.orders.find(id))?.order : await tables.products.find(id.toLowerCase())
    return owner ? tables.merchants.find(owner.merchantId) : null
  })
