import type { Awaitable } from '../../../domain/awaitable.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Context } from '../../context.ts'

/** A merchant as it is now, usually without asking the database. */
export const knownMerchant = (
  { storage }: Pick<Context, 'storage'>,
  id: string,
): Awaitable<Merchant | null> =>
  storage.remember(['merchants'], `merchant ${id}`, tables => tables.merchants.find(id))
