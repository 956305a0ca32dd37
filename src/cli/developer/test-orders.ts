import { boundedFetch } from '../../boot/fetch.ts'
import { Refusal } from '../../domain/errors.ts'
import type { TestOutcome } from '../../domain/test-shop.ts'
import type { EventType } from '../../domain/webhook.ts'
import type { ShopServer } from './server.ts'

/** The outcomes of a new test order with which each event is recorded. */
const outcomes: Readonly<Record<EventType, readonly TestOutcome[]>> = {
  'payment.created': ['pending'],
  'payment.processing': ['pending'],
  'payment.paid': ['paid'],
  'order.paid': ['paid'],
  'payment.failed': ['failed'],
  'payment.expired': ['late'],
  'order.expired': ['expired'],
  'order.cancelled': ['cancelled'],
  'order.failed': ['failed'],
  'refund.recorded': ['paid', 'refunded'],
  'payment.unmatched': ['underpaid', 'expired'],
}

/** True for a test key: no money can be paid to the orders that it creates. */
export const isForTests = ({ apiKey }: ShopServer): boolean => apiKey.startsWith('florin_test_')

/** Creates a test order and lets the event happen to it. Returns the ID of the order. */
export async function happenInTest(
  { url, call }: ShopServer,
  type: EventType,
  order: object,
): Promise<string> {
  const body = order as Parameters<typeof call<'createTestOrder'>>[3]
  const { orderUUID } = await call('createTestOrder', 'POST', '/v1/test/orders', body)
  for (const outcome of outcomes[type]) {
    const answer = await boundedFetch(`${url}/pay/${orderUUID}/test`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `outcome=${outcome}`,
      redirect: 'manual',
    })
    await answer.body?.cancel()
    if (answer.status !== 303)
      throw new Refusal('conflict', `The test order ${orderUUID} refused ${outcome}: ${answer.status}.`)
  }
  return orderUUID
}
