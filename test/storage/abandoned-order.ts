import type { Database } from 'bun:sqlite'

/** Inserts an unpaid order with its merchant and customer. All have this ID. */
export function insertAbandoned(database: Database, id: string): void {
  database.run('PRAGMA foreign_keys = ON')
  database.run(
    `INSERT INTO merchants (id, email, email_key, name, fee_percent, status, created_at, updated_at)
     VALUES (?, 'a', 'a', 'a', '0', 'active', 1, 1)`,
    [id],
  )
  database.run(
    "INSERT INTO customers (id, merchant_id, email, email_key, created_at) VALUES (?, ?, 'a', 'a', 1)",
    [id, id],
  )
  database.run(
    `INSERT INTO orders (id, merchant_id, merchant_number, customer_id, customer_email, customer_full_name, amount, currency,
     method_keys, metadata, source, fee_percent, fee_amount, net_amount, fee_collection, status, expires_at,
     created_at, updated_at, session_status, session_updated_at) VALUES (?, ?, 1, ?, 'a', '', '1.00', 'USD', '[]',
     '{}', 'web', '0', '0.00', '1.00', 'ACCOUNTED_NOT_COLLECTED', 'EXPIRED', 1, 1, 1, 'EXPIRED', 1)`,
    [id, id, id],
  )
}
