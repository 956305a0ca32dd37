import type { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { orderStatuses } from '../../src/domain/order.ts'
import { words } from '../support/words.ts'
import { after, database, isSlow, merchantId, planOf, plansOf, tables } from './plans.ts'

/** Inserts an unpaid order with its merchant and customer. All have this ID. */
function insertAbandoned(database: Database, id: string): void {
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

const starts = [null, after, { ...after, at: 50 }]

/** Every combination of the fields of a filter. */
function choices(fields: Record<string, unknown>): Record<string, unknown>[] {
  let found: Record<string, unknown>[] = [{}]
  for (const [name, value] of Object.entries(fields)) {
    found = found.flatMap(one => [one, { ...one, [name]: value }])
  }
  return found
}

/** The tables that refer to a table, and would be read completely when one of its rows is deleted. */
function referencesWithoutIndex(table: string): string[] {
  const tableNames = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
  return tableNames.flatMap(name =>
    database
      .query<{ table: string; from: string }, [string]>(
        'SELECT "table", "from" FROM pragma_foreign_key_list(?)',
      )
      .all(name)
      .filter(key => key.table === table)
      .filter(({ from }) => planOf(`SELECT 1 FROM ${name} WHERE ${from} = ?`, ['a']).some(isSlow))
      .map(({ from }) => `${name}.${from}`),
  )
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
    fields: { type: 'order.paid', status: 'failed', createdFrom: 1, createdTo: 9 },
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

test('waiting funds are read with indexes', async () => {
  const given = await plansOf(() => tables.funds.listGiven(merchantId, ['0x1']))
  const own = given.filter(step => !/json_each|^LIST SUBQUERY/.test(step))
  const payments = await plansOf(() => tables.funds.listPayments(merchantId, 9))
  expect([...payments, ...own].filter(isSlow)).toEqual([])
})

test('listing parked events reads one index', async () => {
  const types = ['order.paid', 'payment.paid'] as const
  const plan = await plansOf(() => tables.events.listParked(merchantId, [...types], 100))
  const step = expect.stringMatching(/^SEARCH deliveries USING .*INDEX deliveries_parked /)
  expect(plan).toEqual([step, step])
})

test('further webhooks and their deliveries are read by indexes', async () => {
  expect(await plansOf(() => tables.furtherWebhooks.find(merchantId))).toEqual([
    expect.stringMatching(/^SEARCH further_webhooks USING INDEX further_webhooks_of_merchant /),
  ])
  const all = await plansOf(() => tables.webhooks.listOf(merchantId))
  expect(all.filter(step => step.startsWith('S'))).toEqual([
    expect.stringMatching(/^SEARCH further_webhooks USING INDEX further_webhooks_of_merchant /),
    expect.stringMatching(/^SEARCH webhooks USING INDEX /),
  ])
  expect((await plansOf(() => tables.furtherDeliveries.countGivenUp(merchantId))).filter(isSlow)).toEqual([])
  const types = ['order.paid', 'InvoiceSettled'] as const
  const parked = await plansOf(() => tables.furtherDeliveries.listParked(merchantId, [...types], 100))
  expect(parked).toEqual([
    expect.stringMatching(/^SEARCH further_deliveries USING .*INDEX further_deliveries_parked /),
  ])
  const listed = await plansOf(() => tables.furtherDeliveries.list(merchantId, 20))
  expect(listed.filter(isSlow)).toEqual([])
})

test('payments with the given IDs are found by the primary key', async () => {
  expect(await plansOf(() => tables.attempts.findAll([merchantId]))).toContainEqual(
    expect.stringMatching(/^SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 /),
  )
})

test('looking up an address reads one index', async () => {
  const plan = await plansOf(() => tables.attempts.hasAddress('0xAb'))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH attempts USING .*INDEX attempts_by_address /)])
})

test('open payments and the unpaid addresses of an account are counted in an index', async () => {
  expect(await plansOf(() => tables.attempts.countWaiting(merchantId, 1, 9))).toContainEqual(
    expect.stringMatching(/^SEARCH attempts USING .*INDEX waiting_attempts /),
  )
  expect(await plansOf(() => tables.attempts.listWaiting(merchantId, 1, 9))).toContainEqual(
    expect.stringMatching(/^SEARCH attempts USING .*INDEX waiting_attempts /),
  )
  const indexed = expect.stringMatching(
    /^SEARCH source_addresses USING INDEX .*\(source_id=\? AND position>\?\)/,
  )
  expect(await plansOf(() => tables.sources.countGiven(merchantId, 1))).toEqual([indexed])
  const [positions, ...sort] = await plansOf(() => tables.sources.listPositions(merchantId))
  expect(positions).toMatch(/^SEARCH source_addresses USING .*INDEX .*\(source_id=\?\)/)
  expect(sort).toEqual([])
  const plan = await plansOf(() => tables.sources.lastPaid(merchantId))
  expect(plan).toHaveLength(2)
  expect(plan[0]).toMatch(/^SEARCH source_addresses USING INDEX .*\(source_id=\?\)/)
  expect(plan[1]).toMatch(/^SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 /)
})

test('the sources in which a restore skipped addresses are found with an index', async () => {
  const [step] = await plansOf(() => tables.sources.listSkipped(1))
  expect(step).toMatch(/^SEARCH address_sources USING INDEX address_sources_skipped /)
  const plan = await plansOf(() => tables.skippedPayments.findAt('a', 'btc'))
  expect(plan).toEqual([
    expect.stringMatching(/^SEARCH skipped_payments USING INDEX .*address=.* AND asset_id=/),
  ])
  const open = await plansOf(() => tables.skippedPayments.countOpen(merchantId, 9))
  expect(open).toEqual([expect.stringMatching(/INDEX skipped_payments_of_merchant /)])
})

test('requests for checks of a chain, and the state of other chains, are found with an index', async () => {
  expect(await plansOf(() => tables.elsewhere.find('a'))).toEqual([
    expect.stringMatching(/^SEARCH elsewhere USING INDEX /),
  ])
  for (const step of await plansOf(() => tables.sharedScans.take('btc', 5)))
    expect(step).toMatch(
      /^SEARCH asked_checks USING (COVERING )?INDEX |^LIST SUBQUERY|^USE TEMP B-TREE FOR ORDER BY$/,
    )
})

test('the first free address of a source is found without reading the others', async () => {
  const [step, ...more] = await plansOf(() => tables.sources.findFree(merchantId, ['a']))
  expect(step).toMatch(/^SEARCH source_addresses USING INDEX free_addresses /)
  expect(more.join()).not.toContain('TEMP B-TREE')
})

test('free addresses are listed and deleted with their index', async () => {
  const free = expect.stringMatching(/^SEARCH source_addresses USING .*INDEX free_addresses /)
  expect(await plansOf(() => tables.sources.listFree(merchantId, 5))).toEqual([free])
  expect(await plansOf(() => tables.sources.removeFree(merchantId, null))).toEqual([free])
  expect(await plansOf(() => tables.sources.removeFree(merchantId, 'a'))).toEqual([
    expect.stringMatching(/^SEARCH source_addresses USING INDEX /),
  ])
  const paid = await plansOf(() => tables.sources.countPaid(merchantId))
  expect(paid).toEqual([
    expect.stringMatching(/^SEARCH source_addresses USING INDEX .*\(source_id=\?\)/),
    expect.stringMatching(/^SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 /),
  ])
})

test.each<{ full: string[] }>([{ full: [] }, { full: ['a full lane'] }])(
  'the next job that is due is the first of an index: $full',
  async ({ full }) => {
    const plan = await plansOf(() => tables.jobs.nextDueAt(full))
    expect(plan[0]).toBe('SCAN jobs USING COVERING INDEX jobs_due')
    expect(plan.join()).not.toContain('TEMP B-TREE')
  },
)

test('the jobs that are due are counted with one index', async () => {
  const plan = await plansOf(() => tables.jobs.countDue(9))
  expect(plan[0]).toMatch(/^SEARCH jobs USING INDEX jobs_due /)
})

test.each([
  ['all', {}, 'sqlite_autoindex_customers_2'],
  ['those with a beginning', { prefix: 'a' }, 'sqlite_autoindex_customers_2'],
  ['blocked ones', { isBlocked: true }, 'customers_blocked'],
] as const)('a list of customers, %s, reads one index in order', async (_, filter, index) => {
  for (const turn of [
    null,
    { email: 'b', direction: 'next' },
    { email: 'b', direction: 'previous' },
  ] as const) {
    const plan = await plansOf(() => tables.customers.list({ merchantId, ...filter }, 20, turn))
    expect(plan).toEqual([expect.stringContaining(` USING INDEX ${index} (merchant_id=? AND email_key>?`)])
  }
  const amounts = await plansOf(() => tables.orders.listAmounts('a', 20))
  expect(amounts).toEqual([expect.stringContaining(' INDEX orders_of_customer (customer_id=?)')])
})

test('the rows of an order, or of a payment method, are read from one index in order', async () => {
  const plan = await plansOf(async () => {
    for (const table of [tables.events, tables.notifications]) await table.listOfOrder(merchantId, 20)
    await tables.audit.listOfSubject('order:a', 20)
    await tables.orderNotes.listOf(merchantId, 20)
    await tables.attempts.listPageShares({ provider: 'a', methodKey: 'b', assetId: 'c', dueAtomic: 7n }, 1, 9)
  })
  expect(plan.filter(isSlow)).toEqual([])
})

test('sums and movements of money read one index in order', async () => {
  const range = { merchantId, from: 5, to: 9 }
  const plan = await plansOf(async () => {
    await tables.statistics.listSums(merchantId, 'USD', [900_000, 90_000_000])
    await tables.statistics.listMethodSums(merchantId, 'USD', 900_000, 90_000_000)
    for (const start of [null, after]) {
      await tables.movements.listPayments(range, 20, start)
      await tables.movements.listRefunds(range, 20, start)
      await tables.movements.listUnmatched(range, 20, start)
      await tables.movements.listForced(range, 20, start)
    }
  })
  expect(plan.filter(step => isSlow(step) && !/^SEARCH \w+ USING PRIMARY KEY /.test(step))).toEqual([])
  expect(plan.join()).toContain('SEARCH statistics USING PRIMARY KEY')
  const indexes = words('transactions_of_merchant refunds_of_merchant unmatched_of_merchant orders_forced')
  for (const index of indexes) {
    expect(plan.filter(step => step.includes(` INDEX ${index} (merchant_id=?`))).toHaveLength(2)
  }
})

test('products are searched within their merchant, and their orders counted in an index', async () => {
  for (const start of [null, after]) {
    const query = { merchantId, name: 'a', active: true }
    const plan = await plansOf(() => tables.products.browse(query, 20, start))
    expect(plan).toEqual([expect.stringContaining(' INDEX products_of_merchant (merchant_id=?')])
  }
  const count = await plansOf(() => tables.products.countOrders('a', 20))
  expect(count).toEqual([expect.stringContaining(' INDEX orders_of_product (product_id=?)')])
})

test('unmatched payments read one index in order', async () => {
  for (const start of [null, after]) {
    const all = await plansOf(() => tables.unmatched.browse({ merchantId }, 20, start))
    const open = await plansOf(() => tables.unmatched.browse({ merchantId, status: 'open' }, 20, start))
    expect([...all, ...open].filter(isSlow)).toEqual([])
    expect(all.join()).toContain(' INDEX unmatched_of_merchant (merchant_id=?')
    expect(open.join()).toContain(' INDEX unmatched_by_status (merchant_id=? AND status=?')
  }
  const count = await plansOf(() => tables.unmatched.countOpen(merchantId, 20))
  expect(count).toEqual([expect.stringContaining(' INDEX unmatched_by_status (merchant_id=? AND status=?)')])
})

test('pending messages for a recipient read one index in order', async () => {
  const plan = await plansOf(() => tables.sends.listPending('url', 20))
  expect(plan.filter(isSlow)).toEqual([])
  expect(plan[0]).toContain(' INDEX pending_sends ')
})

test('the mails to a buyer are found by order, and counted by address, in an index', async () => {
  const ofOrder = await plansOf(() => tables.buyerMails.listOf('a'))
  const toAddress = await plansOf(() => tables.buyerMails.countTo('a', 'link', 1, 3))
  const ofPayments = await plansOf(() => tables.paymentMails.listOf('a'))
  const paymentsTo = await plansOf(() => tables.paymentMails.countTo('a', 1, 3))
  expect([...toAddress, ...ofPayments, ...paymentsTo].filter(isSlow)).toEqual([])
  expect(`${ofOrder} ${toAddress}`).toMatch(/ buyer_mails_of_order .* buyer_mails_of_mailbox /)
  expect(`${ofPayments} ${paymentsTo}`).toMatch(/ payment_mails_of_order .* payment_mails_of_mailbox /)
})

test('the audit log of a merchant reads one index in order', async () => {
  for (const start of [undefined, after]) {
    const plan = await plansOf(() => tables.audit.list(merchantId, 20, start, 'others'))
    expect(plan).toEqual([expect.stringMatching(/^SEARCH audit_log USING INDEX audit_of_merchant /)])
  }
})

describe('retention reads only the rows that it deletes, and those that could refer to them', () => {
  test.each([
    ['idempotency keys', () => tables.retention.forgetIdempotencyKeys('create_order', 9, 200)],
    ['tries', () => tables.retention.forgetTries(9, 200)],
    ['quotas that have ended', () => tables.quotas.removeEnded(1)],
    ['expired orders', () => tables.retention.listExpiredWebOrders(9, 200, null)],
    ['expired orders after another', () => tables.retention.listExpiredWebOrders(9, 200, after)],
  ])('%s are found with one index', async (_, list) => {
    const plan = await plansOf(list)
    expect(plan.length).toBeGreaterThan(0)
    expect(plan.filter(isSlow)).toEqual([])
  })

  test('an abandoned order is deleted with indexes only, also by the checks of its references', async () => {
    insertAbandoned(database, merchantId)
    const plan = await plansOf(() => tables.retention.deleteAbandoned([merchantId], 100))
    expect(database.query('SELECT id FROM orders').all()).toEqual([])
    expect(plan.filter(step => /^SCAN/.test(step) && !/^SCAN \w+ VIRTUAL/.test(step))).toEqual([])
    for (const table of ['orders', 'customers', 'events', 'attempts']) {
      expect([table, referencesWithoutIndex(table)]).toEqual([table, []])
    }
  })
})

test.each(rows)('a list of %s filtered by %s reads one index in order', async (_, __, list, index) => {
  const plan = await plansOf(list)
  expect(plan.filter(isSlow)).toEqual([])
  expect(plan[0]).toContain(` INDEX ${index} `)
})

test('no change of a row builds a temporary table for the values in a CHECK or trigger', () => {
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
  const names = tables.all().map(({ name }) => name)
  const insertions = names.map(name => `INSERT INTO "${name}" DEFAULT VALUES`)
  const filling = [...insertions, "UPDATE orders SET status = 'PAID' WHERE id = ''"].filter(change =>
    database
      .query<{ opcode: string }, []>(`EXPLAIN ${change}`)
      .all()
      .some(({ opcode }) => opcode === 'OpenEphemeral'),
  )
  expect(names.length).toBeGreaterThan(40)
  expect(filling).toEqual([])
})
