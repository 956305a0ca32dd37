import type { Customer } from '../../domain/customer.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Amount, amountOf, minorOf } from '../../domain/money.ts'
import type { CustomerFilter, CustomerTurn, OrderAmount, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

interface CustomerSum {
  currency: string
  paid: Amount
  refunded: Amount
}

/** A customer, and the sums of their orders. */
export interface CustomerSummary {
  customer: Customer
  orders: number
  /** true if only the newest orders were counted */
  isPartial: boolean
  lastOrderAt: number | null
  /** the customer's name in the newest order; empty if it has none */
  name: string
  sums: CustomerSum[]
}

interface CustomerPage {
  items: CustomerSummary[]
  next: CustomerTurn | null
  previous: CustomerTurn | null
}

/** Max counted orders per customer: in a list, and on the customer's own page. */
const COUNTED_IN_LIST = 1000
const COUNTED_ALONE = 20_000

function sumsOf(orders: OrderAmount[]): CustomerSum[] {
  const paid = Map.groupBy(
    orders.filter(({ status }) => status === 'PAID'),
    ({ currency }) => currency,
  )
  return [...paid].sort().map(([currency, rows]) => {
    const sum = (amounts: (Amount | null)[]): Amount =>
      amountOf(
        amounts.reduce((total, amount) => total + (amount === null ? 0n : minorOf(amount, currency)), 0n),
        currency,
      )
    return {
      currency,
      paid: sum(rows.map(({ amount }) => amount)),
      refunded: sum(rows.map(({ refundedAmount }) => refundedAmount)),
    }
  })
}

async function summarize(tables: Tables, customer: Customer, counted: number): Promise<CustomerSummary> {
  const found = await tables.orders.listAmounts(customer.id, counted + 1)
  const orders = found.slice(0, counted)
  const [newest] = await tables.orders.list(
    { merchantId: customer.merchantId, customerId: customer.id },
    1,
    null,
  )
  return {
    customer,
    orders: orders.length,
    isPartial: found.length > counted,
    lastOrderAt: orders[0]?.createdAt ?? null,
    name: newest?.order.customerFullName ?? '',
    sums: sumsOf(orders),
  }
}

/** A page of customers, sorted by email address. */
export const listCustomers = (
  { storage }: Pick<Context, 'storage'>,
  filter: CustomerFilter,
  size: number,
  turn: CustomerTurn | null,
): Promise<CustomerPage> =>
  storage.read(async tables => {
    const rows = await tables.customers.list(filter, size + 1, turn)
    const isBack = turn?.direction === 'previous'
    const shown = isBack ? rows.slice(-size) : rows.slice(0, size)
    const isMore = rows.length > size
    const items: CustomerSummary[] = []
    for (const customer of shown) items.push(await summarize(tables, customer, COUNTED_IN_LIST))
    const [first, last] = [shown[0], shown.at(-1)]
    const hasPrevious = isBack ? isMore : turn !== null
    return {
      items,
      previous: first && hasPrevious ? { email: first.email, direction: 'previous' } : null,
      next: last && (isBack || isMore) ? { email: last.email, direction: 'next' } : null,
    }
  })

/** A customer of this merchant; null for any other. */
export const findCustomer = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<Customer | null> =>
  storage.read(async tables => {
    const customer = await tables.customers.find(id)
    return customer?.merchantId === merchantId ? customer : null
  })

/** A customer of this merchant with the sums of their orders. Throws not_found for any other. */
export const getCustomer = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<CustomerSummary> =>
  storage.read(async tables => {
    const customer = await tables.customers.find(id)
    if (customer?.merchantId !== merchantId) throw new Refusal('not_found', 'No customer has this ID.')
    return summarize(tables, customer, COUNTED_ALONE)
  })
