import { expect, test } from 'bun:test'
import { redeliverFailed } from '../../src/operations/webhooks/redeliver.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, openCrypto, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { listen } from './request.ts'
import { subscribe } from './rows.ts'

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

test('a new order.paid is sent before a backlog, and before payment events (decisions)', async () => {
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

test('the concurrency of an endpoint grows while it answers quickly, and falls to 1 on a failure', async () => {
  await setUrl()
  subscribe(app, shop.id, [])
  for (let i = 0; i < 60; i++) await paidOrder()
  subscribe(app, shop.id, ['order.paid'])
  let [open, most] = [0, 0]
  let answer = succeed
  receiver.answerWith(async () => {
    most = Math.max(most, ++open)
    await Bun.sleep(20)
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
