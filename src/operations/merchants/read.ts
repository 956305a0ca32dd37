import type { Key } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { World } from '../context.ts'

export const listMerchants = (world: World): Promise<Merchant[]> =>
  world.storage.read(tables => tables.merchants.list())

export async function readMerchant(world: World, id: string): Promise<Merchant> {
  const merchant = await world.storage.read(tables => tables.merchants.find(id))
  if (!merchant) throw new Refusal('not_found', 'There is no merchant with this id.')
  return merchant
}

export async function listKeys(world: World, merchantId: string): Promise<Key[]> {
  await readMerchant(world, merchantId)
  return world.storage.read(tables => tables.keys.listOf(merchantId))
}
