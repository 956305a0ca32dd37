import { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { EventWithDelivery } from '../../domain/webhook.ts'
import type { EventFilter, Tables } from '../../storage/port.ts'
import type { World } from '../context.ts'

/** An event of a merchant with its delivery. Another merchant's event is not there. */
export async function ownEvent(tables: Tables, merchantId: string, id: string): Promise<EventWithDelivery> {
  const found = await tables.events.find(id)
  if (found?.event.merchantId !== merchantId) {
    throw new Refusal('not_found', 'There is no event with this id.')
  }
  return found
}

export const readEvent = (world: World, merchantId: string, id: string): Promise<EventWithDelivery> =>
  world.storage.read(tables => ownEvent(tables, merchantId, id))

export const listEvents = (
  world: World,
  filter: EventFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<EventWithDelivery>> =>
  world.storage.read(async tables => {
    const rows = await tables.events.list(filter, size + 1, after)
    return pageOf(rows, size, ({ event }) => ({ at: event.createdAt, id: event.id }))
  })
