import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type CustomerModel, customerBody, customersBody } from '../../../views/dashboard/customers.ts'
import { orderList } from '../../../views/dashboard/orders.ts'
import { emailKey } from '../../domain/merchant.ts'
import { isAllowed } from '../../domain/user.ts'
import { blockCustomer } from '../../operations/customers/block.ts'
import { eraseCustomer } from '../../operations/customers/erase.ts'
import { type CustomerSummary, getCustomer, listCustomers } from '../../operations/customers/read.ts'
import { browseOrders } from '../../operations/orders/browse.ts'
import { requirePerson, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { emailOf, methodNamesOf, orderRows } from './orders/rows.ts'
import { renderPage, type Settable } from './page.ts'

const SIZE = 25
const NEWEST = 10

const Params = Type.Object({ customer: Type.String({ maxLength: 64 }) })
const EraseForm = Type.Object({ email: Type.String({ maxLength: 400 }) })
const none = Type.Object({})

const done = ['blocked', 'unblocked', 'erased'] as const
const doneOf = (request: Request) => {
  const given = new URL(request.url).searchParams.get('done')
  return done.find(one => one === given) ?? null
}

/** A customer as pages show them. */
function customerModel({ customer, sums, orders, isPartial, lastOrderAt }: CustomerSummary): CustomerModel {
  return {
    id: customer.id,
    email: emailOf(customer.email),
    isBlocked: customer.blockedAt !== null,
    createdAt: customer.createdAt,
    orders,
    isPartial,
    lastOrderAt,
    sums: sums.map(({ currency, paid, refunded }) => ({
      paid: { amount: paid, currency },
      refunded: /[1-9]/.test(refunded) ? { amount: refunded, currency } : null,
    })),
  }
}

async function showCustomers(deps: DashboardDeps, request: Request, set: Settable): Promise<string> {
  const { context, merchant } = await shopOf(deps.context, request)
  const { searchParams } = new URL(request.url)
  const value = (name: string) => (searchParams.get(name) ?? '').trim().slice(0, 254).replaceAll('\0', '')
  const [query, isBlockedOnly] = [value('q'), value('blocked') === 'yes']
  const [next, previous] = [value('next'), value('previous')]
  const turn = next
    ? ({ email: next, direction: 'next' } as const)
    : previous
      ? ({ email: previous, direction: 'previous' } as const)
      : null
  const filter = { merchantId: merchant.id, prefix: query, isBlocked: isBlockedOnly || undefined }
  const page = await listCustomers(context, filter, SIZE, turn)
  const urlOf = (edge: typeof page.next) => {
    if (!edge) return null
    const filters = { ...(query && { q: query }), ...(isBlockedOnly && { blocked: 'yes' }) }
    return `/dashboard/customers?${new URLSearchParams({ ...filters, [edge.direction]: edge.email })}`
  }
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.customers.title,
    body: customersBody(locale, {
      items: page.items.map(customerModel),
      query,
      isBlockedOnly,
      nextUrl: urlOf(page.next),
      previousUrl: urlOf(page.previous),
    }),
  }))
}

async function showCustomer(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  id: string,
  isWrongAddress = false,
): Promise<string> {
  const { context, merchant, role, user } = await shopOf(deps.context, request)
  const summary = await getCustomer(context, merchant.id, id)
  const { items, older } = await browseOrders(context, merchant.id, { customerId: id }, NEWEST, null)
  const names = await methodNamesOf(context, merchant.id)
  const rows = await orderRows(context, names, items)
  const isOwner = isAllowed('owner', role, user.isOperator)
  const model = customerModel(summary)
  // Nobody can be blocked or erased who stands for all buyers without an address.
  const isPerson = model.email !== null && !model.email.endsWith('@erased.invalid')
  return renderPage(deps, request, set, locale => {
    const { orders } = locale.texts
    const list = orderList(locale, {
      rows,
      isFiltered: true,
      isCut: false,
      isPartial: false,
      newerUrl: null,
      olderUrl: older && `/dashboard/orders?customer=${id}`,
      newestUrl: null,
      refreshUrl: null,
      mayCreate: false,
    })
    return {
      title: model.email ?? orders.noEmail,
      body: customerBody(locale, {
        ...model,
        list,
        mayBlock: isOwner && isPerson,
        mayErase: isOwner && isPerson,
        done: doneOf(request),
        isWrongAddress,
        problem: null,
      }),
    }
  })
}

/** Blocks a customer, or ends the block. */
const blockRoute = ({ context }: DashboardDeps, action: 'block' | 'unblock') =>
  new Elysia().post(
    `/dashboard/customers/:customer/${action}`,
    async ({ params, redirect, request }) => {
      const shop = await shopOf(context, request)
      const { customer } = await getCustomer(shop.context, shop.merchant.id, params.customer)
      const isBlocked = action === 'block'
      await blockCustomer(shop.context, shop.merchant.id, customer.email, isBlocked)
      return redirect(`/dashboard/customers/${customer.id}?done=${action}ed`, 303)
    },
    { ...requirePerson(context, 'owner'), params: Params, body: none },
  )

/** The people who ordered. */
export const customerPages = (deps: DashboardDeps) => {
  const { context } = deps
  const viewer = requirePerson(context, 'viewer')
  return new Elysia()
    .get('/dashboard/customers', ({ request, set }) => showCustomers(deps, request, set), viewer)
    .get(
      '/dashboard/customers/:customer',
      ({ params, request, set }) => showCustomer(deps, request, set, params.customer),
      { ...viewer, params: Params },
    )
    .use(blockRoute(deps, 'block'))
    .use(blockRoute(deps, 'unblock'))
    .post(
      '/dashboard/customers/:customer/erase',
      async ({ body, params, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const { customer } = await getCustomer(shop.context, shop.merchant.id, params.customer)
        if (emailKey(body.email.trim()) !== emailKey(customer.email)) {
          set.status = 400
          return showCustomer(deps, request, set, customer.id, true)
        }
        await eraseCustomer(shop.context, shop.merchant.id, customer.email)
        return redirect(`/dashboard/customers/${customer.id}?done=erased`, 303)
      },
      { ...requirePerson(context, 'owner'), params: Params, body: EraseForm },
    )
}
