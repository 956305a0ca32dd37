import { createHash } from 'node:crypto'
import { canonical } from '../../domain/canonical-json.ts'
import { Refusal } from '../../domain/errors.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type OrderInput, parseOrderRequest } from './steps/parse-request.ts'
import { placeOrder } from './steps/place.ts'

/** The name under which idempotency keys of new orders are stored. */
export const CREATE_ORDER = 'create_order'

/**
 * Creates an UNPAID order with its private session. Contacts no provider and no chain. A repeated idempotency
 * key returns the first order and creates nothing. The repeated request must have the same `compared`: by
 * default the whole input. Callers pass it to leave out parts that depend on the time.
 */
export async function createOrder(
  context: Context,
  merchantId: string,
  input: OrderInput,
  idempotencyKey: string | null = null,
  compared: object = input,
): Promise<OrderView & { created: boolean }> {
  if (!idempotencyKey) {
    const request = await parseOrderRequest(context, input)
    const made = await context.storage.write(tables =>
      placeOrder(context, tables, merchantId, request, 'api'),
    )
    return { ...made, created: true }
  }
  const requestHash = hashOf(compared)
  const earlier = () =>
    context.storage.read(async tables => {
      const used = await tables.idempotency.find(merchantId, CREATE_ORDER, idempotencyKey)
      const same =
        used?.requestHash === requestHash ? await orderOf(tables, merchantId, used.resourceId) : null
      return { isUsed: used !== null, same }
    })
  // The first request is looked up before the input is validated: the expiry in it was valid then, and may
  // have passed since.
  const { isUsed, same } = await earlier()
  if (same) return { ...same, created: false }
  const request = await parseOrderRequest(context, input)
  if (isUsed) throw new Refusal('idempotency_key_reused')
  try {
    const made = await context.storage.write(async tables => {
      const placed = await placeOrder(context, tables, merchantId, request, 'api')
      const { id: resourceId, createdAt } = placed.order
      const key = {
        merchantId,
        operation: CREATE_ORDER,
        key: idempotencyKey,
        requestHash,
        resourceId,
        createdAt,
      }
      if (!(await tables.idempotency.insertNew(key))) throw new KeyTaken()
      return placed
    })
    return { ...made, created: true }
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
    const { same: first } = await earlier()
    if (!first) throw new Refusal('idempotency_key_reused')
    return { ...first, created: false }
  }
}

/** Thrown if another request stored an order with this key in the meantime. */
class KeyTaken extends Error {}

const hashOf = (compared: object): string => createHash('sha256').update(canonical(compared)).digest('hex')

async function orderOf(tables: Tables, merchantId: string, orderId: string): Promise<OrderView | null> {
  const found = await tables.orders.find(orderId)
  const merchant = await tables.merchants.find(merchantId)
  return found && merchant && { ...found, merchant }
}
