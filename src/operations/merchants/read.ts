import type { Key } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Context } from '../context.ts'

export const listMerchants = (context: Pick<Context, 'storage'>): Promise<Merchant[]> =>
  context.storage.read(tables => tables.merchants.list())

export async function getMerchant(context: Pick<Context, 'storage'>, id: string): Promise<Merchant> {
  const merchant = await context.storage.read(tables => tables.merchants.find(id))
  if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
  return merchant
}

export async function listKeys(context: Pick<Context, 'storage'>, merchantId: string): Promise<Key[]> {
  await getMerchant(context, merchantId)
  return context.storage.read(tables => tables.keys.listOf(merchantId))
}

/** The merchant of an order or product, in any state; null for an unknown ID. */
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

/** The current state of a merchant, usually without asking the database. */
export const knownMerchant = ({ storage }: Pick<Context, 'storage'>, id: string): Promise<Merchant | null> =>
  storage.remember(['merchants'], `merchant ${id}`, tables => tables.merchants.find(id))
