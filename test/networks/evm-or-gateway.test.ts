import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { ForwardedAttempt } from '../../src/domain/attempt.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { startGatewayStand } from '../support/fake-paygate.ts'
import { check, givenOrder, givenShop, type Shop, statusOf } from '../support/given.ts'
import { evmRow, startOver } from './checkout-scene.ts'

/** A network with a node, and a gateway that supports the network's coin and others. */
let anvil: Anvil
let app: App
let shop: Shop
let gatewayServer: ReturnType<typeof startGatewayStand>
let close: () => Promise<void>

beforeAll(async () => {
  anvil = await startAnvil()
})
beforeEach(async () => {
  gatewayServer = startGatewayStand()
  await startShop(anvil.url)
})
afterEach(async () => {
  await stopShop()
  await gatewayServer.stop()
})
afterAll(() => anvil.stop())

async function startShop(url: string) {
  ;({ app, close } = await startOver({
    environment: { ...gatewayServer.environment, FLORIN_ETHEREUM_URL: url },
    assets: [evmRow('ethereum/eth', 18, { confirmations: 2 })],
  }))
  gatewayServer.wire.deliver = async (path, headers) => (await app.call('GET', path, { headers })).status
  await app.jobs.settle()
  shop = await givenShop(app)
}

async function stopShop() {
  await app.jobs.settle()
  await gatewayServer.idle()
  expect(app.audit()).toEqual([])
  await close()
}

async function open(asset: string) {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })
  const attempts = await app.context.storage.read(tables => tables.attempts.listOf(orderUUID))
  return { id: orderUUID as string, address: attempts[0]!.address ?? '', stored: attempts[0]! }
}

const gatewayFirst = () => changeMerchant(app.context, shop.id, { cryptoFirst: 'provider' })

test("own first: a network with a node uses the merchant's addresses, a network without one the gateway's", async () => {
  expect((await open('ethereum/eth')).stored.provider).toBeNull()
  expect((await open('btc')).stored.provider).toBe('gateway')
})

test('gateway first: its address is used without a query to the chain, and own addresses stay watched', async () => {
  const own = await open('ethereum/eth')
  await gatewayFirst()
  const opened = await open('ethereum/eth')
  expect(opened.stored.provider).toBe('gateway')
  await anvil.sendNative(opened.address, 10n ** 16n)
  await anvil.mine(3)
  expect((await check(app, opened.id)).status).toBe('UNPAID')
  const { callbackUrl } = opened.stored as ForwardedAttempt
  await gatewayServer.payments.settle(callbackUrl, 'paid', '0.01')
  expect((await statusOf(app, opened.id)).status).toBe('PAID')
  await anvil.sendNative(own.address, 10n ** 16n)
  await anvil.mine(3)
  expect((await check(app, own.id)).status).toBe('PAID')
})

test("gateway first, but unreachable: the merchant's address is used", async () => {
  await gatewayFirst()
  await open('ethereum/eth')
  gatewayServer.wire.isDown = true
  expect((await open('ethereum/eth')).stored.provider).toBeNull()
})

test("own first, but the node is unreachable: the gateway's address is used", async () => {
  await stopShop()
  await startShop('http://127.0.0.1:1')
  expect((await open('ethereum/eth')).stored.provider).toBe('gateway')
})
