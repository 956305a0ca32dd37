import { invalid } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import type { Event } from '../../domain/webhook.ts'
import type { Context } from '../context.ts'
import { requireEvent } from './read-events.ts'

/** The longest time between an event and the commit of its write. */
const OVERLAP_MS = 30_000
const PAGE = 100
/** Max events to catch up with: more than a developer's computer misses in a night. */
const BEHIND_MAX = 10_000

interface EventFeed {
  /** the event after which the feed begins; null if there was no event */
  lastId: string | null
  /** Events that were recorded since the last call, oldest first. */
  next(): Promise<Event[]>
}

/**
 * Follows the events of a merchant: those after `afterId`, or from now on for null. No event is left out.
 * After `afterId`, events of the 30 seconds before it are repeated, since they may have been committed later.
 * Throws not_found if the merchant has no such event.
 */
export async function followEvents(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  afterId: string | null,
): Promise<EventFeed> {
  const last = await storage.read(async tables => {
    if (afterId !== null) return (await requireEvent(tables, merchantId, afterId)).event
    return (await tables.events.list({ merchantId }, 1, null))[0]?.event ?? null
  })
  let newestAt = last?.createdAt ?? 0
  let seen = new Set<string>()

  const next = async (): Promise<Event[]> => {
    // After the clock was set back, new events are older than those that were recorded before.
    const createdFrom = Math.max(0, Math.min(newestAt, clock()) - OVERLAP_MS)
    const found: Event[] = []
    let after: PageStart | null = null
    let isMore = true
    while (isMore) {
      const rows = await storage.read(tables => tables.events.list({ merchantId, createdFrom }, PAGE, after))
      found.push(...rows.map(({ event }) => event))
      const end = rows.at(-1)?.event
      isMore = rows.length === PAGE
      if (end) after = { at: end.createdAt, id: end.id }
      if (found.length > BEHIND_MAX)
        throw invalid('Last-Event-ID', `is more than ${BEHIND_MAX} events ago; list the events instead`)
    }
    const fresh = found.filter(({ id }) => !seen.has(id)).toReversed()
    seen = new Set(found.map(({ id }) => id))
    newestAt = Math.max(newestAt, ...found.map(({ createdAt }) => createdAt))
    return fresh
  }

  if (afterId === null) await next()
  else seen.add(afterId)
  return { lastId: last?.id ?? null, next }
}
