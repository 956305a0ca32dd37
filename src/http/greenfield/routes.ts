import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import type { RateLimit } from '../rate-limit.ts'
import { uuidPattern } from '../schema/fields.ts'
import { legacy } from './legacy.ts'
import { invoices } from './orders.ts'
import { stores } from './stores.ts'

/**
 * The part of BTCPay Server's API, called Greenfield, that plugins of shop systems use: stores are merchants,
 * and invoices are orders.
 */
export const greenfield = (context: Context, limit: RateLimit) =>
  new Elysia()
    .use(stores(context))
    .use(invoices(context))
    .use(legacy(context, limit))
    // The address to which plugins send buyers.
    .get(
      '/i/:invoiceId',
      ({ params, redirect }) =>
        redirect(uuidPattern.test(params.invoiceId) ? `/pay/${params.invoiceId}` : '/', 303),
      { detail: { hide: true } },
    )
    // The address to which plugins send people who connect a shop.
    .get(
      '/api-keys/authorize',
      ({ redirect, request }) => redirect(`${context.policy.dashboardUrl}${connectPath(request.url)}`, 303),
      { detail: { hide: true } },
    )

/**
 * The page of the dashboard for a request of an app. Repeated permissions are joined, because the page
 * expects each parameter once.
 */
function connectPath(url: string): string {
  const asked = new URL(url).searchParams
  const query = new URLSearchParams({
    permissions: asked.getAll('permissions').join(','),
    name: asked.get('applicationName') ?? '',
    redirect: asked.get('redirect') ?? '',
  })
  return `/dashboard/connect?${query}`
}
