import { expect, test } from 'bun:test'
import { LostRace } from '../../src/domain/errors.ts'
import { reviewOrder } from '../../src/operations/settlement/record.ts'
import { startApp } from '../support/app.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { refundOf } from './refunding.ts'
import { listen } from './request.ts'

const { app, once, each } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))
each(() => listen(app, shop, receiver.url))

/** The events of an order in the log, without its requests. */
const eventsOf = (orderUUID: string): string[] =>
  app.logged
    .filter(
      ({ fields, sentence }) =>
        (fields as { orderUUID?: string }).orderUUID === orderUUID && sentence !== 'request',
    )
    .map(({ sentence }) => sentence)

const create = async (change: object = {}): Promise<string> => (await givenOrder(app, shop, change)).orderUUID

test('the log follows a crypto order from its creation to its refund', async () => {
  const id = await create()
  await openCrypto(app, id, 'ethereum/eth')
  await simulate(app, id, 'paid')
  await check(app, id)
  await app.jobs.settle()
  await refundOf(app, shop, id, { amount: '5.00' })
  expect(eventsOf(id)).toEqual(
    words(`
    order.created attempt.opened payment.seen payment.confirmed order.settled order.paid event.recorded
    attempt.settled webhook.delivered refund.recorded notification.recorded
  `),
  )
})

test('the log follows a card order, and the callback that paid it', async () => {
  const id = await create({ paymentMethodsKeys: ['moonpay'] })
  await app.call('GET', `/payment/process/${id}?method=moonpay`)
  await simulate(app, id, 'paid')
  await app.jobs.settle()
  const events = eventsOf(id)
  expect(events).toContain('callback.accepted')
  expect(events.filter(event => /^(order|attempt|payment)\./.test(event))).toEqual(
    words(`
    order.created attempt.opened payment.seen payment.confirmed order.settled order.paid attempt.settled
  `),
  )
})

test('the log names problems of an order', async () => {
  receiver.answerWith(() => new Response('no', { status: 503 }))
  const id = await create()
  await openCrypto(app, id, 'ethereum/usdc')
  await simulate(app, id, 'underpaid')
  await check(app, id)
  await app.advance(31 * 60_000)
  await app.advance(25 * 3600_000)
  expect(eventsOf(id)).toEqual(
    expect.arrayContaining(['attempt.underpaid', 'attempt.expired', 'payment.unmatched', 'order.expired']),
  )
  const pending = await create()
  await openCrypto(app, pending, 'ethereum/eth')
  await simulate(app, pending, 'pending')
  await check(app, pending)
  expect(eventsOf(pending)).toEqual(['order.created', 'attempt.opened', 'payment.seen', 'attempt.confirming'])
  const cancelled = await create()
  await app.call('POST', `/v1/orders/${cancelled}/cancel`, { key: shop.live, body: {} })
  expect(eventsOf(cancelled)).toEqual(['order.created', 'order.cancelled'])
})

test('the request log names the order of the path', async () => {
  const id = await create()
  await app.call('GET', `/v1/orders/${id}`, { key: shop.live })
  const logged = () =>
    app.logged
      .filter(({ sentence }) => sentence === 'request')
      .map(({ fields }) => fields as { route: string; orderUUID?: string })
      .find(({ route }) => route === '/v1/orders/:orderUUID')
  // A request is logged after its response.
  for (let tries = 0; !logged() && tries < 6000; tries++) await Bun.sleep(5)
  expect(logged()?.orderUUID).toBe(id)
})

test('changes of keys, wallets and webhooks are logged with who made them', async () => {
  const changes = app.logged.filter(({ sentence }) => sentence === 'audit.recorded')
  expect(changes.map(({ fields }) => fields)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'key.created', actor: 'cli', merchantId: shop.id }),
      expect.objectContaining({ action: 'wallet.changed', actor: `key:${shop.liveKeyId}` }),
      expect.objectContaining({ action: 'webhook.changed', actor: `key:${shop.liveKeyId}` }),
    ]),
  )
  expect(JSON.stringify(changes)).not.toContain(receiver.url)
})

test('at the level debug, the log also has the requests to upstreams and the jobs', async () => {
  const lines: { fields: object; event: string }[] = []
  const ignore = () => {}
  const debug = (fields: object, event: string) => void lines.push({ fields, event })
  const own = await startApp({}, { log: { debug, info: ignore, warn: ignore, error: ignore } })
  try {
    const { orderUUID } = await givenOrder(own, await givenShop(own))
    const { attempt } = await openCrypto(own, orderUUID, 'ethereum/eth')
    await check(own, orderUUID)
    await own.jobs.settle()
    const named = (event: string) => lines.filter(line => line.event === event).map(({ fields }) => fields)
    expect(named('attempt.checked')).toContainEqual(
      expect.objectContaining({ orderUUID, source: 'ethereum', payments: 0 }),
    )
    expect(named('upstream.asked')).toContainEqual({
      method: expect.stringMatching(/^(GET|POST)$/),
      host: 'localhost',
      status: 200,
      ms: expect.any(Number),
    })
    expect(named('job.done')).toContainEqual(expect.objectContaining({ kind: 'rates.refresh' }))
    expect(JSON.stringify(named('upstream.asked'))).not.toContain(attempt.address)
  } finally {
    await own.close()
  }
})

test('a write that fails logs nothing, and one that is run again logs once', async () => {
  const id = await create()
  const { storage } = app.context
  let run = 0
  const expire = (ending: () => void) =>
    storage.write(async tables => {
      await reviewOrder(app.context, tables, id, { isEnded: true })
      if (++run < 3) throw new LostRace()
      ending()
    })
  const failing = expire(() => {
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect([run, eventsOf(id)]).toEqual([3, ['order.created']])
  run = 0
  await expire(() => {})
  expect([run, eventsOf(id)]).toEqual([3, ['order.created', 'order.expired']])
})
