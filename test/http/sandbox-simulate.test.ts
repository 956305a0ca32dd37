import { expect, test } from 'bun:test'
import { check, givenOrder, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, getOrder, givenCoinShop, incomingPaymentsOf, openOnly } from './payments.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))

const newOrder = async (): Promise<string> => (await givenOrder(app, shop)).orderUUID
const simulate = (orderUUID: string, outcome: string, more: object = {}) =>
  app.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome, ...more } })
const card = (order: string) => app.call('GET', `/payment/process/${order}?method=moonpay`)

async function opened(asset: string): Promise<string> {
  const order = await newOrder()
  await openOnly(app, order, asset)
  return order
}

test('the sandbox pays an amount exactly, in parts that add up', async () => {
  const order = await opened('ethereum/usdc')
  expect((await simulate(order, 'paid', { amount: '24.5' })).status).toBe(202)
  expect((await check(app, order)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '24.5' })
  await simulate(order, 'pending', { amount: '0.25' })
  await check(app, order)
  expect((await statusOf(app, order)).status).toBe('UNPAID')
  await simulate(order, 'paid')
  expect((await check(app, order)).status).toBe('PAID')
})

test('without an outcome, the sandbox pays the order', async () => {
  const order = await opened('ethereum/usdc')
  expect((await app.call('POST', '/sandbox/simulate', { body: { orderUUID: order } })).status).toBe(202)
  expect((await check(app, order)).status).toBe('PAID')
})

test.each(['0', '-1', '1e3', '0x10', '', ' ', '1,5', '1.1234567', 'NaN', '9'.repeat(61), 25, null])(
  'the amount %p is refused, and nothing is paid',
  async amount => {
    const order = await opened('ethereum/usdc')
    for (const outcome of ['paid', 'replaced', 'underpaid']) {
      const { status, json } = await simulate(order, outcome, { amount })
      expect([status, json.error.code, json.error.details[0].path]).toEqual([
        400,
        'validation_error',
        '/amount',
      ])
    }
    await check(app, order)
    expect(incomingPaymentsOf(app, order)).toEqual([])
  },
)

test.each([
  ['simulate', { orderUUID: 'first' }, '/orderUUID', 'uuid, such as 0'],
  ['simulate', { attemptId: '1' }, '/attemptId', 'uuid, such as 0'],
  ['simulate', { fee: 'high' }, '/fee', 'must be "low"'],
  ['simulate', { outcome: 'gone' }, '/outcome', 'one of "paid"'],
  ['rates', { assetId: 'Bitcoin' }, '/assetId', 'such as ethereum/usdc'],
  ['rates', { currency: '$' }, '/currency', 'such as USD'],
  ['rates', { rate: 45000 }, '/rate', 'a string'],
  ['clock', { advanceSeconds: '60' }, '/advanceSeconds', 'an integer from 0'],
  ['outage', { upstream: 'shop' }, '/upstream', 'one of "provider"'],
])('POST /sandbox/%s with %p is refused with a message', async (route, body, path, rule) => {
  const { status, json } = await app.call('POST', `/sandbox/${route}`, { body })
  const found = json.error.details.find((detail: { path: string }) => detail.path === path)
  expect([status, found.rule]).toEqual([400, expect.stringContaining(rule)])
})

test('in the sandbox the payments of many orders are found at once, without a pause', async () => {
  for (let i = 0; i < 25; i++) {
    const order = await opened('btc')
    await simulate(order, 'paid')
    expect((await app.call('POST', `/pay/${order}/check`)).status).toBe(303)
    expect((await getOrder(app, shop, order)).status).toBe('PAID')
  }
})

test('an amount is refused with an outcome that pays nothing', async () => {
  const order = await opened('ethereum/usdc')
  for (const outcome of ['failed', 'duplicate', 'mined']) {
    expect((await simulate(order, outcome, { amount: '1' })).status).toBe(400)
  }
})

test('a payment with a low fee stays in the mempool until it is mined', async () => {
  const order = await opened('btc')
  expect((await simulate(order, 'paid', { fee: 'low' })).status).toBe(202)
  expect((await check(app, order)).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
  await app.advance(20 * 60_000)
  expect((await check(app, order)).status).toBe('UNPAID')
  expect((await simulate(order, 'mined')).status).toBe(202)
  await app.advance(60_000)
  expect((await check(app, order)).status).toBe('PAID')
  expect((await simulate(order, 'mined')).json.error.code).toBe('conflict')
  expect((await simulate(order, 'paid', { fee: 'high' })).status).toBe(400)
})

test('a payment in the mempool can be replaced by one that spends the same inputs, with another amount', async () => {
  const order = await opened('btc')
  expect((await simulate(order, 'replaced')).json.error.code).toBe('conflict')
  await simulate(order, 'pending')
  await check(app, order)
  const [before] = incomingPaymentsOf(app, order)
  await simulate(order, 'replaced', { amount: '0.0001' })
  await check(app, order)
  await simulate(order, 'mined')
  expect((await check(app, order)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.0001' })
  const payments = incomingPaymentsOf(app, order)
  expect(payments.filter(({ state }) => state !== 'gone')).toHaveLength(1)
  expect(new Set(payments.map(({ inputs }) => inputs))).toEqual(new Set([before!.inputs!]))
})

test('an attempt can be chosen only if it belongs to the order', async () => {
  const order = await opened('btc')
  await openOnly(app, order, 'ltc')
  const [first] = attemptsOf(app, order)
  const attemptId = String(first!.id)
  expect((await simulate(await opened('btc'), 'paid', { attemptId })).status).toBe(404)
  expect((await simulate(order, 'paid', { attemptId: 'x' })).status).toBe(400)
  expect((await simulate(order, 'paid', { attemptId })).status).toBe(202)
  expect((await check(app, order)).status).toBe('PAID')
  expect(attemptsOf(app, order).map(({ asset_id, state }) => [asset_id, state])).toContainEqual([
    'btc',
    'settled',
  ])
})

test('a payment through a provider has an amount in dollars, and no mempool', async () => {
  const order = await newOrder()
  await card(order)
  expect((await simulate(order, 'mined')).json.error.code).toBe('conflict')
  expect((await simulate(order, 'paid', { fee: 'low' })).json.error.code).toBe('conflict')
  expect((await simulate(order, 'paid', { amount: '1.1234567' })).status).toBe(400)
  expect((await simulate(order, 'paid', { amount: '10' })).json.data.callbacks).toEqual([{ status: 200 }])
  expect((await check(app, order)).status).toBe('UNPAID')
  await simulate(order, 'paid', { amount: '23.00' })
  expect((await check(app, order)).status).toBe('PAID')
})
