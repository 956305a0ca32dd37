import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type DeliveriesModel, deliveriesBody, deliveryBody } from '../../../views/dashboard/deliveries.ts'
import { addDays, isDate, startOfDay } from '../../domain/calendar.ts'
import type { Refusal } from '../../domain/errors.ts'
import { isAllowed } from '../../domain/user.ts'
import { deliveryStatuses, type EventWithDelivery, eventTypes } from '../../domain/webhook.ts'
import { getWebhook } from '../../operations/webhooks/change.ts'
import { listEvents, readRequest } from '../../operations/webhooks/read-events.ts'
import { redeliverEvent, redeliverFailed } from '../../operations/webhooks/redeliver.ts'
import { requirePerson, type ShopVisit, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { dashboardLocaleOf, renderPage, type Settable } from './page.ts'
import { pageLinks, pageStart, urlWith } from './paging.ts'
import { problemText, refusalOf } from './problem.ts'

const PATH = '/dashboard/deliveries'
const PAGE_SIZE = 50
const text = Type.Optional(Type.String({ maxLength: 200 }))
const Query = Type.Object({
  status: text,
  type: text,
  since: text,
  until: text,
  page: text,
  sent: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
  lang: text,
})
type Filters = DeliveriesModel['filter']

const isOwner = ({ role, user }: ShopVisit): boolean => isAllowed('owner', role, user.isOperator)

/** The merchant's own number of the order, which each body has; null for none. */
const orderNumberOf = (body: string): string | null => JSON.parse(body).externalId ?? null

const rowOf = ({ event, delivery }: EventWithDelivery) => ({
  eventId: event.id,
  orderId: event.orderId,
  orderNumber: orderNumberOf(event.body),
  type: event.type,
  createdAt: event.createdAt,
  status: delivery.status,
  tries: delivery.tries.map(({ answer = null, ...rest }) => ({ ...rest, answer })),
  nextAttemptAt: delivery.nextAttemptAt,
})

/** A filter from a URL. What is unknown there is left out, and wrong dates are named. */
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

const listPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isStaff = requirePerson(context, 'staff')
  async function show(
    request: Request,
    set: Settable,
    query: typeof Query.static,
    refusal: Refusal | null = null,
  ): Promise<string> {
    const shop = await shopOf(context, request)
    const { status = '', type = '', since = '', until = '', page = '', sent } = query
    const filters = { status, type, since, until }
    const { timeZone } = dashboardLocaleOf(request, shop)
    const { filter, wrongDates } = filterOf(shop.merchant.id, timeZone, filters)
    const start = pageStart(page)
    const { items, next } = await listEvents(context, filter, PAGE_SIZE, start)
    const hasWebhook = (await getWebhook(context, shop.merchant.id)) !== null
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.deliveries.title,
      body: deliveriesBody(locale, {
        isOwner: isOwner(shop),
        hasWebhook,
        rows: items.map(rowOf),
        filter: filters,
        wrongDates,
        allTypes: eventTypes,
        urlOf: one => urlWith(PATH, { ...filters, status: one }),
        ...pageLinks(PATH, filters, start, next),
        redelivered: sent === undefined ? null : Number(sent),
        problem: refusal && problemText(locale, refusal),
      }),
    }))
  }
  return new Elysia()
    .get(PATH, ({ query, request, set }) => show(request, set, query), { ...isStaff, query: Query })
    .post(
      `${PATH}/failed`,
      async ({ redirect, request, set }) => {
        const shop = await shopOf(context, request)
        let sent = 0
        const refusal = await refusalOf(async () => {
          sent = await redeliverFailed(shop.context, shop.merchant.id)
        })
        return refusal ? show(request, set, {}, refusal) : redirect(`${PATH}?sent=${sent}`, 303)
      },
      isStaff,
    )
}

const Params = Type.Object({ id: Type.String({ maxLength: 36 }) })
const OneQuery = Type.Object({ sent: text, lang: text })

/** The deliveries of events, and one with its request and answers. */
export const deliveryPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isStaff = requirePerson(context, 'staff')
  async function show(
    request: Request,
    set: Settable,
    id: string,
    isRedelivered: boolean,
    refusal: Refusal | null = null,
  ): Promise<string> {
    const shop = await shopOf(context, request)
    const { headers, ...found } = await readRequest(context, shop.merchant.id, id)
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => {
      const { deliveries } = locale.texts
      return {
        title: `${deliveries.one} ${found.event.type}`,
        body: deliveryBody(locale, {
          isOwner: isOwner(shop),
          delivery: rowOf(found),
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
    })
  }
  return new Elysia()
    .use(listPages(deps))
    .get(
      `${PATH}/:id`,
      ({ params, query, request, set }) => show(request, set, params.id, query.sent !== undefined),
      { ...isStaff, params: Params, query: OneQuery },
    )
    .post(
      `${PATH}/:id/redeliver`,
      async ({ params, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const refusal = await refusalOf(() => redeliverEvent(shop.context, shop.merchant.id, params.id))
        if (refusal) return show(request, set, params.id, false, refusal)
        return redirect(`${PATH}/${params.id}?sent`, 303)
      },
      { ...isStaff, params: Params },
    )
}

/** The time of a day such as "2026-11-22" in a time zone: from its first moment to that of the next day. */
const dayOf = (text: string, timeZone: string): { from: number; to: number } | null =>
  isDate(text) ? { from: startOfDay(text, timeZone), to: startOfDay(addDays(text, 1), timeZone) } : null
