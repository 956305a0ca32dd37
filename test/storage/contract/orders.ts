import { describe, expect, test } from 'bun:test'
import { type Order, orderStatuses } from '../../../src/domain/order.ts'
import { provisioningStatuses } from '../../../src/domain/session.ts'
import type { OrderFilter } from '../../../src/storage/port.ts'
import {
  failureOf,
  givenCustomer,
  givenOrder,
  JSON_VALUE,
  LARGE_AMOUNT,
  LATEST,
  newId,
  newSession,
  type Open,
  opening,
  orderRow,
  pagesOf,
  TEXT,
} from './given.ts'

const whole: Partial<Order> = {
  customerFullName: TEXT,
  externalId: TEXT,
  productId: newId(),
  productName: TEXT,
  productImageUrl: 'https://shop.example/ü.png',
  description: TEXT,
  amount: LARGE_AMOUNT,
  currency: 'KWD',
  methodKeys: ['stripe', TEXT],
  receivingWallet: '0xAb',
  returnUrl: `https://shop.example/?${TEXT}`,
  metadata: JSON_VALUE as Order['metadata'],
  source: 'web',
  feePercent: '89.9999',
  feeAmount: `0.${LARGE_AMOUNT}`,
  netAmount: `${LARGE_AMOUNT}.99`,
  feeCollection: 'PROVIDER_SPLIT',
  expiresAt: LATEST,
  createdAt: 0,
  updatedAt: LATEST,
  transactionRef: TEXT,
  providerAddressIn: 'a',
  providerPayoutAddress: 'b',
  providerTxIn: 'c',
  providerTxOut: 'd',
  receivedAmount: '0.000000000000000001',
  receivedCurrency: 'ethereum/usdc',
  forcedBy: TEXT,
  forceReason: TEXT,
  forcedProviderStatus: 'none',
  cancelledBy: TEXT,
  cancelReason: TEXT,
  tax: {
    country: 'GR',
    vatId: 'EL094259216',
    seller: { country: 'DE', vatId: null },
    exemption: null,
    lines: [{ category: 'S', rate: 2400, net: LARGE_AMOUNT, tax: '0.01' }],
  },
  createdBy: `user:${newId()}`,
  refundStatus: 'PARTIAL',
  refundedAmount: LARGE_AMOUNT,
  refundCount: 2147483647,
  lastRefundedAt: LATEST,
  refundedAt: 0,
}

export function ordersContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const find = (id: string) => read(tables => tables.orders.find(id))

  describe('orders', () => {
    test.each([
      ['with extreme values', whole],
      ['with few values', {}],
    ])('%s are read as they were inserted, with their session', async (_, change) => {
      const order = await givenOrder(engine, change)
      expect(await find(order.id)).toEqual({ order, session: newSession })
    })

    test('are read as they were inserted when they differ from a new one in any one field', async () => {
      for (const [name, value] of Object.entries(whole)) {
        const order = await givenOrder(engine, { [name]: value })
        expect((await find(order.id))?.order).toEqual(order)
      }
    })

    test.each(orderStatuses)('can have the status %s', async status => {
      const ends = {
        UNPAID: {},
        EXPIRED: {},
        FAILED: {},
        PAID: { paidAt: LATEST, forcedAt: LATEST },
        CANCELLED: { cancelledAt: LATEST },
      }
      const order = await givenOrder(engine, { status, ...ends[status] })
      expect((await find(order.id))?.order).toEqual(order)
    })

    test('are null if no such order exists', async () => {
      expect(await find(newId())).toBe(null)
    })

    test('need an existing merchant and customer, and have unique IDs', async () => {
      const customer = await givenCustomer(engine)
      const order = orderRow(customer)
      const insert = (row: Order) => failureOf(write(tables => tables.orders.insert(row, newSession)))
      expect(await insert({ ...order, merchantId: newId() })).toMatch(/^failed/)
      expect(await insert({ ...order, customerId: newId() })).toMatch(/^failed/)
      expect(await insert(order)).toBe('nothing failed')
      expect(await insert(order)).toMatch(/^failed/)
    })

    test('move only from the expected status', async () => {
      const order = await givenOrder(engine, whole)
      const other = await givenOrder(engine)
      const change = { status: 'CANCELLED', cancelledAt: 7, cancelledBy: 'Ann', updatedAt: 8 } as const
      const move = (from: Order['status'], id = order.id) =>
        write(tables => tables.orders.move(id, from, change))
      expect(await move('EXPIRED')).toBe(false)
      expect((await find(order.id))?.order).toEqual(order)
      expect(await move('UNPAID', newId())).toBe(false)
      expect(await move('UNPAID')).toBe(true)
      expect(await move('UNPAID')).toBe(false)
      expect((await find(order.id))?.order).toEqual({ ...order, ...change })
      expect((await find(other.id))?.order).toEqual(other)
    })

    test('never leave PAID or CANCELLED, and PAID needs a time', async () => {
      const paid = await givenOrder(engine, { status: 'PAID', paidAt: 1, forcedAt: 1 })
      const leaving = write(tables => tables.orders.move(paid.id, 'PAID', { status: 'UNPAID' }))
      expect(await failureOf(leaving)).toMatch(/^failed/)
      const open = await givenOrder(engine)
      const half = write(tables => tables.orders.move(open.id, 'UNPAID', { status: 'PAID' }))
      expect(await failureOf(half)).toMatch(/^failed/)
      expect([(await find(paid.id))?.order.status, (await find(open.id))?.order.status]).toEqual([
        'PAID',
        'UNPAID',
      ])
    })

    test('are updated only in the given fields', async () => {
      const order = await givenOrder(engine, whole)
      const other = await givenOrder(engine)
      const change = { feeCollection: 'ACCOUNTED_NOT_COLLECTED', providerTxOut: null, updatedAt: 3 } as const
      await write(tables => tables.orders.update(order.id, change))
      expect((await find(order.id))?.order).toEqual({ ...order, ...change })
      expect((await find(other.id))?.order).toEqual(other)
    })
  })

  describe('a list of orders', () => {
    /** Twelve orders with three creation times, and one order of another merchant. */
    async function given() {
      const customer = await givenCustomer(engine)
      const orders = Array.from({ length: 12 }, (_, at) =>
        orderRow(customer, {
          createdAt: 10 + Math.floor(at / 4),
          status: at % 3 === 0 ? 'EXPIRED' : 'UNPAID',
          externalId: [TEXT, '%', null, null][at % 4]!,
        }),
      )
      for (const order of orders.toSorted(() => 0.5 - Math.random())) {
        await write(tables => tables.orders.insert(order, newSession))
      }
      await givenOrder(engine, { createdAt: 11, externalId: TEXT })
      return { merchantId: customer.merchantId, newest: orders.toReversed() }
    }
    const list = (filter: OrderFilter, limit = 100) =>
      read(async tables => (await tables.orders.list(filter, limit, null)).map(({ order }) => order))

    test('has the orders of one merchant, newest first, then by ID', async () => {
      const { merchantId, newest } = await given()
      expect(await list({ merchantId })).toEqual(newest)
      expect(await list({ merchantId }, 5)).toEqual(newest.slice(0, 5))
      expect(await list({ merchantId: newId() })).toEqual([])
      const [row] = await read(tables => tables.orders.list({ merchantId }, 1, null))
      expect(row?.session).toEqual(newSession)
    })

    test('has only orders that match the filter', async () => {
      const { merchantId, newest } = await given()
      const rows: [filter: Omit<OrderFilter, 'merchantId'>, fits: (order: Order) => boolean][] = [
        [{ status: 'EXPIRED' }, order => order.status === 'EXPIRED'],
        [{ externalId: TEXT }, order => order.externalId === TEXT],
        [{ externalId: '%' }, order => order.externalId === '%'],
        [{ createdFrom: 11 }, order => order.createdAt >= 11],
        [{ createdTo: 11 }, order => order.createdAt < 11],
        [
          { createdFrom: 11, createdTo: 12, status: 'UNPAID' },
          o => o.createdAt === 11 && o.status === 'UNPAID',
        ],
        [{ status: 'PAID' }, () => false],
      ]
      for (const [filter, fits] of rows) {
        expect([filter, await list({ merchantId, ...filter })]).toEqual([filter, newest.filter(fits)])
      }
    })

    test.each([1, 2, 3, 5])(
      'in pages of %i is complete, even if a page ends between orders of the same time',
      async size => {
        const { merchantId, newest } = await given()
        for (const filter of [{}, { status: 'UNPAID' as const }, { createdTo: 12 }]) {
          const paged = await pagesOf(
            size,
            (limit, after) => read(tables => tables.orders.list({ merchantId, ...filter }, limit, after)),
            ({ order }) => ({ at: order.createdAt, id: order.id }),
          )
          expect(paged.map(({ order }) => order)).toEqual(await list({ merchantId, ...filter }))
        }
        expect(newest.length).toBe(12)
      },
    )
  })

  describe('sessions', () => {
    test('move only from the expected status', async () => {
      const order = await givenOrder(engine)
      const move = (...[from, to]: (typeof provisioningStatuses)[number][]) =>
        write(tables => tables.sessions.move(order.id, from!, to!, LATEST))
      expect(await move('READY', 'SETTLED')).toBe(false)
      expect(await Promise.all([move('CREATED', 'READY'), move('CREATED', 'FAILED')])).toEqual([true, false])
      expect((await find(order.id))?.session).toEqual({ status: 'READY', updatedAt: LATEST })
    })

    test.each(provisioningStatuses)('can have the status %s', async status => {
      const order = orderRow(await givenCustomer(engine))
      const session = { status, updatedAt: LATEST }
      await write(tables => tables.orders.insert(order, session))
      expect((await find(order.id))?.session).toEqual(session)
    })

    test('need a known status', async () => {
      const order = orderRow(await givenCustomer(engine))
      const session = { ...newSession, status: 'OPEN' as 'READY' }
      expect(await failureOf(write(tables => tables.orders.insert(order, session)))).toMatch(/^failed/)
    })

    test('do not move with the session of another order', async () => {
      const [order, other] = [await givenOrder(engine), await givenOrder(engine)]
      expect(await write(tables => tables.sessions.move(newId(), 'CREATED', 'READY', 2))).toBe(false)
      const chosen = { chosenMethod: 'crypto', chosenAsset: 'btc' }
      expect(await write(tables => tables.sessions.move(order.id, 'CREATED', 'READY', 2, chosen))).toBe(true)
      expect((await find(other.id))?.session).toEqual(newSession)
      expect((await find(order.id))?.order).toEqual({ ...order, ...chosen })
    })
  })

  describe('idempotency keys', () => {
    test('are found by merchant, operation and key, and are unique', async () => {
      const { merchantId } = await givenCustomer(engine)
      const other = await givenCustomer(engine)
      const row = {
        merchantId,
        operation: 'refund',
        key: TEXT,
        requestHash: 'h',
        resourceId: 's',
        createdAt: LATEST,
      }
      await write(tables => tables.idempotency.insert(row))
      const find = (id: string, operation: string, key: string) =>
        read(tables => tables.idempotency.find(id, operation, key))
      expect(await find(merchantId, 'refund', TEXT)).toEqual(row)
      expect(await find(other.merchantId, 'refund', TEXT)).toBe(null)
      expect(await find(merchantId, 'create_order', TEXT)).toBe(null)
      expect(await find(merchantId, 'refund', TEXT.toUpperCase())).toBe(null)
      const again = write(tables => tables.idempotency.insert({ ...row, resourceId: 'another' }))
      expect(await failureOf(again)).toMatch(/^failed/)
      const elsewhere = { ...row, merchantId: other.merchantId }
      await write(tables => tables.idempotency.insert(elsewhere))
      expect(await find(other.merchantId, 'refund', TEXT)).toEqual(elsewhere)
    })
  })
}
