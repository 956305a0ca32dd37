import { Type } from '@sinclair/typebox'
import { type DeliveriesModel, deliveriesBody, deliveryBody } from '../../../views/dashboard/deliveries.ts'
import { addDays, isDate, startOfDay } from '../../domain/calendar.ts'
import type { Refusal } from '../../domain/errors.ts'
import { deliveryStatuses, eventTypes, type MessageWithDelivery } from '../../domain/webhook.ts'
import { getWebhook } from '../../operations/webhooks/change.ts'
import { isUnsent, listEvents, readRequest } from '../../operations/webhooks/read-events.ts'
import { redeliverEvent, redeliverFailed } from '../../operations/webhooks/redeliver.ts'
import { optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { pageLinks, pageStart, urlWith } from './paging.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/deliveries'
const PAGE_SIZE = 50
const query = Type.Object({
  ...{ status: optional(), type: optional(), since: optional(), until: optional(), page: optional() },
  sent: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
})
type Filters = DeliveriesModel['filter']

/** The merchant's own number of the order, which is in the body of each event; null if there is no number. */
const orderNumberOf = (body: string): string | null => JSON.parse(body).externalId ?? null

export const rowOf = ({ event, delivery }: MessageWithDelivery, isUnsent = false) => ({
  eventId: event.id,
  orderId: event.orderId,
  orderNumber: orderNumberOf(event.body),
  type: event.type,
  createdAt: event.createdAt,
  status: delivery.status,
  isUnsent,
  tries: delivery.tries.map(({ answer = null, ...rest }) => ({ ...rest, answer })),
  nextAttemptAt: delivery.nextAttemptAt,
})

/**
 * The filter that a URL contains. Unknown values are ignored, and invalid dates are returned as `wrongDates`.
 */
function filterOf(merchantId: string, timeZone: string, { status, type, since, until }: Filters) {
  const days = { since: dayOf(since, timeZone), until: dayOf(until, timeZone) }
  const given = { since, until }
  return {
    wrongDates: (['since', 'until'] as const).filter(name => given[name] !== '' && days[name] === null),
    filter: {
      merchantId,
      status: deliveryStatuses.find(one => one === status),
      type: eventTypes.find(one => one === type),
      createdFrom: days.since?.from,
      createdTo: days.until?.to,
    },
  }
}

async function showDeliveries(
  { context, merchant, may }: ShopVisit,
  { status = '', type = '', since = '', until = '', page = '', sent }: typeof query.static,
  refusal: Refusal | null = null,
): Promise<View> {
  const filters = { status, type, since, until }
  const { filter, wrongDates } = filterOf(merchant.id, merchant.timeZone, filters)
  const start = pageStart(page)
  const { items, next } = await listEvents(context, filter, PAGE_SIZE, start)
  const webhook = await getWebhook(context, merchant.id)
  return locale => ({
    title: locale.texts.deliveries.title,
    body: deliveriesBody(locale, {
      isOwner: may('owner'),
      hasWebhook: webhook !== null,
      rows: items.map(one => rowOf(one, isUnsent(one.delivery, webhook))),
      filter: filters,
      wrongDates,
      allTypes: eventTypes,
      urlOf: one => urlWith(PATH, { ...filters, status: one }),
      ...pageLinks(PATH, filters, start, next),
      redelivered: sent === undefined ? null : Number(sent),
      problem: refusal && problemText(locale, refusal),
    }),
  })
}

async function showDelivery(
  { context, merchant, may }: ShopVisit,
  id: string,
  { isRedelivered = false, refusal = null }: { isRedelivered?: boolean; refusal?: Refusal | null },
): Promise<View> {
  const { headers, ...found } = await readRequest(context, merchant.id, id)
  const webhook = await getWebhook(context, merchant.id)
  return locale => {
    const { deliveries } = locale.texts
    return {
      title: `${deliveries.one} ${found.event.type}`,
      body: deliveryBody(locale, {
        isOwner: may('owner'),
        delivery: rowOf(found, isUnsent(found.delivery, webhook)),
        headers: [
          ...Object.entries(headers),
          ['X-Service-Timestamp', deliveries.atEachTry],
          ['X-Service-Signature', deliveries.signature],
        ],
        body: found.event.body,
        isRedelivered,
        problem: refusal && problemText(locale, refusal),
      }),
    }
  }
}

/** The list of deliveries of events, and the page of one delivery with its request and answers. */
export const deliveryRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'staff',
    query: query.properties,
    show: visit => showDeliveries(visit, visit.query),
  }),
  form({
    path: `${PATH}/failed`,
    access: 'staff',
    run: ({ context, merchant }) => redeliverFailed(context, merchant.id),
    done: sent => `${PATH}?sent=${sent}`,
    refused: (refusal, visit) => showDeliveries(visit, {}, refusal),
  }),
  page({
    path: `${PATH}/:id`,
    access: 'staff',
    query: { sent: optional() },
    show: visit => showDelivery(visit, visit.params.id, { isRedelivered: visit.query.sent !== undefined }),
  }),
  form({
    path: `${PATH}/:id/redeliver`,
    access: 'staff',
    run: ({ context, merchant, params }) => redeliverEvent(context, merchant.id, params.id),
    done: (_, { params }) => `${PATH}/${params.id}?sent`,
    refused: (refusal, visit) => showDelivery(visit, visit.params.id, { refusal }),
  }),
]

/**
 * The time of a day such as "2026-11-22" in a time zone, from its first moment to the first moment of the
 * next day; null if the text is not a date.
 */
const dayOf = (text: string, timeZone: string): { from: number; to: number } | null =>
  isDate(text) ? { from: startOfDay(text, timeZone), to: startOfDay(addDays(text, 1), timeZone) } : null
