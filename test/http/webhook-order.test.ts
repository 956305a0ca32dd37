import { describe, expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { redeliverFailed } from '../../src/operations/webhooks/redeliver.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, openCrypto, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS } from './payments.ts'
import { listen } from './request.ts'
import { changeRows, rowOf, rowsOf, subscribe } from './rows.ts'

const succeed = () => new Response('ok')
const fail = () => new Response('no', { status: 500 })

const { app, once, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))

const setUrl = () => listen(app, shop, receiver.url)

async function paidOrder(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await paidInCash(app, shop, orderUUID)
  return orderUUID
}

/** Holds all responses until the returned function is called, and counts the open requests. */
function holdResponses() {
  const open: (() => void)[] = []
  let most = 0
  receiver.answerWith(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.push(resolve)
    most = Math.max(most, open.length)
    await promise
    return succeed()
  })
  const untilOpen = async (count: number) => {
    for (let left = 6000; open.length < count && left > 0; left--) await Bun.sleep(5)
    return open.length
  }
  return { untilOpen, mostOpen: () => most, answerOne: () => open.shift()?.() }
}

test('a new order.paid is sent before a backlog, and before payment events', async () => {
  await setUrl()
  subscribe(app, shop.id, [])
  for (let i = 0; i < 20; i++) await paidOrder()
  subscribe(app, shop.id, ['order.paid', 'payment.created'])
  const held = holdResponses()
  await redeliverFailed(app.context, shop.id)
  const settled = app.jobs.settle()
  expect(await held.untilOpen(4)).toBe(4)
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, 'btc')
  const paid = await paidOrder()
  const before = receiver.received.length
  receiver.answerWith(succeed)
  held.answerOne()
  for (let left = 6000; receiver.received.length < 21 && left > 0; left--) await Bun.sleep(5)
  const order = receiver.received.map(({ json }) => `${json.type} ${json.orderUUID}`)
  for (let i = 0; i < 4; i++) held.answerOne()
  // The answer frees its own slot and adds one more.
  expect(before).toBe(4)
  expect(order.slice(4, 6).toSorted()).toEqual([`order.paid ${paid}`, `payment.created ${orderUUID}`])
  await settled
})

test('an order.paid is due before a payment event', async () => {
  await setUrl()
  subscribe(app, shop.id, ['order.paid', 'payment.created'])
  const held = holdResponses()
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, 'btc')
  await paidOrder()
  const due = rowsOf(app, 'SELECT type, priority FROM jobs JOIN events ON events.id = subject')
  expect(due.toSorted((one, other) => Number(one.priority) - Number(other.priority))).toEqual([
    { type: 'order.paid', priority: 0 },
    { type: 'payment.created', priority: 1 },
  ])
  const settled = app.jobs.settle()
  for (let open = await held.untilOpen(2); open > 0; open--) held.answerOne()
  await settled
})

test('the concurrency of an endpoint grows while it answers quickly, and falls to 1 on a failure', async () => {
  await setUrl()
  subscribe(app, shop.id, [])
  for (let i = 0; i < 60; i++) await paidOrder()
  subscribe(app, shop.id, ['order.paid'])
  let [open, most] = [0, 0]
  let answer = succeed
  receiver.answerWith(async () => {
    most = Math.max(most, ++open)
    // On a busy database, deliveries start slowly, and overlap only if answers take longer than that.
    await Bun.sleep(200)
    open -= 1
    return answer()
  })
  await redeliverFailed(app.context, shop.id)
  await app.jobs.settle()
  expect(receiver.received).toHaveLength(60)
  expect(most).toBeWithin(8, 33)
  answer = fail
  await paidOrder()
  await app.jobs.settle()
  most = 0
  for (let i = 0; i < 6; i++) await paidOrder()
  await app.jobs.settle()
  expect(most).toBe(1)
})

describe('many deliveries', () => {
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
})
