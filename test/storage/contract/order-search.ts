import { describe, expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/domain/audit.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { OrderSearch } from '../../../src/storage/port.ts'
import { saying } from '../../support/notifications.ts'
import {
  givenAttempt,
  givenCustomer,
  givenOrder,
  incomingRow,
  newId,
  newSession,
  type Open,
  opening,
  transactionRow,
} from './given.ts'

export function orderSearchContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  describe('a search for orders', () => {
    test('has the orders that match every criterion, newest first, up to the limit', async () => {
      const ann = await givenCustomer(engine)
      const { merchantId } = ann
      const create = (change: Partial<Order>) => givenOrder(engine, change, ann)
      const rows = [
        await create({ createdAt: 1 }),
        await create({ createdAt: 2, externalId: 'A', status: 'EXPIRED' }),
        await create({ createdAt: 2, externalId: 'A' }),
        await create({ createdAt: 3 }),
      ]
      const attempt = await givenAttempt(engine, { address: `0xAb${newId()}` }, rows[1])
      await givenAttempt(engine, { address: `0xCd${newId()}` }, rows[3])
      const tx = (name: string) => `${name}${newId()}`
      const [txId, txIn, txOut, swept] = [tx('0xee'), tx('in'), tx('out'), tx('swept')]
      await write(tables => tables.incomingPayments.insert(incomingRow(attempt, { txId, txIn, txOut })))
      await write(tables => tables.transactions.insert(transactionRow(attempt, { txOut: swept })))
      const stranger = await givenOrder(engine, { externalId: 'A' })

      const find = async (search: Omit<OrderSearch, 'merchantId'>, limit = 9, owner = merchantId) => {
        const found = await read(tables => tables.orders.search({ merchantId: owner, ...search }, limit))
        return found.map(({ order, session }) => {
          expect(session).toEqual(newSession)
          return rows.findIndex(({ id }) => id === order.id)
        })
      }
      expect(await find({})).toEqual([3, 2, 1, 0])
      expect(await find({}, 2)).toEqual([3, 2])
      expect(await find({ externalId: 'A' })).toEqual([2, 1])
      expect(await find({ externalId: 'A', status: 'EXPIRED' })).toEqual([1])
      expect(await find({ email: ann.email.toUpperCase() })).toEqual([3, 2, 1, 0])
      expect(await find({ email: ann.email, externalId: 'A' }, 1)).toEqual([2])
      expect(await find({ address: attempt.address?.toUpperCase() })).toEqual([1])
      for (const one of [txId, txIn, txOut, swept, txId.toUpperCase()]) {
        expect([one, await find({ tx: one })]).toEqual([one, [1]])
        expect(await find({ tx: one }, 9, stranger.merchantId)).toEqual([])
      }
      expect(await find({ tx: txId, address: attempt.address ?? '', email: ann.email })).toEqual([1])
      expect(await find({ tx: txId, status: 'PAID' })).toEqual([])
      expect(await find({ tx: 'nothing' })).toEqual([])
      expect(await find({ email: stranger.customerEmail })).toEqual([])
    })
  })

  describe('the rows of one order', () => {
    test('are its events, newest first, up to the limit', async () => {
      const order = await givenOrder(engine)
      const insert = async ({ id, merchantId }: Order, createdAt: number) => {
        const eventId = newId()
        const event = {
          id: eventId,
          merchantId,
          orderId: id,
          type: 'payment.paid',
          body: '{}',
          createdAt,
        } as const
        const delivery = { eventId, merchantId, status: 'pending', nextAttemptAt: null, tries: [] } as const
        await write(tables =>
          tables.events.insert(event, {
            ...delivery,
            tries: [],
            firstTriedAt: null,
            createdAt,
            updatedAt: createdAt,
          }),
        )
        return eventId
      }
      const [late, early] = [await insert(order, 5), await insert(order, 1)]
      await insert(await givenOrder(engine), 3)
      const list = async (limit: number) =>
        (await read(tables => tables.events.listOfOrder(order.id, limit))).map(({ event }) => event.id)
      expect(await list(9)).toEqual([late, early])
      expect(await list(1)).toEqual([late])
    })

    test('are its notifications and the entries of the audit log about it, newest first', async () => {
      const { id, merchantId } = await givenOrder(engine)
      const other = await givenOrder(engine)
      const note = (orderId: string | null, createdAt: number) => ({
        id: newId(),
        merchantId,
        kind: 'payment_over' as const,
        orderId,
        facts: saying('text'),
        createdAt,
      })
      const notes = [note(id, 1), note(id, 2)]
      const entry = (subject: string, at: number): AuditEntry => ({
        id: newId(),
        merchantId,
        at,
        actor: 'cli',
        action: 'order.forced',
        subject,
        before: null,
        after: {},
        requestId: null,
        client: null,
      })
      const entries = [entry(`order:${id}`, 1), entry(`order:${id}`, 2)]
      await write(async tables => {
        for (const one of [...notes, note(null, 3)]) await tables.notifications.insert(one)
        for (const one of [...entries, entry(`order:${other.id}`, 3)]) await tables.audit.insert(one)
      })
      const shown = notes.map(one => ({ ...one, sentTo: [] })).toReversed()
      expect(await read(tables => tables.notifications.listOfOrder(id, 9))).toEqual(shown)
      expect(await read(tables => tables.notifications.listOfOrder(id, 1))).toEqual(shown.slice(0, 1))
      expect(await read(tables => tables.audit.listOfSubject(`order:${id}`, 9))).toEqual(entries.toReversed())
      expect(await read(tables => tables.audit.listOfSubject(`order:${id}`, 1))).toEqual([entries[1]!])
    })

    test('are the unmatched payments of its attempts, oldest first', async () => {
      const ofOrder = { orderStatus: 'UNPAID', externalId: null } as const
      const attempt = await givenAttempt(engine, { decimals: 6 })
      const insert = async (createdAt: number, of = attempt) => {
        const incoming = incomingRow(of)
        const payment = {
          id: newId(),
          merchantId: of.merchantId,
          orderId: of.orderId,
          attemptId: of.id,
          incomingPaymentId: incoming.id,
          reason: 'underpaid' as const,
          value: null,
          shortfall: null,
          note: null,
          decidedBy: null,
          status: 'open' as const,
          createdAt,
          updatedAt: createdAt,
        }
        await write(async tables => {
          await tables.incomingPayments.insert(incoming)
          await tables.unmatched.insert(payment)
        })
        const asked = { assetId: attempt.assetId, decimals: 6 }
        return { payment, incoming, asked, refundAddress: null, currency: 'USD', ...ofOrder }
      }
      const [late, early] = [await insert(5), await insert(1)]
      await insert(3, await givenAttempt(engine))
      expect(await read(tables => tables.unmatched.listOfAttempt(attempt.id))).toEqual([early, late])
    })
  })
}
