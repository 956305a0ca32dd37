import { Database } from 'bun:sqlite'

/** Queries that must find nothing, each with the sentence that it breaks. */
const forbidden: [sentence: string, sql: string][] = [
  [
    'an order is PAID exactly when it has one transaction or was forced',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id
     WHERE (o.status = 'PAID') <> ((t.id IS NOT NULL) <> (o.forced_at IS NOT NULL))`,
  ],
  [
    'an order names its own transaction',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id WHERE o.transaction_id IS NOT t.id`,
  ],
  [
    'every paid order has one order.paid event, and no other order has one',
    `SELECT o.id FROM orders o
     WHERE (SELECT COUNT(*) FROM events e WHERE e.order_id = o.id AND e.type = 'order.paid') <> (o.status = 'PAID')`,
  ],
  ['every event has its delivery', 'SELECT id FROM events WHERE id NOT IN (SELECT event_id FROM deliveries)'],
  [
    'a delivery that is to be tried has its job, and no other has one',
    `SELECT d.event_id FROM deliveries d LEFT JOIN jobs j ON j.kind = 'event.deliver' AND j.subject = d.event_id
     WHERE (d.next_attempt_at IS NOT NULL) <> (j.subject IS NOT NULL)`,
  ],
  ['every order has one session', 'SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM sessions)'],
  [
    'an unpaid order has its expiry ahead, and no other order has',
    `SELECT o.id FROM orders o LEFT JOIN jobs j ON j.kind = 'order.expire' AND j.subject = o.id
     WHERE (o.status = 'UNPAID') <> (j.subject IS NOT NULL)`,
  ],
  [
    'a session ends with its order',
    `SELECT o.id FROM orders o JOIN sessions s ON s.order_id = o.id
     WHERE s.status NOT IN (SELECT value FROM json_each(CASE o.status
       WHEN 'UNPAID' THEN '["CREATED","PROVISIONING","READY","FAILED"]' WHEN 'PAID' THEN '["SETTLED"]'
       WHEN 'EXPIRED' THEN '["EXPIRED"]' WHEN 'CANCELLED' THEN '["ABANDONED"]' ELSE '["FAILED"]' END))`,
  ],
  [
    'a settled attempt belongs to a paid order with its transaction, and the reverse',
    `SELECT a.id FROM attempts a LEFT JOIN transactions t ON t.attempt_id = a.id
     WHERE (a.state = 'settled') <> (t.id IS NOT NULL)`,
  ],
  [
    'a transaction has its evidence',
    'SELECT id FROM transactions WHERE id NOT IN (SELECT transaction_id FROM settlements)',
  ],
  [
    'a transaction repeats the amounts of its order',
    `SELECT t.id FROM transactions t JOIN orders o ON o.id = t.order_id
     WHERE (t.amount, t.currency, t.fee_amount, t.net_amount) <> (o.amount, o.currency, o.fee_amount, o.net_amount)`,
  ],
  [
    'what settled an order was enough',
    `SELECT a.id FROM attempts a WHERE a.state = 'settled' AND CAST(a.threshold_atomic AS REAL) >
     (SELECT COALESCE(SUM(CAST(r.amount AS REAL)), 0) * 1.000000001 FROM incoming_payments r
      WHERE r.attempt_id = a.id AND r.settles = 1 AND r.asset_id = a.asset_id)`,
  ],
  [
    'every final payment settled its order, still counts, or is recorded as unmatched',
    `SELECT r.id FROM incoming_payments r JOIN attempts a ON a.id = r.attempt_id JOIN orders o ON o.id = r.order_id
     WHERE r.state = 'final' AND r.settles = 0 AND r.id NOT IN (SELECT incoming_payment_id FROM unmatched_payments)
     AND (o.status NOT IN ('UNPAID', 'EXPIRED') OR r.asset_id <> a.asset_id OR a.state = 'expired')`,
  ],
  [
    'nothing refers to another merchant',
    `SELECT a.id FROM attempts a JOIN orders o ON o.id = a.order_id WHERE a.merchant_id <> o.merchant_id
     UNION ALL SELECT t.id FROM transactions t JOIN orders o ON o.id = t.order_id WHERE t.merchant_id <> o.merchant_id
     UNION ALL SELECT e.id FROM events e JOIN orders o ON o.id = e.order_id WHERE e.merchant_id <> o.merchant_id
     UNION ALL SELECT r.id FROM incoming_payments r JOIN attempts a ON a.id = r.attempt_id
       WHERE (r.merchant_id, r.order_id) <> (a.merchant_id, a.order_id)
     UNION ALL SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id
       WHERE c.merchant_id <> o.merchant_id OR c.email_key <> lower(o.customer_email)`,
  ],
  [
    'order and transaction tell the same of refunds, and an order without a transaction has none',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id
     WHERE o.refund_count <> COALESCE(t.refund_count, 0) OR o.refund_status IS NOT t.refund_status
     OR o.refunded_amount IS NOT t.refunded_amount OR o.last_refunded_at IS NOT t.last_refunded_at
     OR o.refunded_at IS NOT t.refunded_at`,
  ],
  [
    'the status of a transaction tells how much of it was refunded',
    `SELECT id FROM transactions WHERE status <> CASE refund_status WHEN 'FULL' THEN 'REFUNDED'
     WHEN 'PARTIAL' THEN 'PARTIALLY_REFUNDED' ELSE 'PAID' END
     OR (refund_status IS 'FULL') <> (refunded_at IS NOT NULL)`,
  ],
  [
    'a transaction counts its refunds, and knows the last',
    `SELECT t.id FROM transactions t LEFT JOIN refunds r ON r.transaction_id = t.id GROUP BY t.id
     HAVING t.refund_count <> COUNT(r.id) OR t.last_refunded_at IS NOT MAX(r.created_at)`,
  ],
  [
    'a refund is of the transaction of its order, in its currency and method, and of its merchant',
    `SELECT r.id FROM refunds r JOIN transactions t ON t.id = r.transaction_id
     WHERE (r.merchant_id, r.order_id, r.currency, r.method_key)
     <> (t.merchant_id, t.order_id, t.currency, t.method_key)`,
  ],
  [
    'every refund was recorded by one key',
    `SELECT r.id FROM refunds r LEFT JOIN idempotency_keys k
     ON k.operation = 'refund' AND k.resource_id = r.id AND k.merchant_id = r.merchant_id
     GROUP BY r.id HAVING COUNT(k.key) <> 1
     UNION ALL SELECT key FROM idempotency_keys
     WHERE operation = 'refund' AND resource_id NOT IN (SELECT id FROM refunds)`,
  ],
  [
    'the merchant is told of every refund',
    `SELECT o.id FROM orders o WHERE o.refund_count <> (SELECT COUNT(*) FROM notifications n
     WHERE n.order_id = o.id AND n.kind = 'refund_recorded')`,
  ],
  [
    'a delivery repeats the type, the merchant and the moment of its event',
    `SELECT d.event_id FROM deliveries d JOIN events e ON e.id = d.event_id
     WHERE (d.type, d.merchant_id, d.created_at) <> (e.type, e.merchant_id, e.created_at)`,
  ],
  [
    'an address serves one order',
    `SELECT address FROM attempts WHERE address IS NOT NULL AND shared = 0
     GROUP BY address HAVING COUNT(DISTINCT order_id) > 1`,
  ],
  [
    'an address of a source went to the attempt that shows it',
    `SELECT s.address FROM source_addresses s JOIN attempts a ON a.id = s.attempt_id WHERE a.address <> s.address
     UNION ALL SELECT a.id FROM attempts a LEFT JOIN source_addresses s ON s.attempt_id = a.id
     WHERE json_extract(a.address_source, '$.kind') IN ('xpub', 'pool', 'viewkey') AND s.address IS NOT a.address`,
  ],
  [
    'attempts that share an address ask for different amounts while they are watched',
    `SELECT a.id FROM attempts a JOIN attempts b ON b.address = a.address AND b.asset_id = a.asset_id
     AND b.due_atomic = a.due_atomic AND b.id <> a.id WHERE a.shared = 1 AND b.shared = 1
     AND b.created_at >= a.created_at AND b.created_at < a.watch_until`,
  ],
]

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
  transaction_id: string
  merchant_id: string
  amount: string
  currency: string
  created_at: number
}

interface RefundedRow {
  id: string
  amount: string
  refunded_amount: string | null
  refund_status: string | null
}

const refundsIn = (database: Database) => database.query<RefundRow, []>('SELECT * FROM refunds').all()

/** The sums of refunds are exact, and never more than what was paid. */
function auditRefunds(database: Database): string[] {
  const sums = new Map<string, bigint>()
  for (const { transaction_id, amount } of refundsIn(database)) {
    sums.set(transaction_id, (sums.get(transaction_id) ?? 0n) + minor(amount))
  }
  const transactions = database.query<RefundedRow, []>('SELECT * FROM transactions').all()
  return transactions.flatMap(({ id, amount, refunded_amount, refund_status }) => {
    const sum = sums.get(id) ?? 0n
    const status = sum === 0n ? null : sum === minor(amount) ? 'FULL' : 'PARTIAL'
    return [
      ...(sum <= minor(amount) ? [] : [`transaction ${id}: ${sum} is refunded of ${amount}`]),
      ...(sum === minor(refunded_amount ?? '0')
        ? []
        : [`transaction ${id}: ${sum} is not ${refunded_amount}`]),
      ...(status === refund_status ? [] : [`transaction ${id}: ${refund_status} should be ${status}`]),
    ]
  })
}

type Counted = { merchant_id: string; currency: string }

/** The statistics, counted anew from the orders and the refunds. */
function recount(orders: OrderRow[], refunds: RefundRow[]): Map<string, bigint> {
  const counted = new Map<string, bigint>()
  const add = (row: Counted, at: number, name: string, value: bigint) => {
    const key = `${row.merchant_id} ${dayOf(at)} ${row.currency} ${name}`
    counted.set(key, (counted.get(key) ?? 0n) + value)
  }
  const both = (order: Counted, at: number, name: string, count: string, value: bigint) => {
    add(order, at, name, value)
    add(order, at, count, 1n)
  }
  for (const order of orders) {
    const amount = minor(order.amount)
    if (order.status === 'UNPAID') both(order, order.created_at, 'pending', 'pending_count', amount)
    if (order.cancelled_at !== null) both(order, order.cancelled_at, 'cancelled', 'cancelled_count', amount)
    if (order.forced_at !== null) both(order, order.forced_at, 'forced', 'forced_count', amount)
    else if (order.paid_at !== null) {
      both(order, order.paid_at, 'gross', 'paid_count', amount)
      add(order, order.paid_at, 'net', minor(order.net_amount))
    }
  }
  for (const refund of refunds) {
    both(refund, refund.created_at, 'refunded', 'refunded_count', minor(refund.amount))
    add(refund, refund.created_at, 'net', -minor(refund.amount))
  }
  return counted
}

function auditStatistics(database: Database): string[] {
  const orders = database.query<OrderRow, []>('SELECT * FROM orders').all()
  const counted = recount(orders, refundsIn(database))
  const faults: string[] = []
  for (const row of database.query<Sums, []>('SELECT * FROM statistics').all()) {
    const { merchant_id, day, currency, ...sums } = row
    for (const [name, value] of Object.entries(sums)) {
      const key = `${merchant_id} ${day} ${currency} ${name}`
      const expected = counted.get(key) ?? 0n
      if (BigInt(value) !== expected)
        faults.push(`statistics ${key}: ${value} is kept, ${expected} is counted`)
      counted.delete(key)
    }
  }
  for (const [key, value] of counted) if (value !== 0n) faults.push(`statistics ${key}: ${value} is not kept`)
  return faults
}

/** Every invariant, recomputed from the raw rows; the sentences that do not hold. */
export function audit(file: string): string[] {
  const database = new Database(file, { readonly: true })
  try {
    // One view of everything, also while a server writes.
    database.run('BEGIN')
    const broken = forbidden.flatMap(([sentence, sql]) =>
      database
        .query<Record<string, unknown>, []>(sql)
        .values()
        .map(row => `${sentence}: ${row.join(' ')}`),
    )
    const orphans = database.query('PRAGMA foreign_key_check').values()
    return [
      ...broken,
      ...orphans.map(row => `a row refers to nothing: ${row.join(' ')}`),
      ...auditRefunds(database),
      ...auditStatistics(database),
    ]
  } finally {
    database.close()
  }
}
