import type { FilterModel, OrderFilters } from '../../../../views/dashboard/order-filters.ts'
import { type OrderListModel, orderList, ordersBody } from '../../../../views/dashboard/orders.ts'
import { currencies } from '../../../domain/currency.ts'
import { orderStatuses, paymentStates } from '../../../domain/order.ts'
import { findCustomer } from '../../../operations/customers/read.ts'
import { browseOrders, eachOrder } from '../../../operations/orders/browse.ts'
import { listViews, removeView, saveView } from '../../../operations/orders/saved-views.ts'
import { ordersCsv } from '../../../present/orders-csv.ts'
import { csvFileResponse } from '../csv-file.ts'
import { text } from '../fields.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { file, form, page, part, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import type { ShopVisit } from '../visit.ts'
import { listUrl, queryOf, readFilters, selectionOf, turnOf } from './query.ts'
import { emailOf, type MethodNames, methodNamesOf, orderRows } from './rows.ts'

const SIZE = 25
const LIST = 'orders'

interface OrderPage {
  filters: OrderFilters
  query: string
  /** names of the filters that are not valid */
  wrong: string[]
  names: MethodNames
  list: OrderListModel
  fingerprint: string
}

const parametersOf = ({ request }: ShopVisit): URLSearchParams => new URL(request.url).searchParams

/** Reads the page of the list that a URL asks for. If a filter is not valid, the list is empty. */
async function readList(visit: ShopVisit, parameters: URLSearchParams): Promise<OrderPage> {
  const { context, merchant } = visit
  const filters = readFilters(parameters)
  const query = queryOf(filters)
  const turn = turnOf(parameters)
  const { selection, wrong } = selectionOf(filters, merchant.timeZone)
  const nothing = { items: [], newer: null, older: null, isCut: false, isPartial: false }
  const found = wrong.length > 0 ? nothing : await browseOrders(context, merchant.id, selection, SIZE, turn)
  const names = await methodNamesOf(context, merchant.id)
  const rows = await orderRows(context, names, found.items)
  const fingerprint = fingerprintOf(rows)
  const refresh = new URLSearchParams(query)
  refresh.set('seen', fingerprint)
  const list: OrderListModel = {
    rows,
    isFiltered: query !== '',
    isCut: found.isCut,
    isPartial: found.isPartial,
    newerUrl: found.newer && listUrl(query, 'newer', found.newer),
    olderUrl: found.older && listUrl(query, 'older', found.older),
    newestUrl: turn && listUrl(query),
    refreshUrl: turn === null && wrong.length === 0 ? `/dashboard/orders/part?${refresh}` : null,
    mayCreate: visit.may('staff'),
  }
  return { filters, query, wrong, names, list, fingerprint }
}

/** The filters that are applied, each with the URL of the list without it. */
const chipsOf = (filters: OrderFilters): FilterModel['chips'] =>
  (Object.keys(filters) as (keyof OrderFilters)[]).flatMap(name =>
    [filters[name]].flat().flatMap(value => {
      if (value === '') return []
      const rest = name === 'status' ? filters.status.filter(one => one !== value) : ''
      return [{ name, value, url: listUrl(queryOf({ ...filters, [name]: rest })) }]
    }),
  )

/**
 * The payment states to filter by, each with the URL of its list. The URL of the current one ends the filter.
 */
const paymentsOf = (filters: OrderFilters): FilterModel['payments'] =>
  paymentStates.map(state => {
    const isCurrent = filters.payment === state
    return { state, url: listUrl(queryOf({ ...filters, payment: isCurrent ? '' : state })), isCurrent }
  })

/** The statuses to filter by: each one alone, and all of them. */
const statusesOf = (filters: OrderFilters): FilterModel['statuses'] =>
  [null, ...orderStatuses].map(status => {
    const chosen = status === null ? [] : [status]
    const isCurrent = filters.status.join() === chosen.join()
    return { status, url: listUrl(queryOf({ ...filters, status: chosen })), isCurrent }
  })

/**
 * The email address of a customer of this shop. An unknown customer has no orders, and is shown by their ID.
 */
async function customerName({ context, merchant }: ShopVisit, id: string): Promise<string | null> {
  if (id === '') return null
  const customer = await findCustomer(context, merchant.id, id)
  return customer ? emailOf(customer.email) : id
}

/** Shows the list with the filters of a URL. It is also shown after a name for these filters was refused. */
async function showList(visit: ShopVisit, parameters: URLSearchParams, hasWrongName = false): Promise<View> {
  const { context, merchant, user } = visit
  const { filters, query, wrong, names, list } = await readList(visit, parameters)
  const views = await listViews(context, { userId: user.id, merchantId: merchant.id }, LIST)
  const customer = await customerName(visit, filters.customer)
  return locale => {
    const { orders } = locale.texts
    const providers = [...names].map(([value, label]) => ({ value, label }))
    return {
      title: orders.title,
      ...((wrong.length > 0 || hasWrongName) && { status: 400 }),
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
  }
}

async function exportList(visit: ShopVisit): Promise<Response | string> {
  const { context, merchant, request } = visit
  const { selection, wrong } = selectionOf(readFilters(parametersOf(visit)), merchant.timeZone)
  // The page of the list says which filter is not valid.
  if (wrong.length > 0) return `/dashboard/orders${new URL(request.url).search}`
  const methods = await methodNamesOf(context, merchant.id)
  const pieces = ordersCsv(eachOrder(context, merchant.id, selection), {
    timeZone: merchant.timeZone,
    method: key => methods.get(key) ?? null,
    asset: id => context.networks.asset(id)?.name ?? null,
  })
  return csvFileResponse('orders', pieces)
}

/** The query string of the filters in a form that saves them. */
const queryIn = (entered: string): string => queryOf(readFilters(new URLSearchParams(entered)))

/** The list of orders. Its state is only in the URL. */
export const orderListRoutes: readonly Route[] = [
  page({
    path: '/dashboard/orders',
    access: 'viewer',
    show: visit => showList(visit, parametersOf(visit)),
  }),
  part({
    path: '/dashboard/orders/part',
    access: 'viewer',
    async show(visit) {
      const parameters = parametersOf(visit)
      const { list, fingerprint } = await readList(visit, parameters)
      return locale => (parameters.get('seen') === fingerprint ? null : orderList(locale, list))
    },
  }),
  file({ path: '/dashboard/orders/export.csv', access: 'viewer', show: exportList }),
  form({
    path: '/dashboard/orders/views',
    access: 'viewer',
    fields: { name: text(400), query: text(2000) },
    run({ context, user, merchant, body }) {
      const owner = { userId: user.id, merchantId: merchant.id }
      return saveView(context, owner, { page: LIST, name: body.name, query: queryIn(body.query) })
    },
    done: (_, { body }) => listUrl(queryIn(body.query)),
    refused: (_, visit) => showList(visit, new URLSearchParams(queryIn(visit.body.query)), true),
  }),
  form({
    path: '/dashboard/orders/views/:view/delete',
    access: 'viewer',
    fields: {},
    run: ({ context, user, merchant, params }) =>
      removeView(context, { userId: user.id, merchantId: merchant.id }, params.view),
    done: '/dashboard/orders',
  }),
]
