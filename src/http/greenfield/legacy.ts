import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { invalid } from '../../domain/errors.ts'
import { invoiceStatusOf } from '../../domain/greenfield.ts'
import type { Order } from '../../domain/order.ts'
import type { Context } from '../../operations/context.ts'
import { pairClient } from '../../operations/keys/pair.ts'
import { getOrderPayments } from '../../operations/orders/read-payments.ts'
import { prepareIpnWebhook } from '../../operations/webhooks/receive-ipn.ts'
import { callerOf, contextOf } from '../auth.ts'
import { readJson } from '../body.ts'
import type { RateLimit } from '../rate-limit.ts'
import { originOf } from '../request-state.ts'
import { UnicodeString } from '../schema/types.ts'
import { createInvoice } from './create-invoice.ts'
import { findInvoices, type InvoiceQuery, numberIn } from './find-invoices.ts'
import { requireLegacy, requireLegacyAndBody } from './legacy-access.ts'
import { invoiceOf, NewLegacyInvoice, notificationUrlOf, presentLegacyInvoice } from './legacy-invoices.ts'
import { OpenObject } from './request.ts'

const read = { scope: 'api:read' } as const
const create = { live: true, scope: 'orders:create' } as const

const Pairing = OpenObject({
  id: UnicodeString({ minLength: 1, maxLength: 64 }),
  pairingCode: UnicodeString({ minLength: 1, maxLength: 20 }),
  label: Type.Optional(UnicodeString({ maxLength: 1000 })),
})

const DAY_MS = 86_400_000

/** The time at which the day of a date begins in UTC, such as "2026-11-29" or "11/29/2026". */
function dayIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (!text) return undefined
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = year ? `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}` : text.slice(0, 10)
  const time = Date.parse(`${iso}T00:00:00Z`)
  if (Number.isNaN(time)) throw invalid(`/${name}`, 'must be a date, such as 2026-11-29')
  return time
}

/** A search for invoices as the older API spells it. Its last day is part of the period. */
function legacyQuery(query: URLSearchParams): InvoiceQuery {
  const [status, to] = [query.get('status'), dayIn(query, 'dateEnd')]
  return {
    orderId: query.get('orderId') ?? undefined,
    statuses: status ? [invoiceStatusOf(status)] : [],
    createdFrom: dayIn(query, 'dateStart'),
    createdTo: to === undefined ? undefined : to + DAY_MS,
    skip: numberIn(query, 'offset'),
    take: numberIn(query, 'limit'),
  }
}

const present = ({ policy, clock }: Context, order: Order, paid: string) => ({
  facade: 'pos/invoice',
  data: presentLegacyInvoice(order, paid, { checkoutUrl: policy.checkoutUrl, now: clock() }),
})

/**
 * The part of BTCPay Server's older API that plugins still use. Its clients send their API key as the name of
 * Basic authentication, or are paired by a code and sign their requests.
 */
export const legacy = (context: Context, limit: RateLimit) =>
  new Elysia()
    .post(
      '/invoices',
      async ({ body, request }) => {
        const caller = await callerOf(request)
        const own = await contextOf(context, request)
        const url = notificationUrlOf(body)
        const addWebhook = url === null ? null : await prepareIpnWebhook(own, caller, url)
        const order = await createInvoice(context, caller.merchantId, invoiceOf(body))
        await addWebhook?.()
        return present(context, order, '0')
      },
      requireLegacyAndBody(context, create, NewLegacyInvoice),
    )
    .get(
      '/invoices',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        const query = legacyQuery(new URL(request.url).searchParams)
        const found = await findInvoices(context, merchantId, query)
        return { data: found.map(({ order, paid }) => present(context, order, paid).data) }
      },
      requireLegacy(context, read),
    )
    .get(
      '/invoices/:invoiceId',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const { order, paid } = await getOrderPayments(context, merchantId, params.invoiceId)
        return present(context, order, paid)
      },
      requireLegacy(context, read),
    )
    .post(
      '/tokens',
      async ({ body, request }) => {
        const own = { ...context, origin: originOf(request, 'server') }
        const { id, label, scopes } = await pairClient(own, body.pairingCode, body.id)
        const now = context.clock()
        const facts = { token: id, facade: 'merchant', label, dateCreated: now, policies: scopes }
        return { data: [{ ...facts, pairingCode: body.pairingCode, pairingExpiration: now }] }
      },
      {
        detail: { hide: true },
        parse: ({ request }) => {
          limit(request)
          return readJson(request)
        },
        body: Pairing,
      },
    )
