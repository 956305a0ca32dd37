import { expect, test } from 'bun:test'
import { disconnectAccount } from '../../src/operations/payments/disconnect-account.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { enter } from './paygate.ts'
import { attemptsOf, getOrder, wallets } from './payments.ts'
import { data } from './request.ts'
import { connectTo, payOnPage, startProviderApp, status } from './stripes.ts'

// The gateway and Stripe both have a method with the key "stripe". A shop’s own account comes first.
const sandbox = { id: 'stripe', api: '/sandbox/', reference: /cs_test_[a-z0-9]+/ }
const { app, each } = suite({ start: () => startProviderApp(sandbox) })
const shop = each(async () => {
  const made = await givenMerchant(app, 'Corner Coffee')
  await data(app, 'PUT', '/v1/wallet', { key: made.live, body: { cryptoWallets: { evm: wallets.evm } } })
  return made
})
const order = async (): Promise<string> =>
  (await givenOrder(app, shop, { currency: 'EUR', paymentMethodsKeys: ['stripe'] })).orderUUID
const connect = () => connectTo(app, shop)
const atStripe = expect.stringMatching(/\/sandbox\/stripe\/pay\/cs_test_[0-9a-f]+$/)
const atGateway = expect.stringContaining('/sandbox/gateway/checkout/')

async function open(orderUUID: string): Promise<string | null> {
  const answer = await enter(app, orderUUID, 'stripe')
  return answer.status === 303 ? answer.headers.get('location') : null
}

test('a method that the gateway could not open pays the order at an account that is connected since', async () => {
  const orderUUID = await order()
  app.wire.faults.push(['undefined gateway/api/control/wallet.php', status(500)])
  expect(await open(orderUUID)).toBeNull()
  await connect()
  const url = await open(orderUUID)
  expect(url).toEqual(atStripe)
  await payOnPage(app, url?.split('/').at(-1) ?? '')
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({ status: 'PAID', receivedCurrency: 'EUR' })
})

test('a method that an account could not open is opened by the gateway once the account is gone', async () => {
  await connect()
  const orderUUID = await order()
  app.wire.faults.push(['POST stripe/v1/checkout/sessions', status(402)])
  expect(await open(orderUUID)).toBeNull()
  await disconnectAccount(app.context, shop.id, 'stripe')
  expect(await open(orderUUID)).toEqual(atGateway)
  expect(attemptsOf(app, orderUUID)).toMatchObject([
    { provider: 'stripe', state: 'failed' },
    { provider: 'gateway', state: 'waiting', payout_address: wallets.evm },
  ])
})

test.each([
  ['the gateway has the method', atGateway, () => undefined],
  ['another account is connected', atStripe, () => connectTo(app, shop, 'rk_test_corner_1')],
])('a page at an account that is gone is not shown again: %s', async (_, url, connectOther) => {
  await connect()
  const orderUUID = await order()
  const former = await open(orderUUID)
  expect(former).toEqual(atStripe)
  app.wire.faults.push(['POST stripe/v1/checkout/sessions/ID/expire', status(500)])
  expect(await disconnectAccount(app.context, shop.id, 'stripe')).toEqual({ closed: 0, open: [orderUUID] })
  await connectOther()
  const opened = await open(orderUUID)
  expect(opened).toEqual(url)
  expect(opened).not.toBe(former)
})
