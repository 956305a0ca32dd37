import { Database } from 'bun:sqlite'
import { databaseFile } from '../../src/storage/sqlite/open.ts'

/** Changes the database of a data directory with SQL. */
export const change = (sql: string) => (dataDir: string) => {
  const database = new Database(databaseFile(dataDir))
  database.run('PRAGMA foreign_keys = OFF')
  database.run(sql)
  database.close()
}

export const unmatched = `
  INSERT INTO incoming_payments (id, attempt_id, order_id, merchant_id, source, tx_id, tx_index, asset_id, amount_atomic,
      state, settles, confirmations, paid_at, seen, inputs, evidence, created_at, updated_at)
    SELECT 'r', id, order_id, merchant_id, 'x', 't', '0', 'eth', '1', 'final', 0, 1, 1, '[]', '[]', '{}', 1, 1
    FROM attempts LIMIT 1;
  INSERT INTO unmatched_payments (id, merchant_id, order_id, attempt_id, incoming_payment_id, reason, status,
      created_at, updated_at)
    SELECT 'u', merchant_id, order_id, id, 'r', 'wrong_asset', 'open', 1, 1 FROM attempts LIMIT 1;`

/** An account whose first addresses were given to buyers. */
export const givenAccount = (dataDir: string, given: number): void =>
  change(`
    INSERT INTO address_sources SELECT 's', id, 'btc', 'xpub', 'xpub', NULL, NULL, ${given}, 1, 1, 1, NULL FROM merchants;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${given})
    INSERT INTO source_addresses SELECT 'btc', 'a' || i, 's', m.id, i, 't' || i, 1 FROM n, merchants m;`)(
    dataDir,
  )

export const emptyPool =
  "INSERT INTO address_sources SELECT 's', id, 'btc', 'pool', NULL, NULL, NULL, 0, 1, 1, 1, NULL FROM merchants"

export const failedEvent = `
  INSERT INTO events SELECT 'e', merchant_id, id, 'order.paid', '{}', 1 FROM orders LIMIT 1;
  INSERT INTO deliveries SELECT 'e', merchant_id, type, 'failed', NULL, '[]', 1, 1, 1 FROM events WHERE id = 'e';`

export const failingMail = `
  INSERT INTO notification_recipients SELECT 'mail:' || id, 9, NULL, 1, 3, '535 wrong password' FROM merchants;`

/** Mail that is sent, and a channel of a person that fails. */
export const workingMail = `
  INSERT INTO notification_recipients SELECT 'mail:' || id, 9, 1, NULL, 0, NULL FROM merchants;
  INSERT INTO notification_recipients SELECT 'channel:' || id, 9, NULL, 1, 3, 'HTTP 500' FROM merchants;`
