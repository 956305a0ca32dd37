import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { orderStatuses } from '../../src/domain/order.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { tablesOf } from '../../src/storage/tables/index.ts'

/** The tables over an empty database of their own, and what they ask it. */
const database = new Database(':memory:')
migrate(database, ':memory:', 0)
const asked: { sql: string; params: unknown[] }[] = []
const tables = tablesOf(
  drizzle(database, {
    casing: 'snake_case',
    logger: { logQuery: (sql, params) => void asked.push({ sql, params }) },
  }),
  () => {},
)
afterAll(() => database.close())

type Plan = string[]

const planOf = (sql: string, params: unknown[]): Plan =>
  database
    .query<{ detail: string }, never[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...(params as never[]))
    .map(({ detail }) => detail)

/** How the database would answer what a list asks it. */
async function plansOf(list: () => Promise<unknown>): Promise<Plan> {
  asked.length = 0
  await list()
  return asked.flatMap(({ sql, params }) => planOf(sql, params))
}

const isSlow = (step: string): boolean => !step.startsWith('SEARCH ') || !/ USING (\w+ )*INDEX /.test(step)

const merchantId = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const after = { at: 5, id: merchantId }
const starts = [null, after, { ...after, at: 50 }]

/** Every choice of the members of a filter, each with the value that it takes. */
function choices(members: Record<string, unknown>): Record<string, unknown>[] {
  let found: Record<string, unknown>[] = [{}]
  for (const [name, value] of Object.entries(members)) {
    found = found.flatMap(one => [one, { ...one, [name]: value }])
  }
  return found
}

const tell = (filter: object, start: typeof after | null): string =>
  [...Object.keys(filter), ...(start ? [`a token of ${start.at}`] : [])].join(', ') || 'nothing'

interface Listed {
  members: Record<string, unknown>
  list(filter: object, start: typeof after | null): Promise<unknown>
  /** the index that serves a choice of members */
  index(filter: Record<string, unknown>): string
}

const lists: Record<string, Listed> = {
  orders: {
    members: { status: orderStatuses[0], externalId: 'a', createdFrom: 1, createdTo: 9 },
    list: (filter, start) => tables.orders.list({ merchantId, ...filter }, 21, start),
    index: ({ status, externalId }) =>
      externalId ? 'orders_by_external_id' : status ? 'orders_by_status' : 'orders_of_merchant',
  },
  transactions: {
    members: { status: 'PAID', orderId: merchantId },
    list: (filter, start) => tables.transactions.list({ merchantId, ...filter }, 21, start),
    index: ({ status, orderId }) =>
      orderId
        ? 'sqlite_autoindex_transactions_2'
        : status
          ? 'transactions_by_status'
          : 'transactions_of_merchant',
  },
  events: {
    members: { type: 'order.paid', status: 'failed' },
    list: (filter, start) => tables.events.list({ merchantId, ...filter }, 21, start),
    index: ({ type, status }) =>
      status
        ? type
          ? 'deliveries_by_type'
          : 'deliveries_by_status'
        : type
          ? 'events_by_type'
          : 'events_of_merchant',
  },
  products: {
    members: {},
    list: (_, start) => tables.products.list(merchantId, 21, start),
    index: () => 'products_of_merchant',
  },
  refunds: {
    members: {},
    list: (_, start) => tables.refunds.list(merchantId, 21, start),
    index: () => 'refunds_of_order',
  },
}

const rows = Object.entries(lists).flatMap(([name, { members, list, index }]) =>
  choices(members).flatMap(filter =>
    starts.map(start => [name, tell(filter, start), () => list(filter, start), index(filter)] as const),
  ),
)

test.each([
  ['reads a whole table', 'SELECT * FROM orders'],
  ['reads a whole index', 'SELECT id FROM orders ORDER BY merchant_id, created_at DESC'],
  ['sorts', "SELECT * FROM orders WHERE merchant_id = 'a' ORDER BY updated_at DESC"],
])('a query that %s would be seen', (_, sql) => {
  expect(planOf(sql, []).some(isSlow)).toBe(true)
})

test('whether an address is known is read from one index', async () => {
  const plan = await plansOf(() => tables.attempts.hasAddress('0xAb'))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH attempts USING .*INDEX attempts_by_address /)])
})

test.each(rows)('a list of %s by %s is read from one index, in its order', async (_, __, list, index) => {
  const plan = await plansOf(list)
  expect(plan.filter(isSlow)).toEqual([])
  expect(plan[0]).toContain(` INDEX ${index} `)
})
