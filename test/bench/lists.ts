// Measures the first page and a deep page of each list in a database of a million orders.
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageStart } from '../../src/domain/page.ts'
import type { Tables } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'

const ORDERS = Number(process.argv[2] ?? 1_000_000)
const PAGE = 21
const ROUNDS = 50
const MERCHANT = 'the-merchant'
/** One of this number of orders has the rare status, which is the worst case of a filter. */
const RARE = 50_000

const folder = mkdtempSync(join(tmpdir(), 'florin-lists-'))
const file = join(folder, 'florin.sqlite')
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Every second order is paid and has an event. All IDs have the same length, like UUIDs. */
const fillings = [
  `INSERT INTO merchants (id, email, email_key, name, fee_percent, status, created_at, updated_at)
   VALUES ('${MERCHANT}', 'a@shop.example', 'a@shop.example', 'Shop', '0', 'active', 0, 0)`,
  `INSERT INTO orders (id, merchant_id, merchant_number, customer_id, customer_email, customer_full_name, external_id, amount,
     currency, method_keys, metadata, source, fee_percent, fee_amount, net_amount, fee_collection, status,
     expires_at, created_at, updated_at, transaction_id, paid_at, session_status, session_updated_at)
   SELECT printf('order-%030d', n), '${MERCHANT}', 1, 'customer', 'buyer@example.com', 'Sam Buyer', 'cart:' || n, '25.00',
     'USD', '["*"]', '{"cart":"1234"}', 'api', '0', '0.00', '25.00', 'ACCOUNTED_NOT_COLLECTED',
     CASE WHEN n % ${RARE} = 1 THEN 'FAILED' WHEN n % 2 THEN 'EXPIRED' ELSE 'PAID' END, n, n * 1000, n * 1000,
     CASE WHEN n % 2 = 0 THEN printf('transaction-%024d', n) END, CASE WHEN n % 2 = 0 THEN n * 1000 END,
     CASE WHEN n % 2 = 0 THEN 'SETTLED' ELSE 'EXPIRED' END, n * 1000 FROM numbers`,
  `INSERT INTO transactions (id, merchant_id, order_id, attempt_id, method_key, amount, currency, fee_percent, fee_amount,
     net_amount, fee_collection, receiving_wallet, received_amount, received_currency, status, paid_at, created_at, updated_at)
   SELECT transaction_id, merchant_id, id, 'attempt' || id, 'crypto', amount, currency, '0', '0.00', amount,
     fee_collection, 'wallet', '25', 'polygon/usdc', CASE WHEN created_at % ${RARE * 1000} = 0 THEN 'REFUNDED' ELSE 'PAID' END,
     created_at, created_at, created_at FROM orders WHERE status = 'PAID'`,
  `INSERT INTO events SELECT printf('event-%030d', created_at / 1000), merchant_id, id,
     CASE WHEN created_at % ${RARE * 1000} = 0 THEN 'payment.failed' ELSE 'order.paid' END,
     '{"id":"a","type":"order.paid"}', created_at FROM orders WHERE status = 'PAID'`,
  `INSERT INTO deliveries (event_id, merchant_id, status, next_attempt_at, tries, first_tried_at, created_at,
     updated_at, type)
   SELECT id, merchant_id,
     CASE WHEN created_at % ${RARE * 1000} = ${RARE * 500} THEN 'failed' ELSE 'delivered' END, NULL,
     '[{"at":1,"httpStatus":200,"outcome":"delivered","durationMs":20}]', created_at, created_at, created_at, type FROM events`,
  `INSERT INTO products SELECT printf('product-%028d', n), '${MERCHANT}', 'A product', NULL, NULL, NULL, 512, 1, 1, '25.00',
     'USD', '["*"]', '{}', n * 1000, n * 1000 FROM numbers`,
  `INSERT INTO refunds SELECT printf('refund-%029d', n), '${MERCHANT}', printf('order-%030d', 2), printf('transaction-%024d', 2),
     '0.01', 'USD', 'crypto', 'returned', 'key:a', n * 1000 FROM numbers`,
]

function fill(): void {
  const database = new Database(file)
  database.run('PRAGMA synchronous = OFF')
  database.run(`CREATE TEMP VIEW numbers AS WITH RECURSIVE counted (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${ORDERS}) SELECT n FROM counted`)
  for (const filling of fillings) database.run(filling)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

type List = (tables: Tables, after: PageStart | null) => Promise<unknown[]>

const merchantId = MERCHANT
const soon = ORDERS * 1000 - 5
const orders =
  (filter: object): List =>
  (tables, after) =>
    tables.orders.list({ merchantId, ...filter }, PAGE, after)
const transactions =
  (filter: object): List =>
  (tables, after) =>
    tables.transactions.list({ merchantId, ...filter }, PAGE, after)
const events =
  (filter: object): List =>
  (tables, after) =>
    tables.events.list({ merchantId, ...filter }, PAGE, after)

const people =
  (query: object): List =>
  async (tables, after) => {
    const turn = after && { ...after, direction: 'older' as const }
    return (await tables.orders.browse({ merchantId, ...query }, PAGE, turn)).rows
  }
const search =
  (text: string): List =>
  async (tables, after) => {
    const { ids } = await tables.orders.match(merchantId, text)
    return people({ ids })(tables, after)
  }

const lists: [name: string, prefix: string, digits: number, list: List][] = [
  ['orders', 'order-', 30, orders({})],
  ['orders, PAID', 'order-', 30, orders({ status: 'PAID' })],
  ['orders, FAILED (rare)', 'order-', 30, orders({ status: 'FAILED' })],
  ['orders, UNPAID (none)', 'order-', 30, orders({ status: 'UNPAID' })],
  ['orders of one externalId', 'order-', 30, orders({ externalId: `cart:${ORDERS / 20}` })],
  ['orders, createdTo', 'order-', 30, orders({ createdTo: soon })],
  [
    'orders, FAILED, createdFrom, createdTo',
    'order-',
    30,
    orders({ status: 'FAILED', createdFrom: 5, createdTo: soon }),
  ],
  ['browse: all', 'order-', 30, people({})],
  ['browse: two statuses', 'order-', 30, people({ statuses: ['FAILED', 'PAID'] })],
  ['browse: FAILED (rare)', 'order-', 30, people({ statuses: ['FAILED'] })],
  ['browse: amount (none)', 'order-', 30, people({ currency: 'USD', amountFrom: '26.00' })],
  ['search: order number', 'order-', 30, search(`CART:${ORDERS / 20}`)],
  ['search: name (all)', 'order-', 30, search('sam')],
  ['search: transaction (none)', 'order-', 30, search('0123456789abcdef')],
  ['transactions', 'transaction-', 24, transactions({})],
  ['transactions, REFUNDED (rare)', 'transaction-', 24, transactions({ status: 'REFUNDED' })],
  [
    'transactions of an order',
    'transaction-',
    24,
    transactions({ orderId: `order-${'2'.padStart(30, '0')}` }),
  ],
  ['events', 'event-', 30, events({})],
  ['events, payment.failed (rare)', 'event-', 30, events({ type: 'payment.failed' })],
  ['events, failed (rare)', 'event-', 30, events({ status: 'failed' })],
  ['events, delivered', 'event-', 30, events({ status: 'delivered' })],
  [
    'events, payment.failed, delivered (rare)',
    'event-',
    30,
    events({ type: 'payment.failed', status: 'delivered' }),
  ],
  [
    'events, payment.failed, failed (none)',
    'event-',
    30,
    events({ type: 'payment.failed', status: 'failed' }),
  ],
  ['products', 'product-', 28, (tables, after) => tables.products.list(merchantId, PAGE, after)],
  [
    'refunds of one order',
    'refund-',
    29,
    (tables, after) => tables.refunds.list(`order-${'2'.padStart(30, '0')}`, PAGE, after),
  ],
]

const began = performance.now()
await openStorage(file, 0).close()
fill()
const megabytes = Math.round(Bun.file(file).size / 2 ** 20)
say(`${ORDERS} orders in ${megabytes} MiB, filled in ${Math.round((performance.now() - began) / 1000)} s`)
const storage = openStorage(file, 0)

/** The median of many runs, after a warm-up run. */
async function medianMs(list: List, after: PageStart | null): Promise<{ ms: number; rows: number }> {
  const times: number[] = []
  let rows = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const from = performance.now()
    rows = (await storage.read(tables => list(tables, after))).length
    times.push(performance.now() - from)
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  return { ms: sorted[ROUNDS >> 1] ?? 0, rows }
}

const shown = ({ ms, rows }: { ms: number; rows: number }) => `${ms.toFixed(2).padStart(7)} ms (${rows} rows)`
for (const [name, prefix, digits, list] of lists) {
  const at = ORDERS / 10
  const deep = { at: at * 1000, id: prefix + String(at).padStart(digits, '0') }
  const first = shown(await medianMs(list, null)).padEnd(24)
  say(`${name.padEnd(42)} first ${first} deep ${shown(await medianMs(list, deep))}`)
}
await storage.close()
rmSync(folder, { recursive: true })
