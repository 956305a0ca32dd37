import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { FilterModel, OrderFilters } from '../../../../views/dashboard/order-filters.ts'
import { type OrderListModel, orderList, ordersBody } from '../../../../views/dashboard/orders.ts'
import { currencies } from '../../../domain/currency.ts'
import { orderStatuses, paymentStates } from '../../../domain/order.ts'
import { isAllowed } from '../../../domain/user.ts'
import { findCustomer } from '../../../operations/customers/read.ts'
import { browseOrders, eachOrder } from '../../../operations/orders/browse.ts'
import { listViews, removeView, saveView } from '../../../operations/orders/saved-views.ts'
import { ordersCsv } from '../../../present/orders-csv.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { dashboardHeaders } from '../headers.ts'
import { dashboardLocaleOf, renderPage, type Settable } from '../page.ts'
import { refusalOf } from '../problem.ts'
import { listUrl, queryOf, readFilters, selectionOf, turnOf } from './query.ts'
import { emailOf, type MethodNames, methodNamesOf, orderRows } from './rows.ts'

const SIZE = 25
const LIST = 'orders'

const ViewForm = Type.Object({
  name: Type.String({ maxLength: 400 }),
  query: Type.String({ maxLength: 2000 }),
})
const DeleteForm = Type.Object({})
const ViewParams = Type.Object({ view: Type.String({ maxLength: 64 }) })

interface Listed {
  shop: ShopVisit
  filters: OrderFilters
  query: string
  wrong: string[]
  names: MethodNames
  list: OrderListModel
  fingerprint: string
}

/** Reads the page of the list that a URL asks for. Filters that are not valid find nothing. */
async function readList(deps: DashboardDeps, request: Request): Promise<Listed> {
  const shop = await shopOf(deps.context, request)
  const { context, merchant, role, user } = shop
  const { searchParams } = new URL(request.url)
  const filters = readFilters(searchParams)
  const query = queryOf(filters)
  const turn = turnOf(searchParams)
  const { selection, wrong } = selectionOf(filters, dashboardLocaleOf(request, shop).timeZone)
  const nothing = { items: [], newer: null, older: null, isCut: false, isPartial: false }
  const page = wrong.length > 0 ? nothing : await browseOrders(context, merchant.id, selection, SIZE, turn)
  const names = await methodNamesOf(context, merchant.id)
  const rows = await orderRows(context, names, page.items)
  const fingerprint = fingerprintOf(rows)
  const refresh = new URLSearchParams(query)
  refresh.set('seen', fingerprint)
  const list: OrderListModel = {
    rows,
    isFiltered: query !== '',
    isCut: page.isCut,
    isPartial: page.isPartial,
    newerUrl: page.newer && listUrl(query, 'newer', page.newer),
    olderUrl: page.older && listUrl(query, 'older', page.older),
    newestUrl: turn && listUrl(query),
    refreshUrl: turn === null && wrong.length === 0 ? `/dashboard/orders/part?${refresh}` : null,
    mayCreate: isAllowed('staff', role, user.isOperator),
  }
  return { shop, filters, query, wrong, names, list, fingerprint }
}

/** The filters that are applied, each with the list without it. */
const chipsOf = (filters: OrderFilters): FilterModel['chips'] =>
  (Object.keys(filters) as (keyof OrderFilters)[]).flatMap(name =>
    [filters[name]].flat().flatMap(value => {
      if (value === '') return []
      const rest = name === 'status' ? filters.status.filter(one => one !== value) : ''
      return [{ name, value, url: listUrl(queryOf({ ...filters, [name]: rest })) }]
    }),
  )

/** What can have arrived, each alone or none of it. */
const paymentsOf = (filters: OrderFilters): FilterModel['payments'] =>
  paymentStates.map(state => {
    const isCurrent = filters.payment === state
    return { state, url: listUrl(queryOf({ ...filters, payment: isCurrent ? '' : state })), isCurrent }
  })

/** Each status alone, and all of them. */
const statusesOf = (filters: OrderFilters): FilterModel['statuses'] =>
  [null, ...orderStatuses].map(status => {
    const chosen = status === null ? [] : [status]
    const isCurrent = filters.status.join() === chosen.join()
    return { status, url: listUrl(queryOf({ ...filters, status: chosen })), isCurrent }
  })

/** The address of a customer of this shop. An unknown one has no orders, and is shown by its ID. */
async function customerName({ context, merchant }: ShopVisit, id: string): Promise<string | null> {
  if (id === '') return null
  const customer = await findCustomer(context, merchant.id, id)
  return customer ? emailOf(customer.email) : id
}

async function showList(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  listed: Listed,
  hasWrongName = false,
): Promise<string> {
  const { shop, filters, query, wrong, names, list } = listed
  const { context, merchant, user } = shop
  const views = await listViews(context, { userId: user.id, merchantId: merchant.id }, LIST)
  if (wrong.length > 0 || hasWrongName) set.status = 400
  const customer = await customerName(shop, filters.customer)
  return renderPage(deps, request, set, locale => {
    const { orders } = locale.texts
    const providers = [...names].map(([value, label]) => ({ value, label }))
    return {
      title: orders.title,
      body: ordersBody(locale, {
        ...list,
        filters: {
          filters,
          wrong,
          chips: chipsOf(filters),
          statuses: statusesOf(filters),
          payments: paymentsOf(filters),
          methods: [{ value: 'crypto', label: orders.crypto }, ...providers],
          assets: context.networks.assets.map(({ id, name }) => ({ value: id, label: locale.coin(name) })),
          currencies,
          customer,
        },
        views: { items: views, query, problem: hasWrongName ? orders.wrongName : null },
        csvUrl: `/dashboard/orders/export.csv${query && `?${query}`}`,
      }),
    }
  })
}

function csvOf({ context }: DashboardDeps, request: Request) {
  return async () => {
    const shop = await shopOf(context, request)
    const filters = readFilters(new URL(request.url).searchParams)
    const { selection, wrong } = selectionOf(filters, dashboardLocaleOf(request, shop).timeZone)
    if (wrong.length > 0) return null
    const methods = await methodNamesOf(shop.context, shop.merchant.id)
    const parts = ordersCsv(eachOrder(shop.context, shop.merchant.id, selection), {
      method: key => methods.get(key) ?? null,
      asset: id => context.networks.asset(id)?.name ?? null,
    })
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(new TextEncoder().encode(value))
      },
      async cancel() {
        await parts.return(undefined)
      },
    })
  }
}

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="orders.csv"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The list of orders. Its state is in the URL alone. */
export const orderListPages = (deps: DashboardDeps) => {
  const { context } = deps
  const viewer = requirePerson(context, 'viewer')
  return new Elysia()
    .get(
      '/dashboard/orders',
      async ({ request, set }) => showList(deps, request, set, await readList(deps, request)),
      viewer,
    )
    .get(
      '/dashboard/orders/part',
      async ({ request, set }) => {
        const { shop, list, fingerprint } = await readList(deps, request)
        const locale = dashboardLocaleOf(request, shop)
        Object.assign(set.headers, dashboardHeaders(request, context.policy.checkoutUrl, locale.tag))
        if (new URL(request.url).searchParams.get('seen') === fingerprint) {
          set.status = 204
          return
        }
        return orderList(locale, list).toString()
      },
      viewer,
    )
    .get(
      '/dashboard/orders/export.csv',
      async ({ redirect, request }) => {
        const stream = await csvOf(deps, request)()
        // The list says which filter is not valid.
        if (!stream) return redirect(`/dashboard/orders${new URL(request.url).search}`, 303)
        return new Response(stream, { headers: csvHeaders })
      },
      viewer,
    )
    .post(
      '/dashboard/orders/views',
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const query = queryOf(readFilters(new URLSearchParams(body.query)))
        const owner = { userId: shop.user.id, merchantId: shop.merchant.id }
        const refusal = await refusalOf(() =>
          saveView(shop.context, owner, { page: LIST, name: body.name, query }),
        )
        if (!refusal) return redirect(listUrl(query), 303)
        const shown = new Request(new URL(listUrl(query), request.url), { headers: request.headers })
        return showList(deps, request, set, await readList(deps, shown), true)
      },
      { ...viewer, body: ViewForm },
    )
    .post(
      '/dashboard/orders/views/:view/delete',
      async ({ params, redirect, request }) => {
        const { context: own, user, merchant } = await shopOf(context, request)
        await removeView(own, { userId: user.id, merchantId: merchant.id }, params.view)
        return redirect('/dashboard/orders', 303)
      },
      { ...viewer, params: ViewParams, body: DeleteForm },
    )
}
