import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'

/** Throws not_found for an order that buyers cannot see. */
export const requirePublicOrder = ({ storage }: Pick<Context, 'storage'>, orderId: string): Promise<void> =>
  storage.read(async tables => {
    const found = await tables.orders.find(orderId)
    const merchant = found && (await tables.merchants.find(found.order.merchantId))
    if (!merchant || merchant.status === 'suspended')
      throw new Refusal('not_found', 'There is no such order.')
  })
