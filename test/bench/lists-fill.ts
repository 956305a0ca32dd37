// Fills a database with orders as a busy shop has them, for the benchmark of lists.
import { Database } from 'bun:sqlite'
import { openStorage } from '../../src/storage/sqlite/open.ts'

export const MERCHANT = 'the-merchant'
/** The customer of all orders without an email address, which are a fifth of all orders. */
export const NOBODY = 'customer-0'
const CUSTOMERS = 200_000
/** One of this number of orders has a rare status, which is the worst case of a filter. */
const RARE = 50_000
const UNPAID = 300

/** Spreads numbers over 32 bits, the same way each time. */
const hash = '((n * 2654435761) % 4294967296)'

const statusOf = (count: number) => `CASE
  WHEN n > ${count - UNPAID} THEN 'UNPAID' WHEN n % ${RARE} = 1 THEN 'FAILED'
  WHEN h % 100 < 60 THEN 'PAID' WHEN h % 100 < 92 THEN 'EXPIRED' ELSE 'CANCELLED' END`

const firstNames = ['Sam', 'ADA', 'Bob', 'eve', 'Kim', 'Zoë', 'Ole', 'Mia', 'Jürgen', 'Ana']

/** Half of the orders that were not paid have no method. All IDs have the same length, like UUIDs. */
const fillings = (count: number) => [
  `INSERT INTO merchants (id, email, email_key, name, fee_percent, status, created_at, updated_at)
   VALUES ('${MERCHANT}', 'a@shop.example', 'a@shop.example', 'Shop', '0', 'active', 0, 0)`,
  `CREATE TEMP VIEW numbers AS WITH RECURSIVE counted (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n, ${hash} AS h FROM counted`,
  `CREATE TEMP VIEW drawn AS SELECT n, h, ${statusOf(count)} AS status,
     CASE WHEN h % 100 < 80 OR h / 100 % 2 THEN CASE WHEN h / 100 % 100 < 70 THEN 'crypto'
       WHEN h / 100 % 100 < 95 THEN 'moonpay' ELSE 'robinhood' END END AS method,
     CASE WHEN h / 10000 % 1000 < 500 THEN 'ethereum/usdc' WHEN h / 10000 % 1000 < 800 THEN 'bitcoin'
       WHEN h / 10000 % 1000 < 998 THEN 'tron/usdt' ELSE 'zcash' END AS coin FROM numbers`,
  `INSERT INTO customers (id, merchant_id, email, email_key, blocked_at, created_at)
   SELECT 'customer-' || (n - 1), '${MERCHANT}', CASE n WHEN 1 THEN 'unknown@customer.invalid' ELSE 'Buyer' || n || '@example.com' END,
     CASE n WHEN 1 THEN 'unknown@customer.invalid' ELSE 'buyer' || n || '@example.com' END,
     CASE WHEN n % 1000 = 5 THEN n END, n * 1000 FROM numbers WHERE n <= ${CUSTOMERS}`,
  `INSERT INTO orders (id, merchant_id, merchant_number, customer_id, customer_email, customer_full_name, external_id, amount,
     currency, method_keys, metadata, source, fee_percent, fee_amount, net_amount, fee_collection, status,
     expires_at, created_at, updated_at, transaction_id, paid_at, session_status, session_updated_at, cancelled_at,
     chosen_method, chosen_asset, payment_state, refund_count, refund_status, refunded_amount)
   SELECT printf('order-%030d', n), '${MERCHANT}', 1, 'customer-' || CASE WHEN h % 5 THEN n % ${CUSTOMERS} ELSE 0 END,
     CASE WHEN h % 5 THEN 'Buyer' || (n % ${CUSTOMERS} + 1) || '@example.com' ELSE 'unknown@customer.invalid' END,
     CASE WHEN h % 7 THEN (CASE h / 7 % 10 ${firstNames.map((name, index) => `WHEN ${index} THEN '${name}'`).join(' ')} END)
       || ' Surname' || (h / 70 % 500) ELSE '' END,
     'cart:' || n, CASE WHEN n % 20000 = 7 THEN '5000.00' ELSE printf('%d.%02d', 5 + h % 200, h / 7 % 100) END,
     CASE WHEN h / 3 % 1000 = 0 THEN 'CHF' WHEN h / 3 % 10 = 1 THEN 'EUR' ELSE 'USD' END,
     '["*"]', '{"cart":"1234"}', 'api', '0', '0.00', '25.00', 'ACCOUNTED_NOT_COLLECTED',
     status, n * 1000, n * 1000, n * 1000,
     CASE WHEN status = 'PAID' THEN printf('transaction-%024d', n) END, CASE WHEN status = 'PAID' THEN n * 1000 END,
     CASE WHEN status = 'PAID' THEN 'SETTLED' ELSE 'EXPIRED' END, n * 1000, CASE WHEN status = 'CANCELLED' THEN n * 1000 END,
     method, CASE WHEN method = 'crypto' THEN coin END,
     CASE WHEN status = 'PAID' AND h / 50 % 50 = 1 THEN 'OVERPAID' WHEN status = 'UNPAID' AND h % 9 = 1 THEN 'CONFIRMING' END,
     CASE WHEN status = 'PAID' AND h / 1000 % 100 = 1 THEN 1 ELSE 0 END,
     CASE WHEN status = 'PAID' AND h / 1000 % 100 = 1 THEN 'PARTIAL' END,
     CASE WHEN status = 'PAID' AND h / 1000 % 100 = 1 THEN '1.00' END FROM drawn`,
  `INSERT INTO attempts (id, merchant_id, order_id, kind, method_key, method_name, asset_id, decimals, due_atomic,
     threshold_atomic, floor_atomic, dust_atomic, rate, rate_sources, rate_at, payment_uri, payout_address, address, shared, required_endpoints, fee_split, locked_until,
     grace_until, watch_until, state, received_atomic, confirmed_atomic, priced, tolerance, dust, grace_limit,
     mined_within_ms, blind_ms, credited, settled_credit, chosen_at, created_at, updated_at)
   SELECT printf('attempt-%028d', n), '${MERCHANT}', printf('order-%030d', n), 'address', 'crypto', 'USDC', coin, 6, '25000000',
     '25000000', '0', '0', '1', '["a","b"]', n * 1000, 'ethereum:', 'wallet', printf('0x%08X%032x', h, n), 0, 1, 0, n * 1000, n * 1000, n * 1000,
     CASE WHEN status = 'PAID' THEN 'settled' ELSE 'expired' END, '0', '0', '25.00', '0', '0', n * 1000,
     0, 0, '0', '0', n * 1000, n * 1000, n * 1000
     FROM drawn WHERE method = 'crypto'`,
  `INSERT INTO incoming_payments (id, attempt_id, order_id, merchant_id, source, tx_id, tx_index, asset_id, amount_atomic,
     state, settles, confirmations, tx_in, tx_out, paid_at, seen, inputs, evidence, created_at, updated_at)
   SELECT printf('payment-%028d', n), printf('attempt-%028d', n), printf('order-%030d', n), '${MERCHANT}', 'ethereum',
     printf('0x%08x%056x', h, n), '0', coin, '25000000', 'final', 1, 20, printf('0x%08x%056x', h, n), NULL, n * 1000, '[]', '[]', '{}',
     n * 1000, n * 1000 FROM drawn WHERE method = 'crypto' AND status = 'PAID'`,
  `INSERT INTO transactions (id, merchant_id, order_id, attempt_id, method_key, amount, currency, fee_percent, fee_amount,
     net_amount, fee_collection, receiving_wallet, received_amount, received_currency, tx_in, status, paid_at, created_at, updated_at)
   SELECT transaction_id, merchant_id, id, 'attempt-' || substr(id, 9), coalesce(chosen_method, 'moonpay'), amount, currency, '0', '0.00', amount,
     fee_collection, 'wallet', '25', coalesce(chosen_asset, 'polygon/usdc'), 'tx' || id,
     CASE WHEN created_at % ${RARE * 1000} = 0 THEN 'REFUNDED' ELSE 'PAID' END,
     created_at, created_at, created_at FROM orders WHERE status = 'PAID'`,
  `INSERT INTO events SELECT printf('event-%030d', created_at / 1000), merchant_id, id,
     CASE WHEN created_at % ${RARE * 1000} = 0 THEN 'payment.failed' WHEN status = 'PAID' THEN 'order.paid' ELSE 'payment.expired' END,
     '{"id":"' || id || '","type":"order.paid","orderUUID":"' || id || '","metadata":{"cart":"1234"}}', created_at FROM orders`,
  `INSERT INTO deliveries (event_id, merchant_id, status, next_attempt_at, tries, first_tried_at, created_at,
     updated_at, type)
   SELECT id, merchant_id,
     CASE WHEN created_at % ${RARE * 1000} = ${RARE * 500} THEN 'failed' ELSE 'delivered' END, NULL,
     '[{"at":1,"httpStatus":200,"outcome":"delivered","durationMs":20}]', created_at, created_at, created_at, type FROM events`,
  `INSERT INTO products SELECT printf('product-%028d', n), '${MERCHANT}', 'A product', NULL, NULL, NULL, 512, 1, 1, '25.00',
     'USD', '["*"]', '{}', n * 1000, n * 1000 FROM numbers`,
  `INSERT INTO refunds SELECT printf('refund-%029d', n), '${MERCHANT}', printf('order-%030d', 2), printf('transaction-%024d', 2),
     '0.01', 'USD', 'crypto', 'returned', 'key:a', n * 1000, NULL, NULL, NULL FROM numbers`,
]

/** Makes a database with this number of orders. */
export async function fill(file: string, count: number): Promise<void> {
  await openStorage(file, 0).close()
  const database = new Database(file)
  database.run('PRAGMA synchronous = OFF')
  // Indexes of random texts need more than the usual memory while they grow.
  database.run('PRAGMA cache_size = -2000000')
  for (const filling of fillings(count)) database.run(filling)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}
