import { describe, expect, test } from 'bun:test'
import type { OwnAttempt } from '../../../src/domain/attempt.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { Delivery } from '../../../src/domain/webhook.ts'
import { saying } from '../../support/notifications.ts'
import {
  attemptRow,
  givenCustomer,
  incomingRow,
  newId,
  newSession,
  type Open,
  opening,
  orderRow,
  pageRow,
} from './given.ts'

export function retentionContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine

  async function givenExpired(change: Partial<Order> = {}) {
    const customer = await givenCustomer(engine)
    const order = orderRow(customer, { source: 'web', status: 'EXPIRED', ...change })
    await write(tables => tables.orders.insert(order, { ...newSession, status: 'EXPIRED' }))
    return { customer, order }
  }

  async function givenAttempt(order: Order, change: Partial<OwnAttempt> = {}) {
    const attempt = attemptRow(order, { state: 'expired', watchUntil: 10, ...change })
    await write(tables => tables.attempts.insert(attempt))
    return attempt
  }

  async function givenEvent(order: Order, status: Delivery['status'] = 'delivered') {
    const { id: orderId, merchantId } = order
    const event = {
      id: newId(),
      merchantId,
      orderId,
      type: 'payment.created',
      body: '{}',
      createdAt: 1,
    } as const
    const tried = { at: 5, httpStatus: 200, outcome: 'delivered', durationMs: 3 } as const
    const delivery = {
      eventId: event.id,
      merchantId,
      status,
      nextAttemptAt: null,
      tries: [tried],
      firstTriedAt: 5,
      createdAt: 1,
      updatedAt: 5,
    }
    await write(tables => tables.events.insert(event, delivery))
    return event
  }

  const remove = (order: Order, before = 100) =>
    write(tables => tables.retention.deleteAbandoned([order.id, newId()], before))

  describe('retention', () => {
    test('replaces its stored progress by the new one', async () => {
      const { noteProgress, progress } = {
        noteProgress: (ranAt: number, reachedAt: number) =>
          write(tables => tables.retention.noteProgress({ ranAt, reachedAt })),
        progress: () => read(tables => tables.retention.progress()),
      }
      expect(await progress()).toBeNull()
      await noteProgress(2, 1)
      await noteProgress(4, 3)
      expect(await progress()).toMatchObject({ ranAt: 4, reachedAt: 3 })
    })

    test('deletes old idempotency keys of one operation, some at a time', async () => {
      const { merchantId } = (await givenExpired()).order
      const other = (await givenExpired()).order.merchantId
      const key = { requestHash: 'hash', resourceId: 'id' }
      await write(async tables => {
        for (const [at, owner] of [merchantId, other, merchantId].entries()) {
          const row = { ...key, merchantId: owner, key: `key ${at}`, createdAt: 5 }
          await tables.idempotency.insert({ ...row, operation: 'create_order' })
          await tables.idempotency.insert({ ...row, operation: 'refund' })
        }
        await tables.idempotency.insert({
          ...key,
          merchantId,
          key: 'new',
          createdAt: 6,
          operation: 'create_order',
        })
      })
      const forget = (before: number) =>
        write(tables => tables.retention.forgetIdempotencyKeys('create_order', before, 2))
      expect([await forget(5), await forget(6), await forget(6), await forget(6)]).toEqual([0, 2, 1, 0])
      const find = (operation: string, name: string) =>
        read(tables => tables.idempotency.find(merchantId, operation, name))
      expect(await find('create_order', 'key 0')).toBeNull()
      expect(await find('create_order', 'new')).not.toBeNull()
      expect(await find('refund', 'key 0')).not.toBeNull()
    })

    test('deletes the tries of delivered events, but not the events', async () => {
      const { order } = await givenExpired()
      const delivered = await givenEvent(order)
      const failed = await givenEvent(order, 'failed')
      const forget = (before: number) => write(tables => tables.retention.forgetTries(before, 1))
      expect([await forget(5), await forget(6), await forget(6)]).toEqual([0, 1, 0])
      const find = (id: string) => read(tables => tables.events.find(id))
      expect((await find(delivered.id))?.delivery).toMatchObject({
        status: 'delivered',
        tries: [],
        updatedAt: 5,
      })
      expect((await find(failed.id))?.delivery.tries).toHaveLength(1)
    })

    test('deletes the tries of further webhooks some at a time, also if the first webhook has none', async () => {
      const { order } = await givenExpired()
      const event = await givenEvent(order, 'failed')
      const { merchantId, type } = event
      const tries = [{ at: 5, httpStatus: 200, outcome: 'delivered', durationMs: 3 } as const]
      const row = { eventId: event.id, merchantId, type, nextAttemptAt: null, tries, firstTriedAt: 5 }
      const ids = [newId(), newId(), newId()]
      await write(async ({ furtherDeliveries }) => {
        for (const [at, id] of ids.entries()) {
          const status = at === 0 ? 'failed' : 'delivered'
          const given = { ...row, id, webhookId: newId(), status, createdAt: 1, updatedAt: 5 } as const
          await furtherDeliveries.insert(given)
        }
      })
      const forget = (before: number) => write(tables => tables.retention.forgetTries(before, 1))
      expect([await forget(5), await forget(6), await forget(6), await forget(6)]).toEqual([0, 1, 1, 0])
      const found = await read(tables => Promise.all(ids.map(id => tables.furtherDeliveries.find(id))))
      expect(found.map(one => one?.delivery.tries.length)).toEqual([1, 0, 0])
    })

    test('lists expired orders of the public form in pages, the oldest first', async () => {
      const ids: string[] = []
      for (const expiresAt of [3, 1, 3, 2]) ids.push((await givenExpired({ expiresAt })).order.id)
      await givenExpired({ expiresAt: 4 })
      await givenExpired({ expiresAt: 1, source: 'api' })
      await givenExpired({ expiresAt: 1, status: 'UNPAID' })
      const list = (after: { at: number; id: string } | null) =>
        read(tables => tables.retention.listExpiredWebOrders(4, 3, after))
      const first = await list(null)
      expect(first.map(({ id }) => id)).toEqual([ids[1]!, ids[3]!, ids[0]!])
      expect(await list(first[2]!)).toEqual([{ at: 3, id: ids[2]! }])
    })

    test('deletes an abandoned order with all its rows', async () => {
      const { order, customer } = await givenExpired()
      const attempt = await givenAttempt(order)
      const event = await givenEvent(order)
      const notification = { id: newId(), merchantId: order.merchantId, orderId: order.id, createdAt: 1 }
      await write(tables =>
        tables.notifications.insert({ ...notification, kind: 'payment_short', facts: saying('a') }),
      )
      const mail = { id: newId(), orderId: order.id, kind: 'link', mailbox: customer.email } as const
      await write(tables =>
        tables.buyerMails.insertIfNew({
          ...mail,
          language: 'en',
          status: 'sent',
          failures: 0,
          createdAt: 1,
        }),
      )
      const about = { id: newId(), orderId: order.id, kind: 'vanished', mailboxHash: 'a' } as const
      const sent = { language: 'en', status: 'sent', failures: 0, news: 1, dueAt: 1 } as const
      await write(tables => tables.paymentMails.insert({ ...about, ...sent }))
      const { merchantId, currency, createdAt } = order
      expect(await remove(order)).toEqual([{ merchantId, currency, createdAt }])
      expect(await remove(order)).toEqual([])
      await read(async tables => {
        expect(await tables.orders.find(order.id)).toBeNull()
        expect(await tables.attempts.find(attempt.id)).toBeNull()
        expect(await tables.events.find(event.id)).toBeNull()
        expect(await tables.notifications.list(order.merchantId, 9)).toEqual([])
        expect(await tables.buyerMails.listOf(order.id)).toEqual([])
        expect(await tables.paymentMails.listOf(order.id)).toEqual([])
        expect(await tables.customers.findByEmail(order.merchantId, customer.email)).toBeNull()
      })
    })

    test('keeps a customer who has another order or is blocked', async () => {
      const { order, customer } = await givenExpired()
      await write(tables => tables.orders.insert(orderRow(customer), newSession))
      const other = await givenExpired()
      await write(tables => tables.customers.setBlocked(other.customer.id, 1))
      expect([...(await remove(order)), ...(await remove(other.order))]).toHaveLength(2)
      for (const { merchantId, email } of [customer, other.customer]) {
        expect(await read(tables => tables.customers.findByEmail(merchantId, email))).not.toBeNull()
      }
    })

    type Given = (order: Order) => Promise<unknown>
    const reasons: [why: string, given: Given, change: Partial<Order>][] = [
      ['came from the API', async () => {}, { source: 'api' }],
      ['can still be paid', async () => {}, { status: 'UNPAID' }],
      ['has an event that is not delivered', order => givenEvent(order, 'failed'), {}],
      [
        'has an attempt at a provider',
        order =>
          write(tables => tables.attempts.insert(pageRow(order, { state: 'expired', watchUntil: 10 }))),
        {},
      ],
      ['is watched', order => givenAttempt(order, { watchUntil: 100 }), {}],
      [
        'has an attempt that is still to be checked',
        async order => {
          const { id } = await givenAttempt(order)
          const job = { kind: 'attempt.check', subject: id, lane: 'bitcoin', dueAt: 1 } as const
          await write(tables => tables.jobs.schedule(job))
        },
        {},
      ],
      [
        'has a note',
        async ({ id: orderId, merchantId }) => {
          const note = {
            id: newId(),
            merchantId,
            orderId,
            actor: 'user:ann',
            text: 'a',
            createdAt: 1,
          } as const
          await write(tables => tables.orderNotes.insert(note))
        },
        {},
      ],
      [
        'has a payment',
        async order => {
          const attempt = await givenAttempt(order)
          await write(tables => tables.incomingPayments.insert(incomingRow(attempt)))
        },
        {},
      ],
    ]
    test.each(reasons)('keeps an order that %s', async (_, given, change) => {
      const { order } = await givenExpired(change)
      await given(order)
      expect(await remove(order)).toEqual([])
      expect(await read(tables => tables.orders.find(order.id))).not.toBeNull()
    })
  })
}
