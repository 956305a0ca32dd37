import { Database } from 'bun:sqlite'
import { auditSettlements } from './audit-settlements.ts'
import { auditStatistics } from './audit-statistics.ts'

/** Invariants, each with a query for the rows that break it. */
const invariants: [sentence: string, sql: string][] = [
  [
    'an order is PAID exactly when it has one transaction or was forced',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id
     WHERE (o.status = 'PAID') <> ((t.id IS NOT NULL) <> (o.forced_at IS NOT NULL))`,
  ],
  [
    'an order refers to its own transaction',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id WHERE o.transaction_id IS NOT t.id`,
  ],
  [
    'every paid order has one order.paid event, and no other order has one',
    `SELECT o.id FROM orders o
     WHERE (SELECT COUNT(*) FROM events e WHERE e.order_id = o.id AND e.type = 'order.paid') <> (o.status = 'PAID')`,
  ],
  [
    'every order.paid has a delivery to the first webhook',
    "SELECT id FROM events WHERE type = 'order.paid' AND id NOT IN (SELECT event_id FROM deliveries)",
  ],
  [
    'every other event has a delivery, unless the shop deleted a webhook',
    `SELECT e.id FROM events e
     WHERE e.id NOT IN (SELECT event_id FROM deliveries UNION ALL SELECT event_id FROM further_deliveries)
     AND e.merchant_id NOT IN
       (SELECT merchant_id FROM audit_log WHERE action = 'webhook.changed' AND coalesce(after, 'null') = 'null')`,
  ],
  [
    'a delivery to a further webhook has a job if and only if it is to be tried',
    `SELECT d.id FROM further_deliveries d LEFT JOIN jobs j ON j.kind = 'further.deliver' AND j.subject = d.id
     WHERE (d.next_attempt_at IS NOT NULL) <> (j.subject IS NOT NULL)`,
  ],
  [
    'a delivery has a job if and only if it is to be tried',
    `SELECT d.event_id FROM deliveries d LEFT JOIN jobs j ON j.kind = 'event.deliver' AND j.subject = d.event_id
     WHERE (d.next_attempt_at IS NOT NULL) <> (j.subject IS NOT NULL)`,
  ],
  [
    'an order has an expiry job if and only if it is unpaid',
    `SELECT o.id FROM orders o LEFT JOIN jobs j ON j.kind = 'order.expire' AND j.subject = o.id
     WHERE (o.status = 'UNPAID') <> (j.subject IS NOT NULL)`,
  ],
  [
    'every order has a session, which ends with the order',
    `SELECT o.id FROM orders o
     WHERE o.session_status IS NULL OR o.session_status NOT IN (SELECT value FROM json_each(CASE o.status
       WHEN 'UNPAID' THEN '["CREATED","PROVISIONING","READY","FAILED"]' WHEN 'PAID' THEN '["SETTLED"]'
       WHEN 'EXPIRED' THEN '["EXPIRED"]' WHEN 'CANCELLED' THEN '["ABANDONED"]' ELSE '["FAILED"]' END))`,
  ],
  [
    'the attempt that completed an order is settled',
    `SELECT a.id FROM attempts a JOIN transactions t ON t.attempt_id = a.id WHERE a.state <> 'settled'`,
  ],
  [
    'every transaction has a settlement',
    'SELECT id FROM transactions WHERE id NOT IN (SELECT transaction_id FROM settlements)',
  ],
  [
    'a transaction has the amounts of its order',
    `SELECT t.id FROM transactions t JOIN orders o ON o.id = t.order_id
     WHERE (t.amount, t.currency, t.fee_amount, t.net_amount) <> (o.amount, o.currency, o.fee_amount, o.net_amount)`,
  ],
  [
    'every final payment settled its order, can still settle it, is recorded as unmatched, or was taken back',
    `SELECT r.id FROM incoming_payments r JOIN attempts a ON a.id = r.attempt_id JOIN orders o ON o.id = r.order_id
     WHERE r.state = 'final' AND r.settles = 0 AND r.id NOT IN (SELECT incoming_payment_id FROM unmatched_payments)
     AND (o.status NOT IN ('UNPAID', 'EXPIRED') OR (r.asset_id <> a.asset_id AND a.credited = '0')
     OR o.status = 'EXPIRED' OR (a.kind = 'address' AND a.state = 'expired'))
     AND CAST(r.amount_atomic AS REAL) > COALESCE((SELECT SUM(CAST(v.amount AS REAL)) FROM reversals v
       WHERE v.attempt_id = a.id AND v.status <> 'failed'), 0) * CAST('1e' || a.decimals AS REAL)`,
  ],
  [
    'no row refers to a row of another merchant',
    `SELECT a.id FROM attempts a JOIN orders o ON o.id = a.order_id WHERE a.merchant_id <> o.merchant_id
     UNION ALL SELECT t.id FROM transactions t JOIN orders o ON o.id = t.order_id WHERE t.merchant_id <> o.merchant_id
     UNION ALL SELECT e.id FROM events e JOIN orders o ON o.id = e.order_id WHERE e.merchant_id <> o.merchant_id
     UNION ALL SELECT r.id FROM incoming_payments r JOIN attempts a ON a.id = r.attempt_id
       WHERE (r.merchant_id, r.order_id) <> (a.merchant_id, a.order_id)
     UNION ALL SELECT o.id FROM orders o JOIN merchants m ON m.id = o.merchant_id WHERE m.number <> o.merchant_number
     UNION ALL SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id
       WHERE c.merchant_id <> o.merchant_id OR c.email_key <> lower(o.customer_email)`,
  ],
  [
    'an order says whether its payments are confirmed, too little or too much',
    `SELECT o.id FROM orders o WHERE o.payment_state IS NOT CASE
       WHEN o.status IN ('CANCELLED', 'FAILED') THEN NULL
       WHEN o.status = 'PAID' THEN CASE WHEN o.payment_state = 'OVERPAID' OR EXISTS (SELECT 1 FROM unmatched_payments u
         WHERE u.order_id = o.id AND u.reason = 'second_payment') OR EXISTS (SELECT 1 FROM settlements s
         WHERE s.order_id = o.id AND s.verdict = 'over') THEN 'OVERPAID' END
       WHEN EXISTS (SELECT 1 FROM attempts a WHERE a.order_id = o.id AND a.state = 'confirming') THEN 'CONFIRMING'
       WHEN EXISTS (SELECT 1 FROM attempts a WHERE a.order_id = o.id AND a.credited <> '0') THEN 'PART_PAID' END`,
  ],
  [
    'an order has the refund totals of its transaction, and none without a transaction',
    `SELECT o.id FROM orders o LEFT JOIN transactions t ON t.order_id = o.id
     WHERE o.refund_count <> COALESCE(t.refund_count, 0) OR o.refund_status IS NOT t.refund_status
     OR o.refunded_amount IS NOT t.refunded_amount OR o.last_refunded_at IS NOT t.last_refunded_at
     OR o.refunded_at IS NOT t.refunded_at`,
  ],
  [
    'the status of a transaction matches its refund status',
    `SELECT id FROM transactions WHERE status <> CASE refund_status WHEN 'FULL' THEN 'REFUNDED'
     WHEN 'PARTIAL' THEN 'PARTIALLY_REFUNDED' ELSE 'PAID' END
     OR (refund_status IS 'FULL') <> (refunded_at IS NOT NULL)`,
  ],
  [
    'a transaction has the number and the last date of its refunds',
    `SELECT t.id FROM transactions t LEFT JOIN refunds r ON r.transaction_id = t.id GROUP BY t.id
     HAVING t.refund_count <> COUNT(r.id) OR t.last_refunded_at IS NOT MAX(r.created_at)`,
  ],
  [
    'a refund has the order, merchant, currency and method of its transaction',
    `SELECT r.id FROM refunds r JOIN transactions t ON t.id = r.transaction_id
     WHERE (r.merchant_id, r.order_id, r.currency, r.method_key)
     <> (t.merchant_id, t.order_id, t.currency, t.method_key)`,
  ],
  [
    'every refund has one idempotency key',
    `SELECT r.id FROM refunds r LEFT JOIN idempotency_keys k
     ON k.operation = 'refund' AND k.resource_id = r.id AND k.merchant_id = r.merchant_id
     GROUP BY r.id HAVING COUNT(k.key) <> 1
     UNION ALL SELECT key FROM idempotency_keys
     WHERE operation = 'refund' AND resource_id NOT IN (SELECT id FROM refunds)`,
  ],
  [
    'every refund has a notification',
    `SELECT o.id FROM orders o WHERE substr(o.merchant_id, 15, 1) <> '8' AND o.refund_count <> (SELECT COUNT(*) FROM notifications n
     WHERE n.order_id = o.id AND n.kind = 'refund_recorded')`,
  ],
  [
    'the numbers of the invoices of a shop and a year have no gap',
    `SELECT merchant_id, year FROM invoices GROUP BY merchant_id, year
     HAVING MIN(ordinal) <> 1 OR MAX(ordinal) <> COUNT(*) OR MAX(number) NOT LIKE year || '-%'
     UNION ALL SELECT merchant_id, year FROM invoice_numbers n WHERE last <>
       (SELECT COUNT(*) FROM invoices i WHERE i.merchant_id = n.merchant_id AND i.year = n.year)`,
  ],
  [
    'the audit log has a row for each invoice and each credit note',
    `SELECT order_id FROM invoices i GROUP BY order_id HAVING COUNT(*) <> (SELECT COUNT(*) FROM audit_log
     WHERE subject = 'order:' || i.order_id
     AND action IN ('invoice.issued', 'invoice.credited', 'invoice.cancelled'))`,
  ],
  [
    'a delivery has the type, merchant and time of its event',
    `SELECT d.event_id FROM deliveries d JOIN events e ON e.id = d.event_id
     WHERE (d.type, d.merchant_id, d.created_at) <> (e.type, e.merchant_id, e.created_at)`,
  ],
  [
    'an address belongs to one order',
    `SELECT address FROM attempts WHERE address IS NOT NULL AND shared = 0 AND reclaimed_at IS NULL
     GROUP BY address HAVING COUNT(DISTINCT order_id) > 1`,
  ],
  [
    'an address of a source is allocated to the attempt that has it',
    `SELECT s.address FROM source_addresses s JOIN attempts a ON a.id = s.attempt_id WHERE a.address <> s.address
     UNION ALL SELECT a.id FROM attempts a LEFT JOIN source_addresses s ON s.attempt_id = a.id
     WHERE json_extract(a.address_source, '$.kind') IN ('xpub', 'pool', 'viewkey') AND s.address IS NOT a.address
     AND a.reclaimed_at IS NULL`,
  ],
  [
    'attempts that share an address have different amounts while they are watched',
    `SELECT a.id FROM attempts a JOIN attempts b ON b.address = a.address AND b.asset_id = a.asset_id
     AND b.due_atomic = a.due_atomic AND b.id <> a.id WHERE a.shared = 1 AND b.shared = 1
     AND b.created_at >= a.created_at AND b.created_at < a.watch_until`,
  ],
]

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))

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

/** Checks that refund totals are exact and never exceed the paid amount. */
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
      ...(sum <= minor(amount) ? [] : [`transaction ${id}: ${sum} of ${amount} is refunded`]),
      ...(sum === minor(refunded_amount ?? '0')
        ? []
        : [`transaction ${id}: ${sum} is refunded, but ${refunded_amount} is stored`]),
      ...(status === refund_status ? [] : [`transaction ${id}: ${refund_status} should be ${status}`]),
    ]
  })
}

/** Checks every invariant on a database file. Returns the broken ones. */
export function audit(file: string): string[] {
  const database = new Database(file, { readonly: true })
  try {
    return auditDatabase(database)
  } finally {
    database.close()
  }
}

/** Checks every invariant over a connection without an open transaction. */
export function auditDatabase(database: Database): string[] {
  // One snapshot for all queries, because a server may be writing.
  database.run('BEGIN')
  try {
    const broken = invariants.flatMap(([sentence, sql]) =>
      database
        .query<Record<string, unknown>, []>(sql)
        .values()
        .map(row => `${sentence}: ${row.join(' ')}`),
    )
    const orphans = database.query('PRAGMA foreign_key_check').values()
    return [
      ...broken,
      ...orphans.map(row => `missing reference: ${row.join(' ')}`),
      ...auditSettlements(database),
      ...auditRefunds(database),
      ...auditStatistics(database),
    ]
  } finally {
    database.run('ROLLBACK')
  }
}
