import type { Database } from 'bun:sqlite'

interface Sums {
  merchant_id: string
  day: string
  currency: string
  [sum: string]: string
}

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

interface OrderRow {
  merchant_id: string
  status: string
  amount: string
  net_amount: string
  currency: string
  created_at: number
  paid_at: number | null
  cancelled_at: number | null
  forced_at: number | null
}

interface RefundRow {
  merchant_id: string
  amount: string
  currency: string
  created_at: number
}

type Counted = { merchant_id: string; currency: string }

/** Computes the statistics from the orders and refunds. */
function computeStatistics(orders: OrderRow[], refunds: RefundRow[]): Map<string, bigint> {
  const computed = new Map<string, bigint>()
  const add = (row: Counted, at: number, name: string, value: bigint) => {
    const key = `${row.merchant_id} ${dayOf(at)} ${row.currency} ${name}`
    computed.set(key, (computed.get(key) ?? 0n) + value)
  }
  const addWithCount = (order: Counted, at: number, name: string, count: string, value: bigint) => {
    add(order, at, name, value)
    add(order, at, count, 1n)
  }
  for (const order of orders) {
    const amount = minor(order.amount)
    if (order.status === 'UNPAID') addWithCount(order, order.created_at, 'pending', 'pending_count', amount)
    if (order.cancelled_at !== null)
      addWithCount(order, order.cancelled_at, 'cancelled', 'cancelled_count', amount)
    if (order.forced_at !== null) addWithCount(order, order.forced_at, 'forced', 'forced_count', amount)
    else if (order.paid_at !== null) {
      addWithCount(order, order.paid_at, 'gross', 'paid_count', amount)
      add(order, order.paid_at, 'net', minor(order.net_amount))
    }
  }
  for (const refund of refunds) {
    addWithCount(refund, refund.created_at, 'refunded', 'refunded_count', minor(refund.amount))
    add(refund, refund.created_at, 'net', -minor(refund.amount))
  }
  return computed
}

/** Compares every sum of the statistics with the orders and refunds. */
export function auditStatistics(database: Database): string[] {
  const orders = database.query<OrderRow, []>('SELECT * FROM orders').all()
  const computed = computeStatistics(orders, database.query<RefundRow, []>('SELECT * FROM refunds').all())
  const problems: string[] = []
  for (const row of database.query<Sums, []>('SELECT * FROM statistics').all()) {
    const { merchant_id, day, currency, ...sums } = row
    for (const [name, value] of Object.entries(sums)) {
      const key = `${merchant_id} ${day} ${currency} ${name}`
      const expected = computed.get(key) ?? 0n
      if (BigInt(value) !== expected)
        problems.push(`statistics ${key}: ${value} is stored, but should be ${expected}`)
      computed.delete(key)
    }
  }
  for (const [key, value] of computed)
    if (value !== 0n) problems.push(`statistics ${key}: ${value} is not stored`)
  return problems
}
