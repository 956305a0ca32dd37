import { createHash } from 'node:crypto'
import { canonical } from '../../domain/canonical-json.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type NewOrder, parseOrderRequest } from './steps/parse-request.ts'
import { placeOrder } from './steps/place.ts'
import type { OrderView } from './view.ts'

/** The operation of the idempotency keys of orders. */
export const CREATE_ORDER = 'create_order'

/**
 * Creates an UNPAID order with its private session. Contacts no provider and no chain. A repeated idempotency
 * key returns the first order and creates nothing. `compared` is what must be the same then; the whole input,
 * unless a part of it depends on the time.
 */
export async function createOrder(
  context: Context,
  merchantId: string,
  input: NewOrder,
  idempotencyKey: string | null = null,
  compared: object = input,
): Promise<OrderView & { created: boolean }> {
  const requestHash = idempotencyKey ? hashOf(compared) : ''
  if (idempotencyKey) {
    // Replay first: an expiry that was valid in the first request may have passed by now.
    const same = await context.storage.read(tables => replay(tables, merchantId, idempotencyKey, requestHash))
    if (same) return { ...same, created: false }
  }
  const request = await parseOrderRequest(context, input)
  return context.storage.write(async tables => {
    if (idempotencyKey) {
      const same = await replay(tables, merchantId, idempotencyKey, requestHash)
      if (same) return { ...same, created: false }
      if (await tables.idempotency.find(merchantId, CREATE_ORDER, idempotencyKey)) {
        throw new Refusal('idempotency_key_reused')
      }
    }
    const made = await placeOrder(context, tables, merchantId, request, 'api')
    if (idempotencyKey) {
      await tables.idempotency.insert({
        merchantId,
        operation: CREATE_ORDER,
        key: idempotencyKey,
        requestHash,
        resourceId: made.order.id,
        createdAt: made.order.createdAt,
      })
    }
    return { ...made, created: true }
  })
}

const hashOf = (compared: object): string => createHash('sha256').update(canonical(compared)).digest('hex')

/** The order that this key and body created before. */
async function replay(
  tables: Tables,
  merchantId: string,
  key: string,
  hash: string,
): Promise<OrderView | null> {
  const used = await tables.idempotency.find(merchantId, CREATE_ORDER, key)
  if (used?.requestHash !== hash) return null
  const found = await tables.orders.find(used.resourceId)
  const merchant = await tables.merchants.find(merchantId)
  return found && merchant && { ...found, merchant }
}
