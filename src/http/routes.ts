import { type AnyElysia, Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { api } from './api.ts'
import { callback } from './callbacks.ts'
import { compress } from './compress.ts'
import { crossOriginHeaders, preflightResponse } from './cross-origin.ts'
import { type ErrorPages, errors } from './errors.ts'
import type { RouteExtras } from './extras.ts'
import { type Hosts, hostsOf } from './hosts.ts'
import { methodsAmong } from './methods.ts'
import { assets } from './pages/assets.ts'
import { checkoutPages } from './pages/checkout.ts'
import { errorPages } from './pages/error.ts'
import { homePages } from './pages/home.ts'
import { images } from './pages/images.ts'
import { invoicePages } from './pages/invoice.ts'
import { processPages } from './pages/process.ts'
import { productPages } from './pages/product.ts'
import { receiptPages } from './pages/receipt.ts'
import { testOrderPages } from './pages/test-order.ts'
import type { RateLimits } from './rate-limit.ts'
import { makeRefusalLog } from './refusal-log.ts'
import { pathOf, requestState } from './request-state.ts'
import { uuidPattern } from './schema/fields.ts'
import { swagger } from './swagger.ts'

const TOO_MANY = 429

/**
 * The value of Strict-Transport-Security: a year, only for this host. The hosts below it belong to the shop,
 * and some may have no HTTPS.
 */
const HSTS = 'max-age=31536000'

/** The headers of every response. A route may replace them. */
const headersOf = (ownUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(ownUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
})

/** The ID of the order in a path. Any other text in its place is not logged. */
function orderIn(params: unknown): string | undefined {
  const { orderUUID = '' } = (params ?? {}) as { orderUUID?: string }
  return uuidPattern.test(orderUUID) ? orderUUID : undefined
}

interface Part {
  /** public URL of the pages */
  ownUrl: string
  pages: ErrorPages
  /** all routes, once the app is complete */
  routes(): AnyElysia['routes']
}

/** The common part of all routes below a public URL. */
function shell(context: Context, limits: RateLimits, { ownUrl, pages, routes }: Part) {
  const everyHeader = headersOf(ownUrl)
  const logRefusal = makeRefusalLog(context.log, context.realClock)
  return new Elysia({
    normalize: false,
    serve: { maxRequestBodySize: 16 * 1024 * 1024 },
  })
    .onRequest(({ request, set }) => {
      const state = requestState(request)
      state.limitKey = limits.keys
      state.headers = set.headers
      state.address = () => limits.addressOf(request)
      Object.assign(set.headers, everyHeader, { 'x-request-id': state.id }, crossOriginHeaders(request))
      return preflightResponse(request, set.headers)
    })
    .use(errors(context, pages, methodsAmong(routes)))
    .use(compress())
    .onAfterResponse(({ params, request, responseValue, route, set }) => {
      const { id, startedAt, merchantId, keyId, denied } = requestState(request)
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      const { method } = request
      const orderUUID = orderIn(params)
      const fields = { requestId: id, method, route, status, ms, merchantId, keyId, orderUUID }
      // A limited request is only counted in the metrics, unless the log level is debug.
      const isLimited = status === TOO_MANY
      context.log[isLimited ? 'debug' : 'info'](fields, 'request')
      if (isLimited) logRefusal(limits.addressOf(request), { requestId: id, route }, 'request.refused')
      if (denied) logRefusal(limits.addressOf(request), { requestId: id, route, ...denied }, 'access.refused')
    })
}

type Greenfield = typeof import('./greenfield/routes.ts').greenfield

/** Routes for scripts and buyers. */
function publicRoutes(
  context: Context,
  extras: RouteExtras,
  limits: RateLimits,
  hosts: Hosts | null,
): AnyElysia {
  const pages = { forBuyers: errorPages(context, extras) }
  const ownUrl = context.policy.checkoutUrl
  const app: AnyElysia = shell(context, limits, { ownUrl, pages, routes: () => app.routes })
  if (hosts) {
    app.onRequest(({ redirect, request: { url } }) => {
      const path = pathOf(url)
      if (hosts.hasBuyerPage(url, path)) return
      if (path === '/') return redirect('/dashboard', 303)
      throw new Refusal('not_found')
    })
  }
  if (context.policy.greenfield) {
    const greenfield: Greenfield = require('./greenfield/routes.ts').greenfield
    app.use(greenfield(context, limits.signIns))
  }
  return app
    .use(api(context, limits.requests))
    .use(checkoutPages(context, extras, limits.openings))
    .use(testOrderPages(context, extras, limits.openings))
    .use(receiptPages(context, extras))
    .use(invoicePages(context, extras))
    .use(productPages(context, extras, limits.requests))
    .use(homePages(context, extras))
    .use(processPages(context, limits.openings))
    .use(callback(context))
    .use(images(context))
    .use(swagger(context))
    .use(assets(extras.files))
}

/** Loads the dashboard's routes when they are first called. */
async function dashboardRoutes(context: Context, extras: RouteExtras, limits: RateLimits) {
  const { dashboard } = await import('./dashboard/routes.ts')
  const { errorPage, routes } = dashboard({
    context,
    isSandbox: extras.isSandbox,
    look: extras.look,
    endpointChoices: extras.endpointChoices,
    simulatePayment: extras.simulatePayment,
    limit: limits.signIns,
    addressOf: limits.addressOf,
  })
  const ownUrl = context.policy.dashboardUrl
  const pages = { forPeople: errorPage }
  return shell(context, limits, { ownUrl, pages, routes: () => routes.routes }).use(routes)
}

/** True for the dashboard and its files. For buyers' pages, the path need not be parsed. */
function isOfDashboard(url: string): boolean {
  if (!url.includes('dashboard')) return false
  const path = pathOf(url)
  return path.startsWith('/dashboard/') || path === '/dashboard' || path.startsWith('/assets/dashboard')
}

interface HttpApp {
  fetch(request: Request): Response | Promise<Response>
  handle(request: Request): Promise<Response>
  /** Adds routes. It must be called before the first request. */
  use(routes: AnyElysia): void
  /** Every route, including those that are loaded at their first use. */
  routes(): Promise<AnyElysia['routes']>
}

/** Every route of the server. The dashboard is loaded with the first request to it. */
export function httpApp(context: Context, extras: RouteExtras, limits: RateLimits): HttpApp {
  const hosts = hostsOf(context.policy)
  const open = publicRoutes(context, extras, limits, hosts)
  let loaded: ReturnType<typeof dashboardRoutes> | null = null
  const closed = () => {
    loaded ??= dashboardRoutes(context, extras, limits).catch(error => {
      loaded = null
      throw error
    })
    return loaded
  }
  const fetch = (request: Request) =>
    isOfDashboard(request.url) && (hosts?.hasDashboard(request.url) ?? true)
      ? closed().then(app => app.fetch(request))
      : open.fetch(request)
  return {
    fetch,
    handle: async request => fetch(request),
    use: routes => void open.use(routes),
    routes: async () => [...open.routes, ...(await closed()).routes],
  }
}
