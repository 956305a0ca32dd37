import { describe, expect, test } from 'bun:test'
import { type Order, orderStatuses, paymentStates } from '../../../src/domain/order.ts'
import type { PageStart, PageTurn } from '../../../src/domain/page.ts'
import type { ExaminedOrders, OrderQuery } from '../../../src/storage/port.ts'
import {
  customerRow,
  type Engine,
  givenAttempt,
  givenCustomer,
  givenMerchant,
  givenOrder,
  incomingRow,
  newId,
  newSession,
  type Open,
  opening,
  orderRow,
  transactionRow,
} from './given.ts'

type Filter = Omit<OrderQuery, 'merchantId'>

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!
const amounts = ['9.00', '25.00', '100.00', '1000000000000000000.00']

/** The change of an order's row that a status needs. */
function paid(status: Order['status']): Partial<Order> {
  if (status === 'PAID') return { paidAt: 5, forcedAt: 5, forcedBy: 'a' }
  return status === 'CANCELLED' ? { cancelledAt: 5 } : {}
}

function matches(order: Order, filter: Filter): boolean {
  const { statuses, customerId, method, asset, currency, amountFrom, amountTo, isRefunded, paymentState } =
    filter
  const { createdFrom = 0, createdTo = 1e9, ids } = filter
  return (
    (statuses?.includes(order.status) ?? true) &&
    (customerId ?? order.customerId) === order.customerId &&
    (method ?? order.chosenMethod) === order.chosenMethod &&
    (asset ?? order.chosenAsset) === order.chosenAsset &&
    (currency ?? order.currency) === order.currency &&
    Number(order.amount) >= Number(amountFrom ?? 0) &&
    Number(order.amount) <= Number(amountTo ?? Infinity) &&
    (isRefunded ?? order.refundCount > 0) === order.refundCount > 0 &&
    (paymentState ?? order.paymentState) === order.paymentState &&
    order.createdAt >= createdFrom &&
    order.createdAt < createdTo &&
    (ids?.includes(order.id) ?? true)
  )
}

const edgeOf = ({ order }: { order: Order }): PageStart => ({ at: order.createdAt, id: order.id })

/** Reads all pages in one direction. Returns the IDs, newest first. */
async function walk(
  { read }: Engine,
  query: OrderQuery,
  size: number,
  direction: PageTurn['direction'],
  max?: number,
): Promise<string[]> {
  const isNewer = direction === 'newer'
  const pages: string[][] = []
  let turn: PageTurn | null = isNewer ? { at: 0, id: '', direction } : null
  while (pages.length <= 200) {
    const at: PageTurn | null = turn
    const { rows, examinedTo } = await read(tables => tables.orders.browse(query, size, at, max))
    pages.push(rows.map(({ order }) => order.id))
    const next: PageStart | null = rows.length < size ? examinedTo : edgeOf(rows.at(isNewer ? 0 : -1)!)
    if (next === null) return (isNewer ? pages.toReversed() : pages).flat()
    turn = { ...next, direction }
  }
  throw new Error('the pages do not end')
}

export function orderBrowseContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  /** Sixty orders of one merchant, with several customers and every combination of the columns. */
  async function givenOrders() {
    const merchant = await givenMerchant(engine)
    const customers = [1, 2, 3].map(() => customerRow(merchant.id))
    const rows = Array.from({ length: 60 }, (_, index) => {
      const status = pick(orderStatuses, index)
      return orderRow(pick(customers, index >> 2), {
        status,
        ...paid(status),
        createdAt: 100 + Math.floor(index / 2),
        amount: pick(amounts, index >> 1),
        currency: pick(['USD', 'EUR'], index >> 3),
        chosenMethod: pick(['crypto', 'card', null], index),
        chosenAsset: pick(['btc', 'polygon/usdc', null], index),
        paymentState: pick([null, null, ...paymentStates], index),
        ...(index % 7 === 0 && { refundCount: 1, refundStatus: 'FULL' as const }),
      })
    })
    await write(async tables => {
      for (const customer of customers) await tables.customers.insert(customer)
      for (const row of rows) await tables.orders.insert(row, newSession)
    })
    return { merchantId: merchant.id, customers, rows }
  }

  describe('browsing orders', () => {
    test('has what matches every filter, in pages of both directions, however few are examined', async () => {
      const { merchantId, customers, rows } = await givenOrders()
      await givenOrders()
      const newestFirst = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      const filters: Filter[] = [
        {},
        { statuses: ['PAID'] },
        { statuses: ['PAID', 'FAILED', 'EXPIRED'] },
        { statuses: [] },
        { customerId: customers[1]!.id },
        { method: 'crypto' },
        { asset: 'polygon/usdc', statuses: ['UNPAID', 'PAID'] },
        { isRefunded: true },
        { paymentState: 'OVERPAID' },
        { paymentState: 'PART_PAID', method: 'crypto', createdTo: 120 },
        { customerId: customers[1]!.id, paymentState: 'CONFIRMING' },
        { isRefunded: false, statuses: ['PAID'] },
        { currency: 'EUR', amountFrom: '25.00', amountTo: '1000000000000000000.00' },
        { currency: 'USD', amountTo: '9.00', statuses: ['CANCELLED', 'PAID'] },
        { currency: 'USD', amountFrom: '100.00' },
        { createdFrom: 110 },
        { createdTo: 110, statuses: ['PAID', 'UNPAID'] },
        { createdFrom: 105, createdTo: 120, method: 'card' },
        { ids: rows.slice(3, 9).map(({ id }) => id) },
        { ids: rows.slice(3, 20).map(({ id }) => id), statuses: ['PAID'], createdFrom: 104 },
      ]
      for (const filter of filters) {
        const wanted = newestFirst.filter(order => matches(order, filter)).map(({ id }) => id)
        const query = { merchantId, ...filter }
        expect([filter, wanted.length > 0]).toEqual([filter, filter.statuses?.length !== 0])
        for (const [size, max] of [
          [100, undefined],
          [4, undefined],
          [4, 10],
          [1, 3],
        ] as const) {
          for (const direction of ['older', 'newer'] as const) {
            const found = await walk(engine, query, size, direction, max)
            expect([filter, size, direction, found]).toEqual([filter, size, direction, wanted])
          }
        }
      }
    })

    test('has nothing of another merchant, whatever the filter', async () => {
      const [mine, other] = [await givenOrders(), await givenOrders()]
      const browse = async (filter: Filter) =>
        (await read(tables => tables.orders.browse({ merchantId: mine.merchantId, ...filter }, 100, null)))
          .rows
      expect(await browse({ customerId: other.customers[0]!.id })).toEqual([])
      expect(await browse({ ids: other.rows.map(({ id }) => id) })).toEqual([])
      expect(await browse({ ids: mine.rows.map(({ id }) => id) })).toHaveLength(60)
    })
  })

  describe('a search by one text', () => {
    test('finds texts that are equal to it or begin with it, in any case', async () => {
      const ann = await givenCustomer(engine)
      const { merchantId } = ann
      const first = await givenOrder(
        engine,
        {
          externalId: 'Cart-77a',
          description: '2 Espresso, Tisch 4',
          ...{ amount: '129.00', currency: 'EUR' },
          customerFullName: 'Émile Özgür',
          id: `0AB1${newId()}`.toLowerCase().slice(0, 36),
        },
        ann,
      )
      const second = await givenOrder(
        engine,
        {
          ...{ externalId: 'cart-78', customerFullName: 'Zoe van der Öst 100%' },
          ...{ productName: 'Hand Grinder', amount: '1250.50', currency: 'USD' },
        },
        ann,
      )
      const attempt = await givenAttempt(engine, { address: `bc1QAddress${newId()}` }, second)
      const tx = (name: string) => `${name}${newId().replaceAll('-', '')}`
      const [txId, txIn, txOut, swept] = [tx('0xee'), tx('aabb'), tx('5Kj'), tx('ccdd')]
      await write(tables => tables.incomingPayments.insert(incomingRow(attempt, { txId, txIn, txOut })))
      await write(tables => tables.transactions.insert(transactionRow(attempt, { txOut: swept })))
      const find = async (text: string, owner = merchantId) => {
        const { ids, isCut } = await read(tables => tables.orders.match(owner, text))
        expect(isCut).toBe(false)
        const examined = await read(tables => tables.orders.browse({ merchantId: owner, text }, 50, null))
        expect([text, examined.rows.map(({ order }) => order.id).sort()]).toEqual([text, [...ids].sort()])
        return ids.map(id => [first.id, second.id].indexOf(id)).sort()
      }
      const [one, two, both] = [[0], [1], [0, 1]]
      const rows: [string, number[]][] = [
        ['cart-77a', one],
        ['CART-7', both],
        ['art-77a', one],
        ['7a', []],
        ['rinder', two],
        ['TISCH 4', one],
        ['129.00', one],
        ['129', one],
        ['129,00 €', one],
        ['EUR 129', one],
        ['$129', one],
        ['USD 129', []],
        ['1.250,5', two],
        ['1250', []],
        [first.id, one],
        [first.id.toUpperCase().slice(0, 6), one],
        [ann.email.toUpperCase(), both],
        [ann.email.slice(0, 30), both],
        ['émile öz', one],
        ['ÉMILE', one],
        ['özg', one],
        ['ÖZGÜR', one],
        ['zgür', []],
        ['Zoe V', two],
        ['van der ÖST 1', two],
        ['100%', two],
        ['00%', []],
        ['100_', []],
        [attempt.address!.slice(3), []],
        ['van der Öst 100_', []],
        ['%', []],
        [attempt.address!.toUpperCase(), two],
        ['BC1Qaddress', two],
        [txId.toUpperCase(), two],
        [txId.slice(0, 30), two],
        [txId.slice(2), two],
        [txIn.toUpperCase(), two],
        [txOut, two],
        [swept.slice(0, 32), two],
        ['0xee', []],
        ['nothing at all', []],
      ]
      for (const [text, found] of rows) expect([text, await find(text)]).toEqual([text, found])
      const stranger = await givenMerchant(engine)
      for (const [text] of rows) expect([text, await find(text, stranger.id)]).toEqual([text, []])
    })

    test('reports if it found more than it looked up', async () => {
      const ann = await givenCustomer(engine)
      await write(async tables => {
        for (let index = 0; index < 501; index++) {
          await tables.orders.insert(orderRow(ann, { externalId: `many-${index}` }), newSession)
        }
      })
      const all = await read(tables => tables.orders.match(ann.merchantId, 'MANY'))
      expect([all.ids.length, all.isCut]).toEqual([500, true])
      const some = await read(tables => tables.orders.match(ann.merchantId, 'many-12'))
      expect([some.ids.length, some.isCut]).toEqual([11, false])
      const ofEmail = await read(tables => tables.orders.match(ann.merchantId, ann.email))
      expect([ofEmail.ids.length, ofEmail.isCut]).toEqual([500, true])
      // Read page by page, all of them are found.
      const query = { merchantId: ann.merchantId, text: 'MANY', statuses: ['UNPAID'] } as const
      const found: string[] = []
      for (let turn: PageTurn | null = null; ; ) {
        const from: PageTurn | null = turn
        const page: ExaminedOrders = await read(tables => tables.orders.browse(query, 100, from, 40))
        expect(page.rows.length).toBeLessThanOrEqual(40)
        found.push(...page.rows.map(({ order }) => order.externalId!))
        if (page.examinedTo === null) break
        turn = { ...page.examinedTo, direction: 'older' }
      }
      expect(new Set(found).size).toBe(501)
      expect(found).toHaveLength(501)
    })
  })
}
