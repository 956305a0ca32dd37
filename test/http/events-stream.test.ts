import { expect, test } from 'bun:test'
import { createKey } from '../../src/operations/keys/manage.ts'
import { followEvents } from '../../src/operations/webhooks/follow-events.ts'
import type { Storage } from '../../src/storage/port.ts'
import { startApp } from '../support/app.ts'
import { givenOrder, givenShop, paidInCash, type Shop } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const HOUR_MS = 3600_000

const { app, once, each } = suite({ start: startApp })
const stranger = once(() => givenShop(app))
const shop = each(() => givenShop(app))

interface Opened {
  status: number
  /** Reads until the text contains all of these. */
  until(...words: string[]): Promise<string>
  close(): Promise<void>
}

async function open(key = shop.live, headers: Record<string, string> = {}): Promise<Opened> {
  const request = new Request('http://localhost/v1/events/stream', {
    headers: { 'x-api-key': key, ...headers },
  })
  const response = await app.florin.http.fetch(request)
  const reader = response.body!.getReader()
  let text = ''
  return {
    status: response.status,
    async until(...words) {
      while (!words.every(word => text.includes(word))) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended after: ${text}`)
        text += Buffer.from(value).toString()
      }
      return text
    },
    close: () => reader.cancel(),
  }
}

async function paid(merchant: Shop = shop): Promise<string> {
  const { orderUUID } = await givenOrder(app, merchant)
  await paidInCash(app, merchant, orderUUID)
  return orderUUID
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id)
const bodiesIn = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, body]) => JSON.parse(body!))

test('the stream sends each event of its shop once, when it is recorded, with the body that webhooks get', async () => {
  const before = await paid()
  const stream = await open()
  expect(await stream.until('id: ')).not.toContain(before)
  await paid(stranger)
  const orders = [await paid(), await paid(), await paid()]
  const bodies = bodiesIn(await stream.until(...orders))
  expect(bodies.map(({ orderUUID }) => orderUUID)).toEqual(orders)
  expect(bodies[0]).toMatchObject({ type: 'order.paid', status: 'PAID', amount: '25.00' })
  expect(bodies[0]).not.toHaveProperty('livemode')
  await stream.close()
})

test('the stream continues after the last event, and leaves none out', async () => {
  const stream = await open()
  const [first, second] = [await paid(), await paid()]
  const [last] = idsIn(await stream.until(first, second)).slice(-2)
  await stream.close()
  const third = await paid()
  const next = await open(shop.live, { 'last-event-id': last! })
  const text = await next.until(second, third)
  expect(text).not.toContain(first)
  await next.close()
})

test('the stream reads only the events of the last half minute again', async () => {
  const { storage } = app.context
  const readFrom: unknown[] = []
  const read: Storage['read'] = work =>
    storage.read(tables => {
      const list: typeof tables.events.list = (filter, limit, after) => {
        readFrom.push(filter.createdFrom)
        return tables.events.list(filter, limit, after)
      }
      const events = Object.create(tables.events, { list: { value: list } })
      return work(Object.create(tables, { events: { value: events } }))
    })
  const feed = await followEvents({ ...app.context, storage: { ...storage, read } }, shop.id, null)
  for (let times = 0; times < 2; times++) {
    app.time.now += 60_000
    const id = await paid()
    expect((await feed.next()).map(({ orderId }) => orderId)).toEqual([id])
    expect(await feed.next()).toEqual([])
  }
  expect(readFrom.at(-1)).toBe(app.time.now - 30_000)
})

test('the stream leaves out no event after the clock was set back', async () => {
  app.time.now += HOUR_MS
  await paid()
  const feed = await followEvents(app.context, shop.id, null)
  app.time.now -= HOUR_MS
  const order = await paid()
  const ordersOf = async ({ next }: typeof feed) => (await next()).map(({ orderId }) => orderId)
  expect([await ordersOf(feed), await ordersOf(feed)]).toEqual([[order], []])
  const again = await followEvents(app.context, shop.id, feed.lastId)
  expect(await ordersOf(again)).toEqual([order])
})

test('the stream refuses strangers, events of others, and too many connections', async () => {
  expect((await open('nonsense')).status).toBe(401)
  const orders = await createKey(app.context, {
    merchantId: shop.id,
    mode: 'live',
    scopes: ['orders:create'],
  })
  expect((await open(orders.text)).status).toBe(403)
  expect((await open(shop.live, { 'last-event-id': 'nonsense' })).status).toBe(400)
  expect((await open(shop.live, { 'last-event-id': crypto.randomUUID() })).status).toBe(404)
  const streams = await Promise.all(Array.from({ length: 11 }, () => open()))
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(1)
  await Promise.all(streams.map(({ close }) => close()))
  const again = await open()
  expect(again.status).toBe(200)
  await again.close()
})
