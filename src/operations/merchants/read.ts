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
