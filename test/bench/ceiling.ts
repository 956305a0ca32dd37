// The least that an order can cost: the same rows in the same group commit, with prepared statements and
// nothing else. It is never changed, so that ratios of different versions can be compared.
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)
const MERCHANT = Bun.randomUUIDv7()
const KEY = 'ceiling'
const LIFETIME_MS = 86_400_000

const writer = new Database(join(folder, 'ceiling.sqlite'))
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
  writer.run(`PRAGMA ${pragma}`)
writer.run(readFileSync(join(import.meta.dir, 'ceiling.sql'), 'utf8'))
writer.run(
  `INSERT INTO merchants (id, email, email_key, name, fee_percent, status, created_at, updated_at)
   VALUES (?, 'a@example.com', 'a@example.com', 'A', '1', 'active', 0, 0)`,
  [MERCHANT],
)
writer.run(
  `INSERT INTO keys (id, merchant_id, mode, scopes, secret_hash, created_at)
   VALUES (?, ?, 'live', '[]', '', 0)`,
  [KEY, MERCHANT],
)

const begin = writer.query('BEGIN IMMEDIATE')
const commit = writer.query('COMMIT')
const savepoint = writer.query('SAVEPOINT work')
const release = writer.query('RELEASE work')
const findKey = writer.query<{ merchant_id: string }, [string]>('SELECT * FROM keys WHERE id = ?')
const findCustomer = writer.query<{ id: string }, [string, string]>(
  'SELECT id FROM customers WHERE merchant_id = ? AND email_key = ?',
)
const addCustomer = writer.query<null, [string, string, string, string, number]>(
  'INSERT INTO customers (id, merchant_id, email, email_key, created_at) VALUES (?, ?, ?, ?, ?)',
)
const addOrder = writer.query<null, (string | number)[]>(
  `INSERT INTO orders (id, merchant_id, customer_id, customer_email, customer_full_name, amount, currency,
     method_keys, metadata, source, fee_percent, fee_amount, net_amount, fee_collection, status, expires_at,
     created_at, updated_at)
   VALUES (?, ?, ?, ?, '', ?, ?, ?, '{}', 'api', '1', '0.25', '24.75', 'ACCOUNTED_NOT_COLLECTED', 'UNPAID',
     ?, ?, ?)`,
)
const addSession = writer.query<null, [string, string, number, number]>(
  "INSERT INTO sessions VALUES (?, ?, 'READY', ?, ?)",
)
const addJob = writer.query<null, [string, number]>(
  "INSERT INTO jobs VALUES ('order.expire', ?, 'expire', 0, ?, NULL, 0)",
)
const addStatistics = writer.query<null, [string, string, string, number]>(
  `INSERT INTO statistics VALUES (?, ?, ?, '2500', '0', '0', '0', '0', '0', ?, 0, 0, 0, 0)
   ON CONFLICT DO UPDATE SET pending_count = pending_count + excluded.pending_count`,
)
const findOrder = writer.query<Record<string, unknown>, [string]>('SELECT * FROM orders WHERE id = ?')

interface Body {
  amount: string
  currency: string
  paymentMethodsKeys: string[]
  customer: { email: string }
}

function customerOf(merchant: string, email: string, now: number): string {
  const known = findCustomer.get(merchant, email)
  if (known) return known.id
  const id = Bun.randomUUIDv7()
  addCustomer.run(id, merchant, email, email, now)
  return id
}

function createOrder(body: Body): string {
  const now = Date.now()
  const merchant = findKey.get(KEY)?.merchant_id ?? ''
  const id = Bun.randomUUIDv7()
  const { amount, currency, customer } = body
  const buyer = customerOf(merchant, customer.email, now)
  const expiry = now + LIFETIME_MS
  const keys = JSON.stringify(body.paymentMethodsKeys)
  addOrder.run(id, merchant, buyer, customer.email, amount, currency, keys, expiry, now, now)
  addSession.run(id, merchant, now, now)
  addJob.run(id, expiry)
  return id
}

let waiting: { body: Body; done: (id: string) => void }[] = []

function commitAll(): void {
  const batch = waiting
  waiting = []
  begin.run()
  const ids = batch.map(({ body }) => {
    savepoint.run()
    const id = createOrder(body)
    release.run()
    return id
  })
  addStatistics.run(MERCHANT, new Date().toISOString().slice(0, 10), 'USD', batch.length)
  commit.run()
  for (const [place, { done }] of batch.entries()) done(ids[place] ?? '')
}

function stored(body: Body): Promise<string> {
  return new Promise(done => {
    if (waiting.push({ body, done }) === 1) setImmediate(commitAll)
  })
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/v1/orders': {
      POST: async request => {
        const id = await stored((await request.json()) as Body)
        return Response.json({ success: true, data: { orderUUID: id, status: 'UNPAID' } }, { status: 201 })
      },
    },
    '/v1/orders/:id': request => Response.json({ success: true, data: findOrder.get(request.params.id) }),
  },
})
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}`, liveKey: 'x' })}\n`)
