import { expect, test } from 'bun:test'
import { EVM_WALLET, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenChargeShop, startChargeApp } from './charges.ts'
import { besideGateway, enter } from './paygate.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  instant,
  notificationsOf,
  unmatchedOf,
} from './payments.ts'
import { data, refused } from './request.ts'
import { type Row, rowsOf } from './rows.ts'

const { app, once, each, ownApp } = suite({ start: besideGateway(startChargeApp) })
const stand = once(() => app.stand)
const shop = each(() => givenChargeShop(app))

const setWallet = () =>
  data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { evm: EVM_WALLET } } })

/** An order for which both providers opened a page. */
async function givenBoth() {
  await setWallet()
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe', 'testcard'] })
  for (const method of ['stripe', 'testcard']) expect((await enter(app, orderUUID, method)).status).toBe(303)
  const [forwarded, charged] = attemptsOf(app, orderUUID) as [Row, Row]
  expect([forwarded.provider, charged.provider]).toEqual(['gateway', 'fakecard'])
  const charge = app.processor.lastCharge().id
  return {
    orderUUID,
    charged,
    payCharge: async () => {
      app.processor.pay(charge)
      expect((await app.processor.notify(charge)).status).toBe(200)
    },
    payGateway: async () => {
      const callbacks = await stand.payments.settle(String(forwarded.callback_url), 'paid', '25')
      expect(callbacks).toEqual([{ status: 200 }])
    },
  }
}

const statesOf = (orderUUID: string) =>
  attemptsOf(app, orderUUID).map(({ provider, state }) => `${provider} ${state}`)

test('of a charge and a forwarded coin for one order, the first pays and the other is unmatched', async () => {
  const { orderUUID, payCharge, payGateway } = await givenBoth()
  await payCharge()
  await payGateway()
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({
    status: 'PAID',
    receivedAmount: '25.00',
    receivedCurrency: 'USD',
  })
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  expect(incomingPaymentsOf(app, orderUUID)).toMatchObject([
    { source: 'fakecard', asset_id: 'fiat/usd', amount_atomic: '2500', settles: 1 },
    { source: 'gateway', asset_id: 'polygon/usdc', amount_atomic: '25000000', settles: 0 },
  ])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  expect(statesOf(orderUUID)[1]).toBe('fakecard settled')
})

test('of a forwarded coin and a charge for one order, the first pays and the other is unmatched', async () => {
  const { orderUUID, payCharge, payGateway } = await givenBoth()
  await payGateway()
  await payCharge()
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({
    status: 'PAID',
    receivedAmount: '25',
    receivedCurrency: 'polygon/usdc',
    providerPayoutAddress: EVM_WALLET,
  })
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  expect(statesOf(orderUUID)[0]).toBe('gateway settled')
})

test('a refund of a forwarded payment is only recorded, and no provider pays it back', async () => {
  const { orderUUID, payGateway } = await givenBoth()
  await payGateway()
  const [asked, refunds] = [stand.asked.length, app.processor.refunds.length]
  const headers = { 'idempotency-key': 'refund-of-a-forwarded-payment' }
  const body = { reason: 'returned' }
  await data(app, 'POST', `/v1/orders/${orderUUID}/refunds`, { key: shop.live, body, headers }, 201)
  expect(rowsOf(app, "SELECT subject FROM jobs WHERE kind = 'refund.send'")).toEqual([])
  await app.jobs.settle()
  expect([stand.asked.length, app.processor.refunds.length]).toEqual([asked, refunds])
})

test('a charge has no secret: no query of a GET callback finds its attempt', async () => {
  const { charged } = await givenBoth()
  for (const secret of ['', 'none', 'null', 'undefined']) {
    const path = `/callback/gateway?attempt=${charged.id}&secret=${secret}&value_coin=25&coin=polygon_usdc`
    await refused(app, { status: 403, code: 'forbidden' }, 'GET', path)
  }
})

const wallets: [keys: string[], status: number][] = [
  [['testcard'], 201],
  [['testcard', 'testbank'], 201],
  [['stripe'], 422],
  [['stripe', 'testcard'], 422],
  [['*'], 422],
  [['unknown'], 422],
]

test.each(wallets)('beside PayGate, an order for %j without an EVM wallet is a %i', async (keys, status) => {
  const customer = { email: 'buyer@example.com', fullName: 'Sam Buyer' }
  const body = { amount: '25.00', currency: 'USD', paymentMethodsKeys: keys, customer }
  const answer = await app.call('POST', '/v1/orders', { key: shop.live, body })
  expect(answer.status).toBe(status)
  if (status === 422) expect(answer.json.error.code).toBe('payout_wallet_required')
})

test('the checkout offers the methods of both, or of one while the other is unavailable', async () => {
  await setWallet()
  const expiresAt = instant(app.time.now + 3 * DAY_MS)
  const { orderUUID } = await givenOrder(app, shop, { expiresAt })
  const offered = async (): Promise<boolean[]> => {
    const { text } = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    return ['through Stripe<', 'Test Card<'].map(name => text.includes(name))
  }
  expect(await offered()).toEqual([true, true])
  stand.wire.isDown = true
  await app.advance(DAY_MS + HOUR_MS)
  expect(await offered()).toEqual([false, true])
  stand.wire.isDown = false
  app.processor.wire.isDown = true
  await app.advance(DAY_MS + HOUR_MS)
  expect(await offered()).toEqual([true, false])
})

test('a rest is not asked for if its only provider has not answered for a day', async () => {
  await ownApp()
  await setWallet()
  stand.wire.isDown = true
  await app.advance(DAY_MS + HOUR_MS)
  const terms = { paymentMethodsKeys: ['stripe', 'testbank'], currency: 'EUR' }
  const { orderUUID } = await givenOrder(app, shop, terms)
  expect((await enter(app, orderUUID, 'testbank')).status).toBe(303)
  // 3 EUR are left, and the bank takes at least 5.
  const charge = app.processor.lastCharge().id
  app.processor.pay(charge, 2200)
  expect((await app.processor.notify(charge)).status).toBe(200)
  expect((await getOrder(app, shop, orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid open'])
})
