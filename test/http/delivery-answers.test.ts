import { expect, test } from 'bun:test'
import type { DeliveryTry } from '../../src/domain/webhook.ts'
import { eraseCustomer } from '../../src/operations/customers/erase.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, HOUR_MS } from './payments.ts'
import { listen } from './request.ts'
import { rowOf } from './rows.ts'

const { app, once, each } = suite({ start: () => startWithReceiver({ FLORIN_RETENTION: 'tries=30d' }) })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))
each(() => listen(app, shop, receiver.url))

async function deliver(): Promise<string> {
  const { orderUUID: orderId } = await givenOrder(app, shop)
  await paidInCash(app, shop, orderId)
  await app.jobs.settle()
  return orderId
}

const triesOf = (orderId: string): DeliveryTry[] => {
  const sql = 'SELECT d.tries FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = ?'
  return JSON.parse(String(rowOf(app, sql, orderId).tries))
}

test('each try of a delivery stores the answer of the endpoint', async () => {
  receiver.answerWith(() => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }))
  expect(triesOf(await deliver())).toMatchObject([
    { outcome: 'delivered', answer: { type: 'text/html', body: '<h1>Log in</h1>', isCut: false } },
  ])
})

test('only the last five answers to a delivery are kept', async () => {
  let tried = 0
  receiver.answerWith(() => new Response(`no ${++tried}`, { status: 500 }))
  const order = await deliver()
  for (let hour = 0; hour < 48; hour++) await app.advance(HOUR_MS)
  const tries = triesOf(order)
  expect(tries.length).toBeGreaterThan(7)
  const bodies = tries.map(
    ({ answer }, at) => answer?.body ?? (at < tries.length - 5 ? 'forgotten' : 'missing'),
  )
  expect(bodies).toEqual(tries.map((_, at) => (at < tries.length - 5 ? 'forgotten' : `no ${at + 1}`)))
})

test('a stored answer is no field of the API, and is erased and deleted with its try', async () => {
  const email = 'buyer@example.com'
  receiver.answerWith(() => new Response(`Thanks, ${email}! ${encodeURIComponent(email)}`))
  const order = await deliver()
  const listed = await app.call('GET', '/v1/events', { key: shop.live })
  expect(Object.keys(listed.json.data.items[0].attempts[0])).toEqual([
    ...['at', 'httpStatus', 'outcome', 'durationMs'],
  ])
  await eraseCustomer(app.context, shop.id, email)
  const [{ answer } = {}] = triesOf(order)
  expect(answer?.body).toBe('Thanks, erased-1@erased.invalid! erased-1@erased.invalid')
  for (let day = 0; day < 31; day++) await app.advance(DAY_MS)
  expect(triesOf(order)).toEqual([])
})
