import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deployCall, flushCall, saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { EVM_WALLET, statusOf } from '../support/given.ts'
import { evmRow, type OpenShop, openShop } from './checkout-scene.ts'

const CONFIRMATIONS = 3

let anvil: Anvil
let app: App
let scene: OpenShop
let token: string

beforeAll(async () => {
  anvil = await startAnvil()
  token = await anvil.deploy('TestTether')
  scene = await openShop({
    environment: { FLORIN_ETHEREUM_URL: anvil.url },
    rates: { 'ethereum/usdt': { USD: '1' }, 'ethereum/eth': { USD: '2500' } },
    assets: [evmRow('ethereum/usdt', 6, { contract: token }), evmRow('ethereum/eth', 18)],
    cryptoWallets: { evm: EVM_WALLET },
  })
  app = scene.app
})
afterAll(async () => {
  await scene.close()
  await anvil.stop()
})

describe('on a real EVM node', () => {
  test('a token payment is detected, confirmed and settled, and the merchant gets a signed event', async () => {
    const { id, address, amount } = await scene.opened('ethereum/usdt', 6)
    expect(amount).toBe('25')
    const hash = await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(1)
    expect((await scene.check(id)).attempt).toMatchObject({
      state: 'confirming',
      confirmations: 1,
      receivedAmount: '25',
    })
    expect(await scene.eventsOf(id)).toEqual([])

    await anvil.mine(CONFIRMATIONS - 1)
    expect(await scene.check(id)).toMatchObject({ status: 'PAID', provisioningStatus: 'SETTLED' })
    expect(await scene.getOrder(id)).toMatchObject({
      status: 'PAID',
      providerAddressIn: address,
      providerPayoutAddress: EVM_WALLET,
      receivedAmount: '25',
      receivedCurrency: 'ethereum/usdt',
      transactionRef: hash,
      providerTxIn: hash,
    })
    expect(await scene.eventsOf(id)).toEqual([['order.paid', true]])
    expect(app.audit()).toEqual([])
  })

  test('a payment that a reorganisation removes is withdrawn, and may arrive again', async () => {
    const { id, address } = await scene.opened('ethereum/usdt', 6)
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(2)
    expect((await scene.check(id)).attempt).toMatchObject({ state: 'confirming', confirmations: 2 })

    await anvil.reorganise(2)
    await anvil.mine(5)
    expect(await scene.check(id)).toMatchObject({
      status: 'UNPAID',
      attempt: { state: 'waiting', receivedAmount: '0' },
    })

    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect((await scene.check(id)).status).toBe('PAID')
    expect(await scene.eventsOf(id)).toHaveLength(1)
    expect(app.audit()).toEqual([])
  })

  test('a payment in another coin of the shop counts at its value', async () => {
    const { id, address } = await scene.opened('ethereum/usdt', 6)
    await anvil.sendNative(address, 4n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    const part = { status: 'UNPAID', credited: '10.00', left: { amount: '15.00', currency: 'USD' } }
    expect(await scene.check(id)).toMatchObject(part)
    await anvil.sendToken(token, address, 15_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect(await scene.check(id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: '15' } })
    expect(await app.context.storage.read(tables => tables.unmatched.list(scene.shop.id, 10))).toEqual([])
    expect(app.audit()).toEqual([])
  })

  test('an order in the native coin is paid in two parts, and the second settles it', async () => {
    const { id, address, amount } = await scene.opened('ethereum/eth', 18)
    expect(amount).toBe('0.01')
    await anvil.sendNative(address, 4n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    expect((await scene.check(id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.004' })
    const page = await app.call('GET', `/pay/${id}`)
    expect(page.text).toContain('0.006 ETH left to pay')

    await anvil.sendNative(address, 6n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    expect(await scene.check(id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: '0.01' } })
  })

  test('an order that receives ninety per cent in sixty blocks stays unpaid', async () => {
    const { id, address } = await scene.opened('ethereum/eth', 18)
    for (let part = 0; part < 60; part++) await anvil.run({ to: address, value: 15n * 10n ** 13n })
    for (const blocks of [0, CONFIRMATIONS, 1, 20, 64, 1]) {
      await anvil.mine(blocks)
      expect((await scene.check(id)).status).toBe('UNPAID')
    }
    expect((await scene.check(id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.009' })
    expect(app.audit()).toEqual([])
  })

  test('the order and its transaction show the sweep to the payout wallet', async () => {
    const { id, address } = await scene.opened('ethereum/usdt', 6)
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect((await scene.check(id)).status).toBe('PAID')
    expect((await scene.getOrder(id)).providerTxOut).toBeUndefined()
    const [attempt] = await app.context.storage.read(tables => tables.attempts.listOf(id))
    await anvil.run(deployCall(EVM_WALLET, saltOf(attempt!.id)))
    const { transactionHash } = await anvil.run({ to: address, data: flushCall(token) })
    expect(await anvil.balanceOf(token, EVM_WALLET)).toBeGreaterThan(0n)
    await anvil.mine(CONFIRMATIONS)
    await app.advance(3600_000)
    expect((await scene.getOrder(id)).providerTxOut).toBe(transactionHash)
    const read = await app.call('GET', `/v1/transactions?orderUUID=${id}`, { key: scene.shop.live })
    expect(read.json.data.items[0].providerTxOut ?? read.text).toContain(transactionHash)
    expect(app.audit()).toEqual([])
  })

  test('an order does not expire while its node is unreachable', async () => {
    const { id, address } = await scene.opened('ethereum/usdt', 6)
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    await anvil.stop()
    expect((await scene.check(id)).status).toBe('UNPAID')
    await app.advance(48 * 3600_000)
    expect(await statusOf(app, id)).toMatchObject({ status: 'UNPAID', attempt: { state: 'waiting' } })
    expect(app.audit()).toEqual([])
  })
})
