// Measures the first page and a deep page of each list in a database of a million orders.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageStart } from '../../src/domain/page.ts'
import { browseOrders, type OrderSelection } from '../../src/operations/orders/browse.ts'
import type { Tables } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { fill, MERCHANT, NOBODY } from './lists-fill.ts'

const ORDERS = Number(process.argv[2] ?? 1_000_000)
const PAGE = 21
const ROUNDS = 50
const PERSON_PAGE = 25
const PERSON_ROUNDS = 8

const folder = mkdtempSync(join(tmpdir(), 'florin-lists-'))
const file = join(folder, 'florin.sqlite')
const say = (line: string) => process.stdout.write(`${line}\n`)
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

/** Searches and filters that people use in the dashboard. */
const selections: Record<string, OrderSelection> = {
  nothing: {},
  'two statuses': { statuses: ['FAILED', 'PAID'] },
  'a rare status and a method': { statuses: ['FAILED'], method: 'crypto' },
  'a frequent status and a coin': { statuses: ['EXPIRED'], asset: 'bitcoin' },
  'a coin and a method (none)': { asset: 'bitcoin', method: 'moonpay' },
  'a rare coin': { asset: 'zcash' },
  'a rare coin and refunds': { asset: 'zcash', isRefunded: true },
  'refunds and a status (none)': { isRefunded: true, statuses: ['EXPIRED'] },
  overpaid: { paymentState: 'OVERPAID' },
  'payment seen': { paymentState: 'CONFIRMING' },
  'overpaid, with a rare coin': { paymentState: 'OVERPAID', asset: 'zcash' },
  'overpaid, and a status (none)': { paymentState: 'OVERPAID', statuses: ['EXPIRED'] },
  'no refunds': { isRefunded: false },
  'a currency': { currency: 'CHF' },
  'large amounts': { currency: 'USD', amountFrom: '1000.00' },
  'amounts and a status': { currency: 'USD', amountFrom: '100.00', statuses: ['PAID'] },
  'a customer': { customerId: 'customer-77' },
  'buyers without an address, and a status': { customerId: NOBODY, statuses: ['CANCELLED'] },
  'buyers without an address, no refunds, and an amount (none)': {
    customerId: NOBODY,
    isRefunded: false,
    currency: 'USD',
    amountFrom: '150.00',
    amountTo: '150.00',
  },
  'a period, a status, a method and amounts': {
    createdFrom: 1_000_000,
    createdTo: 200_000_000,
    statuses: ['PAID'],
    method: 'crypto',
    currency: 'USD',
    amountFrom: '100.00',
  },
  'search: order number': { text: 'CART:50000' },
  'search: beginning of many order numbers': { text: 'cart:5' },
  'search: email address': { text: 'BUYER777@example.com' },
  'search: beginning of an email address': { text: 'buyer77' },
  'search: first name of many': { text: 'sam' },
  'search: last name': { text: 'surname12' },
  'search: name, and a rare status': { text: 'sam', statuses: ['FAILED'] },
  'search: transaction': { text: '0x9e3779b1' },
  'search: nothing has it': { text: '0123456789abcdef' },
}

const began = performance.now()
await fill(file, ORDERS)
const megabytes = Math.round(Bun.file(file).size / 2 ** 20)
say(`${ORDERS} orders in ${megabytes} MiB, filled in ${Math.round((performance.now() - began) / 1000)} s`)
const storage = openStorage(file, 0)

interface Measured {
  fastest: number
  median: number
  rows: number
}

/** The fastest and the median of many runs, after a warm-up run. */
async function measure(rounds: number, run: () => Promise<unknown[]>): Promise<Measured> {
  const times: number[] = []
  let rows = 0
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now()
    rows = (await run()).length
    times.push(performance.now() - from)
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  return { fastest: sorted[0] ?? 0, median: sorted[rounds >> 1] ?? 0, rows }
}

const shown = ({ fastest, median, rows }: Measured, note = '') =>
  `${fastest.toFixed(1).padStart(6)} ms (median ${median.toFixed(1).padStart(5)}), ${rows} rows${note}`.padEnd(
    42,
  )

const at = ORDERS / 10
const idOf = (prefix: string, digits: number) => prefix + String(at).padStart(digits, '0')
for (const [name, prefix, digits, list] of lists) {
  const deep = { at: at * 1000, id: idOf(prefix, digits) }
  const [first, last] = [null, deep].map(
    after => () => measure(ROUNDS, () => storage.read(tables => list(tables, after))),
  ) as [() => Promise<Measured>, () => Promise<Measured>]
  say(`${name.padEnd(60)} first ${shown(await first())} deep ${shown(await last())}`)
}

for (const [name, selection] of Object.entries(selections)) {
  const texts: string[] = []
  for (const turn of [null, { at: at * 1000, id: idOf('order-', 30), direction: 'older' as const }]) {
    let isPartial = false
    const measured = await measure(PERSON_ROUNDS, async () => {
      const page = await browseOrders({ storage }, MERCHANT, selection, PERSON_PAGE, turn)
      isPartial = page.isPartial
      return page.items
    })
    texts.push(shown(measured, isPartial ? ', goes on' : ''))
  }
  say(`${`dashboard: ${name}`.padEnd(60)} first ${texts.join(' deep ')}`)
}
await storage.close()
rmSync(folder, { recursive: true })
