import { describe, expect, test } from 'bun:test'
import { tablesOfBuyers } from '../../../src/storage/port.ts'
import { said, saying } from '../../support/notifications.ts'
import {
  attemptRow,
  givenCustomer,
  givenOrder,
  incomingRow,
  newId,
  newSession,
  type Open,
  opening,
  orderRow,
} from './given.ts'

const NEW = 'erased-1@erased.invalid'
const erase = (text: string): string => text.replace(/sam@buyer[.]example/gi, NEW)

export function personalDataContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine
  const mentions = (table: (typeof tablesOfBuyers)[number], merchantId: string, limit = 9, after = '') =>
    read(tables =>
      tables.personalData.listMentions(table, merchantId, ['sam@buyer.example', 'sam%40buyer'], limit, after),
    )

  describe('personal data', () => {
    test('of the orders of a customer is replaced, some orders at a time', async () => {
      const customer = await givenCustomer(engine)
      const other = await givenOrder(engine)
      for (let i = 0; i < 3; i++) {
        const order = orderRow(customer)
        await write(tables => tables.orders.insert(order, newSession))
      }
      const eraseSome = () => write(tables => tables.personalData.eraseOrders(customer.id, NEW, 2))
      expect([await eraseSome(), await eraseSome(), await eraseSome()]).toEqual([2, 1, 0])
      const { merchantId } = customer
      const found = await read(tables => tables.orders.list({ merchantId }, 9, null))
      expect(found.map(({ order }) => [order.customerEmail, order.customerFullName, order.amount])).toEqual(
        Array.from({ length: 3 }, () => [NEW, '', '25.00']),
      )
      const unchanged = await read(tables => tables.orders.find(other.id))
      expect(unchanged?.order.customerEmail).not.toBe(NEW)
    })

    test('includes refund addresses, and the notifications that repeat them', async () => {
      const customer = await givenCustomer(engine)
      const order = orderRow(customer)
      const attempt = attemptRow(order, { refundAddress: '0xRefund' })
      const { merchantId } = order
      const notification = { id: newId(), merchantId, kind: 'unmatched_payment', orderId: order.id } as const
      await write(async tables => {
        await tables.orders.insert(order, newSession)
        await tables.attempts.insert(attempt)
        await tables.notifications.insert({
          ...notification,
          facts: saying('Refund to 0xRefund.'),
          createdAt: 1,
        })
      })
      await write(tables => tables.personalData.eraseOrders(customer.id, NEW, 2))
      expect((await read(tables => tables.attempts.find(attempt.id)))?.refundAddress).toBeNull()
      const texts = await read(tables => tables.notifications.list(merchantId, 9))
      expect(texts.map(said)).toEqual(['Refund to erased.'])
    })

    test('of a customer is replaced by numbers that are used once', async () => {
      const customer = await givenCustomer(engine)
      const { merchantId } = customer
      const number = () => read(tables => tables.personalData.nextNumber(merchantId))
      expect(await number()).toBe(1)
      await write(tables => tables.customers.setBlocked(customer.id, 5))
      await write(tables => tables.personalData.eraseCustomer(customer.id, 'erased-12@erased.invalid'))
      expect(await read(tables => tables.customers.findByEmail(merchantId, customer.email))).toBeNull()
      expect(
        await read(tables => tables.customers.findByEmail(merchantId, 'erased-12@erased.invalid')),
      ).toMatchObject({ id: customer.id, blockedAt: null })
      expect(await number()).toBe(13)
    })

    test('in texts and JSON is found in pages and replaced', async () => {
      const customer = await givenCustomer(engine)
      const orders = [
        orderRow(customer, { description: 'For SAM@Buyer.example' }),
        orderRow(customer, { metadata: { a: [{ 'sam@buyer.example': 'x' }] } }),
        orderRow(customer, { returnUrl: 'https://a.example/?e=sam%40buyer.example' }),
        orderRow(customer, { description: 'sam at buyer.example' }),
      ].sort((a, b) => (a.id < b.id ? -1 : 1))
      for (const order of orders) await write(tables => tables.orders.insert(order, newSession))
      const { merchantId } = customer
      const ids = orders.slice(0, 3).map(({ id }) => id)
      expect(await mentions('orders', merchantId)).toEqual(ids)
      expect(await mentions('orders', merchantId, 1)).toEqual(ids.slice(0, 1))
      expect(await mentions('orders', merchantId, 9, ids[0])).toEqual(ids.slice(1))
      expect(await mentions('orders', newId())).toEqual([])
      const rewrite = (id: string) => write(tables => tables.personalData.rewrite('orders', id, erase))
      expect([await rewrite(ids[0]!), await rewrite(ids[1]!), await rewrite(ids[1]!)]).toEqual([
        true,
        true,
        false,
      ])
      expect(await rewrite(newId())).toBe(false)
      const found = await read(tables => tables.orders.find(orders[1]!.id))
      expect(found?.order.metadata).toEqual({ a: [{ [NEW]: 'x' }] })
    })

    test('can be searched in every table', async () => {
      const { merchantId } = await givenOrder(engine)
      for (const table of tablesOfBuyers)
        expect([table, await mentions(table, merchantId)]).toEqual([table, []])
    })

    test('in rows that otherwise never change is replaced, and the rest of them stays', async () => {
      const order = await givenOrder(engine)
      const { id: orderId, merchantId } = order
      const body = JSON.stringify({ customerEmail: 'sam@buyer.example', amount: '25.00' })
      const event = { id: newId(), merchantId, orderId, type: 'payment.created', body, createdAt: 1 } as const
      const delivery = {
        eventId: event.id,
        merchantId,
        status: 'pending',
        nextAttemptAt: null,
        tries: [],
        firstTriedAt: null,
        createdAt: 1,
        updatedAt: 1,
      } as const
      await write(tables => tables.events.insert(event, { ...delivery, tries: [] }))
      const rewrite = (change: (text: string) => string) =>
        write(tables => tables.personalData.rewrite('events', event.id, change))
      await expect(rewrite(text => text.replace('25.00', '1.00'))).rejects.toThrow()
      expect(await rewrite(erase)).toBe(true)
      const found = await read(tables => tables.events.find(event.id))
      expect(JSON.parse(found!.event.body)).toEqual({ customerEmail: NEW, amount: '25.00' })
    })

    test('in evidence is replaced, and amounts stay', async () => {
      const order = await givenOrder(engine)
      const attempt = attemptRow(order)
      const incoming = incomingRow(attempt, { evidence: { raw: 'email=sam@buyer.example&value=25' } })
      await write(async tables => {
        await tables.attempts.insert(attempt)
        await tables.incomingPayments.insert(incoming)
      })
      expect(await mentions('incomingPayments', order.merchantId)).toEqual([incoming.id])
      await write(tables => tables.personalData.rewrite('incomingPayments', incoming.id, erase))
      const [found] = await read(tables => tables.incomingPayments.listOf(attempt.id))
      expect(found).toEqual({ ...incoming, evidence: { raw: `email=${NEW}&value=25` } })
    })

    test('compacting keeps every row', async () => {
      const order = await givenOrder(engine)
      expect(await engine.storage.compact()).toBe(true)
      expect((await read(tables => tables.orders.find(order.id)))?.order).toEqual(order)
    })
  })
}
