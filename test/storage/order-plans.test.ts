import { expect, test } from 'bun:test'
import { after, isSlow, merchantId, plansOf, tables } from './plans.ts'

test.each([
  ['status', { status: 'PAID' }, ['orders_by_status']],
  ['external ID', { externalId: 'a' }, ['orders_by_external_id']],
  ['email address', { email: 'a' }, ['orders_of_customer', 'sqlite_autoindex_customers_2']],
  ['address', { address: 'a' }, ['sqlite_autoindex_orders_1', 'attempts_by_address']],
  [
    'transaction',
    { tx: 'a', status: 'PAID' },
    [
      ...['incoming_payments_by_tx', 'incoming_payments_by_tx_in', 'incoming_payments_by_tx_out'],
      'transactions_by_tx_out',
    ],
  ],
] as const)('a search for orders by %s reads no whole table', async (_, search, indexes) => {
  const plan = await plansOf(() => tables.orders.search({ merchantId, ...search }, 20))
  expect(plan.filter(step => step.startsWith('SCAN '))).toEqual([])
  expect(indexes.filter(index => !plan.some(step => step.includes(` INDEX ${index} `)))).toEqual([])
})

/** True for a step of the subquery that reads an index, and for the sorting of rows with the same time. */
const isOfBrowsing = (step: string): boolean =>
  /^(CO-ROUTINE|SCAN) (counted|few|examined)$/.test(step) ||
  /^(LIST SUBQUERY \d+|SCAN json_each VIRTUAL TABLE INDEX 1:)$/.test(step) ||
  step === 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY'

const all = 'orders_of_merchant'
const few = 'sqlite_autoindex_orders_1'

test.each([
  ['nothing', {}, { [all]: 1 }],
  ['a period', { createdFrom: 1, createdTo: 9 }, { [all]: 1 }],
  ['statuses', { statuses: ['PAID', 'FAILED'], createdTo: 9 }, { orders_by_status: 2 }],
  ['method', { method: 'crypto', createdFrom: 1 }, { orders_by_method: 1 }],
  ['asset', { asset: 'btc' }, { orders_by_asset: 1 }],
  ['refunds', { isRefunded: true }, { orders_refunded: 1 }],
  ['method and status', { method: 'a', statuses: ['PAID'] }, { orders_by_method: 2, orders_by_status: 1 }],
  ['asset and method', { asset: 'btc', method: 'crypto' }, { orders_by_asset: 2, orders_by_method: 1 }],
  ['amount', { currency: 'USD', amountFrom: '1.00' }, { orders_by_amount: 2 }],
  [
    'amounts and status',
    { currency: 'USD', amountFrom: '1.00', amountTo: '2.00', statuses: ['PAID'] },
    { orders_by_amount: 1, orders_by_status: 2 },
  ],
  ['what arrived', { paymentState: 'OVERPAID', createdFrom: 4 }, { orders_by_payment_state: 1 }],
  [
    'what arrived, and a status',
    { paymentState: 'OVERPAID', statuses: ['PAID'] },
    { orders_by_payment_state: 2, orders_by_status: 1 },
  ],
  [
    'refunds and status',
    { isRefunded: true, statuses: ['PAID'] },
    { orders_refunded: 2, orders_by_status: 1 },
  ],
  ['no refunds', { isRefunded: false }, { [all]: 2 }],
  ['customer', { customerId: 'a', createdFrom: 4 }, { orders_of_customer: 2 }],
  ['IDs and status', { ids: ['a'], statuses: ['PAID'] }, { [few]: 1 }],
] as const)('browsing orders by %s reads parts of its indexes in order', async (_, query, indexes) => {
  for (const direction of ['older', 'newer'] as const) {
    for (const start of [null, { ...after, direction }]) {
      const plan = await plansOf(() => tables.orders.browse({ merchantId, ...query }, 21, start))
      const steps = plan.filter(step => !isOfBrowsing(step))
      expect(steps.filter(isSlow)).toEqual([])
      const read: Record<string, number> = {}
      for (const step of steps) {
        const [, index = ''] = / INDEX (orders_\w+|sqlite_autoindex_orders_1) /.exec(step) ?? []
        if (index !== '') read[index] = (read[index] ?? 0) + 1
      }
      expect(read).toEqual(indexes)
    }
  }
})

test('many orders are examined in one index, without reading their rows', async () => {
  const filters = { currency: 'USD', amountTo: '1.00', isRefunded: true, method: 'a', asset: 'b' }
  const query = { merchantId, statuses: ['PAID'], paymentState: 'OVERPAID', ...filters } as const
  const plan = await plansOf(() => tables.orders.browse(query, 21, null, 0))
  const read = plan.filter(step => step.includes(' INDEX orders_'))
  expect(read.filter(step => step.includes(' USING COVERING INDEX orders_of_merchant '))).toHaveLength(2)
})

test('examined orders have their payments looked up in indexes', async () => {
  const query = { merchantId, text: '0198abcd', statuses: ['PAID'] } as const
  const plan = await plansOf(() => tables.orders.browse(query, 21, null, 0))
  expect(plan.filter(step => step.startsWith('SCAN ') && !/^SCAN (orders|examined)/.test(step))).toEqual([])
  for (const index of [
    'attempts_of_order',
    'incoming_payments_of_order',
    'sqlite_autoindex_transactions_2',
  ]) {
    expect([index, plan.some(step => step.includes(` INDEX ${index} (order_id=?)`))]).toEqual([index, true])
  }
  expect(plan.some(step => step.includes(' INDEX orders_of_merchant ('))).toBe(true)
})

test('a search for orders by one text reads parts of indexes', async () => {
  const plan = await plansOf(() => tables.orders.match(merchantId, '0198abcd'))
  const isSubquery = (step: string) => /^(USE TEMP B-TREE FOR IN-OPERATOR|LIST SUBQUERY)/.test(step)
  // The newest orders are compared one by one, which is fine because their number is limited.
  const isLimited = (step: string) => /^(CO-ROUTINE|SCAN) newest$/.test(step)
  expect(plan.filter(isSlow).filter(step => !isSubquery(step) && !isLimited(step))).toEqual([])
  for (const [index, column] of [
    ['orders_by_external_id', '<expr>'],
    ['orders_by_name', '<expr>'],
    ['orders_by_second_name', '<expr>'],
    ['orders_by_last_name', '<expr>'],
    ['sqlite_autoindex_orders_1', 'id'],
    ['sqlite_autoindex_customers_2', 'email_key'],
    ['attempts_by_address', '<expr>'],
    ['incoming_payments_by_tx', 'tx_id'],
    ['incoming_payments_by_tx_in', 'tx_in'],
    ['incoming_payments_by_tx_out', 'tx_out'],
    ['transactions_by_tx_out', 'tx_out'],
  ] as const) {
    const range = `${column}>? AND ${column}<?)`
    const isRange = (step: string) => step.includes(` INDEX ${index} (`) && step.endsWith(range)
    expect([index, plan.some(isRange)]).toEqual([index, true])
  }
})

/** The indexes of orders that a list reads, and whether it sorts its rows. */
async function readBy(list: () => Promise<unknown>): Promise<string[]> {
  const plan = await plansOf(list)
  expect(plan.filter(step => /^SCAN (?!CONSTANT)/.test(step))).toEqual([])
  return plan.flatMap(step => {
    if (step === 'USE TEMP B-TREE FOR ORDER BY') return ['sorts']
    const [, index] = / INDEX (orders_\w+) /.exec(step) ?? []
    return index ?? []
  })
}

test.each([
  ['a customer', { customerId: 'a' }, ['orders_of_customer']],
  ['a customer with a status', { customerId: 'a', status: 'PAID', createdTo: 9 }, ['orders_of_customer']],
  ['a customer and a product', { customerId: 'a', productId: 'b' }, ['orders_of_customer']],
  ['a customer with an external ID', { customerId: 'a', externalId: 'b' }, ['orders_of_customer']],
  ['a product with few orders', { productId: 'a' }, ['orders_of_product', 'orders_of_product', 'sorts']],
  [
    'a product with few orders, and a status',
    { productId: 'a', status: 'PAID' },
    ['orders_of_product', 'orders_of_product', 'sorts'],
  ],
  ['a product and an external ID', { productId: 'a', externalId: 'b' }, ['orders_by_external_id']],
] as const)('the orders of %s are read without those of others', async (_, filter, indexes) => {
  for (const start of [null, after])
    expect(await readBy(() => tables.orders.list({ merchantId, ...filter }, 21, start))).toEqual([...indexes])
})

test.each([
  ['nothing', {}],
  ['status', { status: 'PAID', createdTo: 4 }],
  ['product', { productId: 'a' }],
] as const)(
  'orders that were changed, filtered by %s, are read by the time of their change',
  async (_, filter) => {
    for (const start of [null, after])
      expect(await readBy(() => tables.orders.listChanged({ merchantId, ...filter }, 5, 21, start))).toEqual([
        'orders_changed',
        'orders_changed',
        'sorts',
      ])
  },
)
