import { expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { redeliverFailed } from '../../src/operations/webhooks/redeliver.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS } from './payments.ts'
import { listen } from './request.ts'
import { changeRows, rowOf, rowsOf, subscribe } from './rows.ts'

const { app, once, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))
each(() => listen(app, shop, receiver.url))

async function paidOrders(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { orderUUID: orderId } = await givenOrder(app, shop)
    const decision = { by: 'Ann', reason: 'paid in cash' }
    await forceOrder(app.context, { merchantId: shop.id, orderId, ...decision })
  }
}

/** Events that are all due at the same time. */
async function givenDue(count: number): Promise<void> {
  subscribe(app, shop.id, [])
  await paidOrders(count)
  subscribe(app, shop.id, ['order.paid'])
  await redeliverFailed(app.context, shop.id)
}

/** Calls a function after each write. Returns a function that counts the writes so far. */
function watchWrites(onWritten: () => void = () => {}): () => number {
  const { storage } = app.context
  const { write } = storage
  let writes = 0
  storage.write = async work => {
    const value = await write(work)
    writes++
    onWritten()
    return value
  }
  return () => writes
}

const ended = "SELECT event_id FROM deliveries WHERE status = 'delivered'"
const endedButDue = `${ended} AND event_id IN (SELECT subject FROM jobs WHERE kind = 'event.deliver')`

test('the outcome of a delivery is stored together with the end of its job', async () => {
  await givenDue(12)
  const unfinished: unknown[] = []
  watchWrites(() => unfinished.push(...rowsOf(app, endedButDue)))
  await app.jobs.settle()
  expect([rowsOf(app, ended).length, unfinished]).toEqual([12, []])
})

test('deliveries that end together share a write', async () => {
  await givenDue(64)
  receiver.answerWith(() => Bun.sleep(50).then(() => new Response('ok')))
  const writes = watchWrites()
  await app.jobs.settle()
  expect(rowsOf(app, ended)).toHaveLength(64)
  expect(writes()).toBeLessThan(64)
})

test('an outcome that cannot be stored is tried again, and does not delay the others', async () => {
  await givenDue(8)
  const [victim] = rowsOf(app, 'SELECT event_id FROM deliveries ORDER BY event_id')
  const { storage } = app.context
  const { write } = storage
  let isBroken = true
  storage.write = work =>
    write(tables => {
      const events = Object.create(tables.events) as typeof tables.events
      const updateDelivery: typeof events.updateDelivery = async (eventId, change) => {
        if (eventId === victim?.event_id && isBroken) throw new Error('this row cannot be written')
        return tables.events.updateDelivery(eventId, change)
      }
      const own = Object.create(tables, { events: { value: events } }) as typeof tables
      Object.defineProperty(events, 'updateDelivery', { value: updateDelivery })
      return work(own)
    })
  await app.jobs.settle()
  expect(rowsOf(app, ended)).toHaveLength(7)
  expect(app.logged.filter(({ sentence }) => sentence === 'job.failed')).toHaveLength(1)
  isBroken = false
  await app.advance(60_000)
  expect(rowsOf(app, ended)).toHaveLength(8)
})

test('an event that is given up counts as a failure of its endpoint', async () => {
  await givenDue(10)
  await app.jobs.settle()
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await paidOrders(1)
  const long = app.time.now - 4 * DAY_MS
  changeRows(app, "UPDATE deliveries SET first_tried_at = ? WHERE status = 'pending'", long)
  await app.jobs.settle()
  expect(rowOf(app, "SELECT count(*) AS n FROM deliveries WHERE status = 'failed'").n).toBe(1)
  let [open, most] = [0, 0]
  receiver.answerWith(async () => {
    most = Math.max(most, ++open)
    await Bun.sleep(20)
    open -= 1
    return new Response('no', { status: 500 })
  })
  await paidOrders(6)
  await app.jobs.settle()
  expect(most).toBe(1)
})
