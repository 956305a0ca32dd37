import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'

/*
 * Finds the merchant of an ID. For the operator's command line only: all other callers name their merchant,
 * so that one merchant's ID is of no use to another.
 */

export async function merchantOfKey(context: Pick<Context, 'storage'>, id: string): Promise<string> {
  const key = await context.storage.read(tables => tables.keys.find(id))
  if (!key) throw new Refusal('not_found', 'No key has this ID.')
  return key.merchantId
}

export async function merchantOfOrder(context: Pick<Context, 'storage'>, id: string): Promise<string> {
  const found = await context.storage.read(tables => tables.orders.find(id))
  if (!found) throw new Refusal('not_found', 'No order has this ID.')
  return found.order.merchantId
}

export async function merchantOfUnmatched(context: Pick<Context, 'storage'>, id: string): Promise<string> {
  const payment = await context.storage.read(
    async tables => (await tables.unmatched.find(id)) ?? tables.skippedPayments.find(id),
  )
  if (!payment) throw new Refusal('not_found', 'No unmatched payment has this ID.')
  return payment.merchantId
}
