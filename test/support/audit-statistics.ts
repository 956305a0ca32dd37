import type { Database } from 'bun:sqlite'

interface OrderRow {
  merchant_number: number
  status: string
  amount: string
  net_amount: string
  currency: string
  created_at: number
  paid_at: number | null
  cancelled_at: number | null
  forced_at: number | null
  method_key: string | null
  asset_id: string | null
}

interface RefundRow {
  merchant_number: number
  amount: string
  currency: string
  created_at: number
  method_key: string
  asset_id: string
}

interface StatisticsRow {
  merchant_number: number
  currency: string
  method_key: string | null
  asset_id: string | null
}

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** Sums of statistics by row and name. */
class Ledger {
  readonly sums = new Map<string, bigint>()

  /** Counts an event in its quarter hour and its day. */
  count(row: StatisticsRow, at: number, sums: Record<string, bigint>, hasMethod = false): void {
    const { merchant_number, currency, method_key, asset_id } = row
    for (const minutes of [15, 1440]) {
      const key = `${merchant_number} ${currency} ${minutes} ${at - (at % (minutes * 60_000))}`
      this.#add(key, sums)
      if (hasMethod) this.#add(`${key} ${method_key} ${asset_id}`, sums)
    }
  }

  #add(key: string, sums: Record<string, bigint>): void {
    for (const [name, value] of Object.entries(sums)) {
      const sum = `${key} ${name}`
      this.sums.set(sum, (this.sums.get(sum) ?? 0n) + value)
    }
  }
}

function countOrder(ledger: Ledger, order: OrderRow): void {
  const amount = minor(order.amount)
  const { created_at: createdAt, paid_at: paidAt, cancelled_at: cancelledAt, forced_at: forcedAt } = order
  ledger.count(order, createdAt, { created_count: 1n })
  if (order.status === 'UNPAID') ledger.count(order, createdAt, { pending: amount, pending_count: 1n })
  if (order.status === 'PAID') ledger.count(order, createdAt, { converted_count: 1n })
  if (cancelledAt !== null) ledger.count(order, cancelledAt, { cancelled: amount, cancelled_count: 1n })
  if (forcedAt !== null) ledger.count(order, forcedAt, { forced: amount, forced_count: 1n })
  else if (paidAt !== null) {
    ledger.count(order, paidAt, { gross: amount, net: minor(order.net_amount), paid_count: 1n }, true)
  }
}

function computeStatistics(database: Database): Map<string, bigint> {
  const ledger = new Ledger()
  const orders = database.query<OrderRow, []>(
    `SELECT o.*, t.method_key, a.asset_id FROM orders o
     LEFT JOIN transactions t ON t.order_id = o.id LEFT JOIN attempts a ON a.id = t.attempt_id
     WHERE substr(o.merchant_id, 15, 1) <> '8'`,
  )
  for (const order of orders.all()) countOrder(ledger, order)
  const refunds = database.query<RefundRow, []>(
    `SELECT r.*, m.number AS merchant_number, a.asset_id FROM refunds r JOIN merchants m ON m.id = r.merchant_id
     JOIN transactions t ON t.id = r.transaction_id JOIN attempts a ON a.id = t.attempt_id
     WHERE substr(r.merchant_id, 15, 1) <> '8'`,
  )
  for (const refund of refunds.all()) {
    const refunded = minor(refund.amount)
    ledger.count(refund, refund.created_at, { refunded, refunded_count: 1n, net: -refunded }, true)
  }
  return ledger.sums
}

type SumsRow = Record<string, string | number>

/** Compares every sum of the statistics with the orders and refunds. */
export function auditStatistics(database: Database): string[] {
  const computed = computeStatistics(database)
  const problems: string[] = []
  const check = ({ merchant_number, currency, minutes, starts_at, ...rest }: SumsRow, methods = '') => {
    const { deleted_count: deleted = 0, ...sums } = rest
    const row = `${merchant_number} ${currency} ${minutes} ${starts_at}${methods}`
    for (const [name, value] of Object.entries(sums)) {
      const key = `${row} ${name}`
      // Deleted orders were counted when they were created.
      const expected = (computed.get(key) ?? 0n) + (name === 'created_count' ? BigInt(deleted) : 0n)
      if (BigInt(value) !== expected) {
        problems.push(`statistics ${key}: ${value} is stored, but should be ${expected}`)
      }
      computed.delete(key)
    }
  }
  for (const row of database.query<SumsRow, []>('SELECT * FROM statistics').all()) check(row)
  for (const row of database.query<SumsRow, []>('SELECT * FROM method_statistics').all()) {
    const { method_key, asset_id, ...sums } = row
    check(sums, ` ${method_key} ${asset_id}`)
  }
  for (const [key, value] of computed) {
    if (value !== 0n) problems.push(`statistics ${key}: ${value} is not stored`)
  }
  return problems
}
