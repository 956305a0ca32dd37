import { type CustomerModel, customerBody, customersBody } from '../../../views/dashboard/customers.ts'
import { orderList } from '../../../views/dashboard/orders.ts'
import { invalid } from '../../domain/errors.ts'
import { emailKey } from '../../domain/merchant.ts'
import { blockCustomer } from '../../operations/customers/block.ts'
import { eraseCustomer } from '../../operations/customers/erase.ts'
import { type CustomerSummary, getCustomer, listCustomers } from '../../operations/customers/read.ts'
import { browseOrders } from '../../operations/orders/browse.ts'
import { text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import { emailOf, methodNamesOf, orderRows } from './orders/rows.ts'
import type { View } from './page.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/customers'
const SIZE = 25
const NEWEST = 10

const outcomes = ['blocked', 'unblocked', 'erased'] as const
const outcomeIn = (request: Request) => {
  const given = new URL(request.url).searchParams.get('done')
  return outcomes.find(one => one === given) ?? null
}

/** A customer as pages show them. */
function customerModel({ customer, sums, ...summary }: CustomerSummary): CustomerModel {
  return {
    id: customer.id,
    email: emailOf(customer.email),
    isBlocked: customer.blockedAt !== null,
    createdAt: customer.createdAt,
    ...summary,
    sums: sums.map(({ currency, paid, refunded }) => ({
      paid: { amount: paid, currency },
      refunded: /[1-9]/.test(refunded) ? { amount: refunded, currency } : null,
    })),
  }
}

async function showCustomers({ context, merchant, request }: ShopVisit): Promise<View> {
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
  const found = await listCustomers(context, filter, SIZE, turn)
  const urlOf = (edge: typeof found.next) => {
    if (!edge) return null
    const filters = { ...(query && { q: query }), ...(isBlockedOnly && { blocked: 'yes' }) }
    return `${PATH}?${new URLSearchParams({ ...filters, [edge.direction]: edge.email })}`
  }
  return locale => ({
    title: locale.texts.customers.title,
    body: customersBody(locale, {
      items: found.items.map(customerModel),
      query,
      isBlockedOnly,
      nextUrl: urlOf(found.next),
      previousUrl: urlOf(found.previous),
    }),
  })
}

async function showCustomer(visit: ShopVisit, id: string, isWrongAddress = false): Promise<View> {
  const { context, merchant, request, may } = visit
  const summary = await getCustomer(context, merchant.id, id)
  const { items, older } = await browseOrders(context, merchant.id, { customerId: id }, NEWEST, null)
  const rows = await orderRows(context, await methodNamesOf(context, merchant.id), items)
  const model = customerModel(summary)
  // The record of all buyers without an address, and that of an erased customer, cannot be blocked or erased.
  const isPerson = model.email !== null && !model.email.endsWith('@erased.invalid')
  const mayChange = may('owner') && isPerson
  return locale => ({
    title: model.email ?? locale.texts.orders.noEmail,
    body: customerBody(locale, {
      ...model,
      list: orderList(locale, {
        rows,
        isFiltered: true,
        isCut: false,
        isPartial: false,
        newerUrl: null,
        olderUrl: older && `/dashboard/orders?customer=${id}`,
        newestUrl: null,
        refreshUrl: null,
        mayCreate: false,
      }),
      mayBlock: mayChange,
      mayErase: mayChange,
      done: outcomeIn(request),
      isWrongAddress,
    }),
  })
}

/** Blocks a customer, or ends the block. */
const blockForm = (action: 'block' | 'unblock'): Route =>
  form({
    path: `${PATH}/:customer/${action}`,
    access: 'owner',
    fields: {},
    async run({ context, merchant, params }) {
      const { customer } = await getCustomer(context, merchant.id, params.customer)
      await blockCustomer(context, merchant.id, customer.email, action === 'block')
    },
    done: (_, { params }) => `${PATH}/${params.customer}?done=${action}ed`,
  })

/** The pages of customers, the people who ordered. */
export const customerRoutes: readonly Route[] = [
  page({ path: PATH, access: 'viewer', show: showCustomers }),
  page({
    path: `${PATH}/:customer`,
    access: 'viewer',
    show: visit => showCustomer(visit, visit.params.customer),
  }),
  blockForm('block'),
  blockForm('unblock'),
  form({
    path: `${PATH}/:customer/erase`,
    proof: 'owner',
    fields: { email: text(400) },
    async run({ context, merchant, params, body }) {
      const { customer } = await getCustomer(context, merchant.id, params.customer)
      if (emailKey(body.email.trim()) !== emailKey(customer.email))
        throw invalid('email', 'must be the address of this customer')
      await eraseCustomer(context, merchant.id, customer.email)
    },
    done: (_, { params }) => `${PATH}/${params.customer}?done=erased`,
    refused(refusal, visit) {
      if (refusal.code !== 'validation_error') throw refusal
      return showCustomer(visit, visit.params.customer, true)
    },
  }),
]
