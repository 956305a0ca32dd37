import { describe, expect, test } from 'bun:test'
import { type Delivery, deliveryStatuses, type Event, eventTypes } from '../../../src/domain/webhook.ts'
import type { EventFilter } from '../../../src/storage/port.ts'
import { failureOf, givenOrder, LATEST, newId, type Open, opening, pagesOf, TEXT } from './given.ts'

export function eventsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const find = (id: string) => read(tables => tables.events.find(id))

  function row(order: { id: string; merchantId: string }, change: Partial<Event & Delivery> = {}) {
    const { type = 'payment.created', body = '{}', createdAt = 1, ...rest } = change
    const event: Event = {
      id: newId(),
      merchantId: order.merchantId,
      orderId: order.id,
      type,
      body,
      createdAt,
    }
    const delivery: Delivery = {
      eventId: event.id,
      merchantId: order.merchantId,
      status: 'pending',
      nextAttemptAt: null,
      tries: [],
      firstTriedAt: null,
      createdAt,
      updatedAt: 1,
      ...rest,
    }
    return { event, delivery }
  }
  const insert = ({ event, delivery }: ReturnType<typeof row>) =>
    write(tables => tables.events.insert(event, delivery))

  describe('events', () => {
    test.each(eventTypes)('of type %s are read with their delivery as they were inserted', async type => {
      const given = row(await givenOrder(engine), {
        type,
        body: JSON.stringify({ text: TEXT, zero: 0, none: null }),
        createdAt: 0,
        nextAttemptAt: LATEST,
        firstTriedAt: LATEST,
        updatedAt: LATEST,
        tries: [
          { at: LATEST, httpStatus: null, outcome: 'timed_out', durationMs: 0 },
          { at: 0, httpStatus: 599, outcome: 'refused', durationMs: 10_000 },
        ],
      })
      await insert(given)
      expect(await find(given.event.id)).toMatchObject(given)
      expect(await find(newId())).toBe(null)
    })

    test('have at most one order.paid per order, and need an existing order', async () => {
      const order = await givenOrder(engine)
      const insertion = (given: ReturnType<typeof row>) => failureOf(insert(given))
      expect(await insertion(row(order, { type: 'order.paid' }))).toBe('nothing failed')
      expect(await insertion(row(order, { type: 'order.paid' }))).toMatch(/^failed/)
      expect(await insertion(row(order, { type: 'payment.paid' }))).toBe('nothing failed')
      expect(await insertion(row(order, { type: 'payment.paid' }))).toBe('nothing failed')
      expect(await insertion(row({ ...order, id: newId() }))).toMatch(/^failed/)
    })

    test('are not stored without their delivery', async () => {
      const order = await givenOrder(engine)
      const first = row(order)
      await insert(first)
      const second = row(order)
      const clashing = { event: second.event, delivery: first.delivery }
      expect(await failureOf(insert(clashing))).toMatch(/^failed/)
      expect(await find(second.event.id)).toBe(null)
    })

    test('have a delivery that is updated only in the given fields', async () => {
      const order = await givenOrder(engine)
      const [one, other] = [row(order, { nextAttemptAt: 5, firstTriedAt: 4 }), row(order)]
      for (const given of [one, other]) await insert(given)
      const tries = [{ at: 6, httpStatus: 200, outcome: 'delivered', durationMs: 7 } as const]
      const change = { status: 'delivered', nextAttemptAt: null, tries } as const
      await write(tables => tables.events.updateDelivery(one.event.id, { ...change, tries: [...tries] }))
      expect(await find(one.event.id)).toMatchObject({
        event: one.event,
        delivery: { ...one.delivery, ...change },
      })
      expect(await find(other.event.id)).toMatchObject(other)
    })

    test('are parked when given up or pending without a next try, order.paid first, then oldest first', async () => {
      const order = await givenOrder(engine)
      const other = await givenOrder(engine)
      const parked = [
        row(order, { type: 'order.paid', createdAt: 12, status: 'failed' }),
        row(order, { type: 'order.expired', createdAt: 5 }),
        row(order, { createdAt: 10 }),
        row(order, { createdAt: 11, status: 'failed' }),
      ]
      const rows = [
        parked[2]!,
        row(order, { createdAt: 9, nextAttemptAt: 12 }),
        row(order, { createdAt: 8, status: 'delivered' }),
        row(order, { createdAt: 7, type: 'payment.paid' }),
        row(other, { createdAt: 6 }),
        parked[3]!,
        parked[1]!,
        parked[0]!,
      ]
      for (const given of rows) await insert(given)
      const list = (limit: number, from?: number) =>
        read(tables =>
          tables.events.listParked(
            order.merchantId,
            ['order.expired', 'payment.created', 'order.paid'],
            limit,
            from,
          ),
        )
      const ids = parked.map(({ event }) => event.id)
      expect((await list(9)).map(({ id }) => id)).toEqual(ids)
      expect((await list(2)).map(({ id }) => id)).toEqual(ids.slice(0, 2))
      const later = parked.filter(({ event }) => event.createdAt >= 11).map(({ event }) => event.id)
      expect((await list(9, 11)).map(({ id }) => id)).toEqual(later)
      const ofTwoTypes = await read(tables =>
        tables.events.listParked(order.merchantId, ['order.expired', 'order.paid'], 9),
      )
      expect(ofTwoTypes.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    })

    test('are counted by merchant and status', async () => {
      const order = await givenOrder(engine)
      const other = await givenOrder(engine)
      for (const status of ['failed', 'delivered', 'failed'] as const) await insert(row(order, { status }))
      await insert(row(other, { status: 'failed' }))
      const count = (status: (typeof deliveryStatuses)[number]) =>
        read(tables => tables.events.countByStatus(order.merchantId, status))
      expect(await Promise.all(deliveryStatuses.map(count))).toEqual([0, 1, 2])
    })

    test('are brought forward if a retry is scheduled later', async () => {
      const order = await givenOrder(engine)
      const other = await givenOrder(engine)
      const rows = [
        row(order, { nextAttemptAt: 60 }),
        row(order, { nextAttemptAt: 90, firstTriedAt: 30, updatedAt: 48 }),
        row(order, { nextAttemptAt: 90, firstTriedAt: 10, updatedAt: 49 }),
        row(order, { nextAttemptAt: 90, firstTriedAt: 5, updatedAt: 20 }),
        row(order, { nextAttemptAt: 40, firstTriedAt: 10, updatedAt: 39 }),
        row(order),
        row(order, { status: 'failed' }),
        row(other, { nextAttemptAt: 60 }),
      ]
      for (const given of rows) await insert(given)
      await write(tables => tables.events.bringForward(order.merchantId, 50, 30))
      const next = await Promise.all(
        rows.map(async ({ event }) => (await find(event.id))?.delivery.nextAttemptAt),
      )
      expect(next).toEqual([50, 50, 51, 50, 40, null, null, 60])
    })
  })

  describe('a list of events', () => {
    test('has the events of one merchant that match the filter, newest first, over several pages', async () => {
      const order = await givenOrder(engine)
      const types = ['payment.created', 'payment.paid'] as const
      const rows = Array.from({ length: 12 }, (_, at) =>
        row(order, {
          type: types[at % 2]!,
          status: deliveryStatuses[Math.floor(at / 2) % 3]!,
          createdAt: 10 + Math.floor(at / 5),
        }),
      )
      for (const given of rows.toSorted(() => 0.5 - Math.random())) await insert(given)
      await insert(row(await givenOrder(engine), { createdAt: 11 }))
      const { merchantId } = order
      const list = async (filter: Omit<EventFilter, 'merchantId'>, size: number) => {
        const found = await pagesOf(
          size,
          (limit, after) => read(tables => tables.events.list({ merchantId, ...filter }, limit, after)),
          ({ event }) => ({ at: event.createdAt, id: event.id }),
        )
        return found.map(({ event }) => event.id)
      }
      for (const size of [1, 3, 100]) {
        for (const type of [undefined, ...types]) {
          for (const status of [undefined, ...deliveryStatuses]) {
            const fitting = rows.filter(
              ({ event, delivery }) =>
                (type ?? event.type) === event.type && (status ?? delivery.status) === delivery.status,
            )
            const ids = fitting.map(({ event }) => event.id).toReversed()
            expect([type, status, await list({ type, status }, size)]).toEqual([type, status, ids])
          }
        }
      }
    })

    test('has the events that were created from one time up to another', async () => {
      const order = await givenOrder(engine)
      const { merchantId } = order
      const rows = Array.from({ length: 9 }, (_, at) =>
        row(order, { status: deliveryStatuses[at % 2]!, createdAt: 10 + Math.floor(at / 3) }),
      )
      for (const given of rows) await insert(given)
      const times = [undefined, 10, 11, 12, 13]
      const filters = times.flatMap(createdFrom => times.map(createdTo => ({ createdFrom, createdTo })))
      const withStatus = filters.flatMap(filter => [filter, { ...filter, status: deliveryStatuses[0] }])
      for (const filter of withStatus) {
        const { createdFrom = 0, createdTo = 99 } = filter
        const status = 'status' in filter ? filter.status : undefined
        const fitting = rows.filter(
          ({ event: { createdAt }, delivery }) =>
            createdAt >= createdFrom &&
            createdAt < createdTo &&
            delivery.status === (status ?? delivery.status),
        )
        const found = await pagesOf(
          2,
          (limit, after) => read(tables => tables.events.list({ merchantId, ...filter }, limit, after)),
          ({ event }) => ({ at: event.createdAt, id: event.id }),
        )
        const ids = fitting.map(({ event }) => event.id).toReversed()
        expect([filter, found.map(({ event }) => event.id)]).toEqual([filter, ids])
      }
    })
  })
}
