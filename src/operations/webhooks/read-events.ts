import { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { EventWithDelivery } from '../../domain/webhook.ts'
import type { EventFilter, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** Returns an event of this merchant with its delivery. Throws not_found for any other. */
export async function requireEvent(
  tables: Tables,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> {
  const found = await tables.events.find(id)
  if (found?.event.merchantId !== merchantId) {
    throw new Refusal('not_found', 'No event has this ID.')
  }
  return found
}

export const getEvent = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> => context.storage.read(tables => requireEvent(tables, merchantId, id))

export const listEvents = (
  context: Pick<Context, 'storage'>,
  filter: EventFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<EventWithDelivery>> =>
  context.storage.read(async tables => {
    const rows = await tables.events.list(filter, size + 1, after)
    return pageOf(rows, size, ({ event }) => ({ at: event.createdAt, id: event.id }))
  })
