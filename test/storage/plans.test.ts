import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { orderStatuses } from '../../src/domain/order.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { tablesOf } from '../../src/storage/tables/index.ts'

/** The tables over an empty database, which records their queries. */
const database = new Database(':memory:')
migrate(database, ':memory:', 0)
const queries: { sql: string; params: unknown[] }[] = []
const tables = tablesOf(
  drizzle(database, {
    casing: 'snake_case',
    logger: { logQuery: (sql, params) => void queries.push({ sql, params }) },
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

/** The query plans of a list. */
async function plansOf(list: () => Promise<unknown>): Promise<Plan> {
  queries.length = 0
  await list()
  return queries.flatMap(({ sql, params }) => planOf(sql, params))
}

const isSlow = (step: string): boolean => !step.startsWith('SEARCH ') || !/ USING (\w+ )*INDEX /.test(step)

const merchantId = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const after = { at: 5, id: merchantId }
const starts = [null, after, { ...after, at: 50 }]

/** Every combination of the fields of a filter. */
function choices(fields: Record<string, unknown>): Record<string, unknown>[] {
  let found: Record<string, unknown>[] = [{}]
  for (const [name, value] of Object.entries(fields)) {
    found = found.flatMap(one => [one, { ...one, [name]: value }])
  }
  return found
}

const describeFilter = (filter: object, start: typeof after | null): string =>
  [...Object.keys(filter), ...(start ? [`a page token of ${start.at}`] : [])].join(', ') || 'nothing'

interface Listed {
  fields: Record<string, unknown>
  list(filter: object, start: typeof after | null): Promise<unknown>
  /** the index for a combination of fields */
  index(filter: Record<string, unknown>): string
}

const lists: Record<string, Listed> = {
  orders: {
    fields: { status: orderStatuses[0], externalId: 'a', createdFrom: 1, createdTo: 9 },
    list: (filter, start) => tables.orders.list({ merchantId, ...filter }, 21, start),
    index: ({ status, externalId }) =>
      externalId ? 'orders_by_external_id' : status ? 'orders_by_status' : 'orders_of_merchant',
  },
  transactions: {
    fields: { status: 'PAID', orderId: merchantId },
    list: (filter, start) => tables.transactions.list({ merchantId, ...filter }, 21, start),
    index: ({ status, orderId }) =>
      orderId
        ? 'sqlite_autoindex_transactions_2'
        : status
          ? 'transactions_by_status'
          : 'transactions_of_merchant',
  },
  events: {
    fields: { type: 'order.paid', status: 'failed' },
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
    fields: {},
    list: (_, start) => tables.products.list(merchantId, 21, start),
    index: () => 'products_of_merchant',
  },
  refunds: {
    fields: {},
    list: (_, start) => tables.refunds.list(merchantId, 21, start),
    index: () => 'refunds_of_order',
  },
}

const rows = Object.entries(lists).flatMap(([name, { fields, list, index }]) =>
  choices(fields).flatMap(filter =>
    starts.map(
      start => [name, describeFilter(filter, start), () => list(filter, start), index(filter)] as const,
    ),
  ),
)

test.each([
  ['reads a whole table', 'SELECT * FROM orders'],
  ['reads a whole index', 'SELECT id FROM orders ORDER BY merchant_id, created_at DESC'],
  ['sorts', "SELECT * FROM orders WHERE merchant_id = 'a' ORDER BY updated_at DESC"],
])('a query that %s is recognized as slow', (_, sql) => {
  expect(planOf(sql, []).some(isSlow)).toBe(true)
})

test('listing parked events reads one index', async () => {
  const types = ['order.paid', 'payment.paid'] as const
  const plan = await plansOf(() => tables.events.listParked(merchantId, [...types], 100))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH deliveries USING .*INDEX deliveries_parked /)])
})

test('looking up an address reads one index', async () => {
  const plan = await plansOf(() => tables.attempts.hasAddress('0xAb'))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH attempts USING .*INDEX attempts_by_address /)])
})

test('open payments and the unpaid addresses of an account are counted in an index', async () => {
  expect(await plansOf(() => tables.attempts.countWaiting(merchantId, 1, 9))).toContainEqual(
    expect.stringMatching(/^SEARCH attempts USING .*INDEX waiting_attempts /),
  )
  const indexed = expect.stringMatching(
    /^SEARCH source_addresses USING INDEX .*\(source_id=\? AND position>\?\)/,
  )
  expect(await plansOf(() => tables.sources.countGiven(merchantId, 1))).toEqual([indexed])
  const plan = await plansOf(() => tables.sources.lastPaid(merchantId))
  expect(plan).toHaveLength(2)
  expect(plan[0]).toMatch(/^SEARCH source_addresses USING INDEX .*\(source_id=\?\)/)
  expect(plan[1]).toMatch(/^SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 /)
})

test('the audit log of a merchant reads one index in order', async () => {
  const plan = await plansOf(() => tables.audit.list(merchantId, 20))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH audit_log USING INDEX audit_of_merchant /)])
})

test.each(rows)('a list of %s filtered by %s reads one index in order', async (_, __, list, index) => {
  const plan = await plansOf(list)
  expect(plan.filter(isSlow)).toEqual([])
  expect(plan[0]).toContain(` INDEX ${index} `)
})
