import { Refusal } from '../../domain/errors.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'

/** Max orders per write, so that no other write waits for long. */
const ORDERS_AT_ONCE = 100

/** Deletes all test orders of a merchant, with everything that belongs to them. Returns their number. */
export async function deleteTestOrders(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
): Promise<number> {
  const before = context.clock() + 1
  const deleteSome = () =>
    context.storage.write(async tables => {
      if (!(await tables.merchants.find(merchantId)))
        throw new Refusal('not_found', 'No merchant has this ID.')
      return tables.retention.deleteTestOrders(testShopOf(merchantId), before, ORDERS_AT_ONCE)
    })
  let deleted = 0
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some
  if (deleted === 0) return 0
  await context.storage.write(tables =>
    recordAudit(context, tables, {
      merchantId,
      action: 'test_orders.deleted',
      subject: 'merchant',
      before: { orders: deleted },
      after: { orders: 0 },
    }),
  )
  return deleted
}
