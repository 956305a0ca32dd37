import { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import { isLive } from '../../domain/test-shop.ts'
import type { Delivery, EventWithDelivery, Webhook } from '../../domain/webhook.ts'
import type { EventFilter, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { eventHeaders } from './steps/event-headers.ts'
import { fixedHeaders } from './steps/send.ts'

/** Returns an event of this merchant with its delivery. Throws not_found for any other ID. */
export async function requireEvent(
  tables: Tables,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> {
  const found = await tables.events.find(id)
  if (found?.event.merchantId !== merchantId) {
    throw new Refusal('not_found', 'No event has this ID.')
  }
  return withOwnDelivery(tables, found)
}

/**
 * Returns an event of a test order with its newest delivery to a further webhook, since the first webhook
 * never gets such an event. Returns any other event unchanged.
 */
async function withOwnDelivery(
  tables: Pick<Tables, 'furtherDeliveries'>,
  found: EventWithDelivery,
): Promise<EventWithDelivery> {
  if (isLive(found.event)) return found
  const [delivery = found.delivery] = await tables.furtherDeliveries.listOfEvent(found.event.id)
  return { ...found, delivery }
}

export const getEvent = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> => context.storage.read(tables => requireEvent(tables, merchantId, id))

/** An event with the headers of its requests, except signatures and headers that differ in each try. */
export const readRequest = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery & { headers: Record<string, string> }> =>
  context.storage.read(async tables => {
    const found = await requireEvent(tables, merchantId, id)
    return { ...found, headers: fixedHeaders(found.event, await eventHeaders(tables, found.event)) }
  })

export const listEvents = (
  context: Pick<Context, 'storage'>,
  filter: EventFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<EventWithDelivery>> =>
  context.storage.read(async tables => {
    const rows = await tables.events.list(filter, size + 1, after)
    const shown = await Promise.all(rows.map(row => withOwnDelivery(tables, row)))
    return pageOf(shown, size, ({ event }) => ({ at: event.createdAt, id: event.id }))
  })

/** The number of events that wait for a merchant's first webhook, or for a retry. */
export const countWaiting = ({ storage }: Pick<Context, 'storage'>, merchantId: string): Promise<number> =>
  storage.read(tables => tables.events.countByStatus(merchantId, 'pending'))

/**
 * True if an event waits until a person sends it: there is no webhook, or it was connected after the event.
 * Events that were tried before belong to the webhook.
 */
export const isUnsent = (
  {
    status,
    nextAttemptAt,
    tries,
    createdAt,
  }: Pick<Delivery, 'status' | 'nextAttemptAt' | 'tries' | 'createdAt'>,
  webhook: Pick<Webhook, 'sendsFrom'> | null,
): boolean =>
  status === 'pending' &&
  nextAttemptAt === null &&
  tries.length === 0 &&
  (webhook === null || createdAt < (webhook.sendsFrom ?? 0))
