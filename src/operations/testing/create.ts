import { Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import type { Context } from '../context.ts'
import { knownMerchant } from '../merchants/read.ts'
import { createOrder } from '../orders/create.ts'
import type { OrderInput } from '../orders/steps/parse-request.ts'

/**
 * Creates a test order, from the same request as a live one. It is paid on a page of its own, on which
 * everything is simulated, and it never becomes a live order.
 */
export async function createTestOrder(
  context: Context,
  merchantId: string,
  input: OrderInput,
  idempotencyKey: string | null = null,
): Promise<OrderView & { created: boolean }> {
  const merchant = await knownMerchant(context, merchantId)
  if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
  await context.storage.write(tables => tables.merchants.ensureTestShop(merchant))
  return createOrder(context, testShopOf(merchantId), input, idempotencyKey)
}
