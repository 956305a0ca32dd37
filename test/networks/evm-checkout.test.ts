import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployCall, flushCall, saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { type App, startApp } from '../support/app.ts'
import {
  check,
  EVM_WALLET,
  givenOrder,
  givenShop,
  openCrypto,
  type Shop,
  statusOf,
} from '../support/given.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'

const CHAIN_ID = 31337
const CONFIRMATIONS = 3

let anvil: Anvil
let app: App
let shop: Shop
let token: string
let folder: string
let secret: string
const receiver = startReceiver()

const row = (id: string, decimals: number, contract?: string) => ({
  id,
  network: 'evm',
  chainId: CHAIN_ID,
  decimals,
  confirmations: CONFIRMATIONS,
  ...(contract && { contract }),
})

beforeAll(async () => {
  anvil = await startAnvil()
  token = await anvil.deploy('TestTether')
  folder = mkdtempSync(join(tmpdir(), 'florin-evm-'))
  const assets = [row('ethereum/usdt', 6, token), row('ethereum/eth', 18)]
  writeFileSync(join(folder, 'assets.json'), JSON.stringify(assets))
  writeFileSync(
    join(folder, 'rates.json'),
    JSON.stringify({ 'ethereum/usdt': { USD: '1' }, 'ethereum/eth': { USD: '2500' } }),
  )
  app = await startApp({
    FLORIN_SANDBOX: 'false',
    FLORIN_ETHEREUM_URL: anvil.url,
    FLORIN_ASSETS_FILE: join(folder, 'assets.json'),
    FLORIN_RATES: `file:${join(folder, 'rates.json')}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
  })
  // The chain uses the clock of the machine.
  app.time.now = Date.now()
  shop = await givenShop(app)
  const webhook = await app.call('PUT', '/v1/webhook', { key: shop.live, body: { url: receiver.url } })
  secret = webhook.json.data.signingSecret
})
afterAll(async () => {
  await app.close()
  await anvil.stop()
  receiver.stop()
  rmSync(folder, { recursive: true })
})

const opened = async (asset: string) => {
  const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await openCrypto(app, order.orderUUID, asset)
  return {
    id: order.orderUUID as string,
    address: attempt.address as string,
    amount: attempt.amount as string,
  }
}

const getOrder = async (id: string) =>
  (await app.call('GET', `/v1/orders/${id}`, { key: shop.live })).json.data

async function delivered(id: string) {
  await app.jobs.settle()
  return receiver.received.filter(({ json }) => json.orderUUID === id)
}

describe('on a real EVM node', () => {
  test('a token payment is detected, confirmed and settled, and the merchant gets a signed event', async () => {
    const { id, address, amount } = await opened('ethereum/usdt')
    expect(amount).toBe('25')
    const hash = await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(1)
    expect((await check(app, id)).attempt).toMatchObject({
      state: 'confirming',
      confirmations: 1,
      receivedAmount: '25',
    })
    expect(await delivered(id)).toEqual([])

    await anvil.mine(CONFIRMATIONS - 1)
    expect(await check(app, id)).toMatchObject({ status: 'PAID', provisioningStatus: 'SETTLED' })
    expect(await getOrder(id)).toMatchObject({
      status: 'PAID',
      providerAddressIn: address,
      providerPayoutAddress: '0x1111111111111111111111111111111111111111',
      receivedAmount: '25',
      receivedCurrency: 'ethereum/usdt',
      transactionRef: hash,
      providerTxIn: hash,
    })
    const events = await delivered(id)
    expect(events.map(({ json }) => json.type)).toEqual(['order.paid'])
    expect(isSigned(events[0]!, secret)).toBe(true)
    expect(app.audit()).toEqual([])
  })

  test('a payment that a reorganisation removes is withdrawn, and may arrive again', async () => {
    const { id, address } = await opened('ethereum/usdt')
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(2)
    expect((await check(app, id)).attempt).toMatchObject({ state: 'confirming', confirmations: 2 })

    await anvil.reorganise(2)
    await anvil.mine(5)
    expect(await check(app, id)).toMatchObject({
      status: 'UNPAID',
      attempt: { state: 'waiting', receivedAmount: '0' },
    })

    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect((await check(app, id)).status).toBe('PAID')
    expect((await delivered(id)).length).toBe(1)
    expect(app.audit()).toEqual([])
  })

  test('a payment in another coin of the shop counts at its value', async () => {
    const { id, address } = await opened('ethereum/usdt')
    await anvil.sendNative(address, 4n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    const part = { status: 'UNPAID', credited: '10.00', left: { amount: '15.00', currency: 'USD' } }
    expect(await check(app, id)).toMatchObject(part)
    await anvil.sendToken(token, address, 15_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect(await check(app, id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: '15' } })
    expect(await app.context.storage.read(tables => tables.unmatched.list(shop.id, 10))).toEqual([])
    expect(app.audit()).toEqual([])
  })

  test('an order in the native coin is paid in two parts, and the second settles it', async () => {
    const { id, address, amount } = await opened('ethereum/eth')
    expect(amount).toBe('0.01')
    await anvil.sendNative(address, 4n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    expect((await check(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.004' })
    const page = await app.call('GET', `/pay/${id}`)
    expect(page.text).toContain('0.006 ETH left to pay')

    await anvil.sendNative(address, 6n * 10n ** 15n)
    await anvil.mine(CONFIRMATIONS)
    expect(await check(app, id)).toMatchObject({ status: 'PAID', attempt: { receivedAmount: '0.01' } })
  })

  test('an order of which ninety per cent arrive in sixty blocks stays unpaid', async () => {
    const { id, address } = await opened('ethereum/eth')
    for (let part = 0; part < 60; part++) {
      await anvil.run({ to: address, value: 15n * 10n ** 13n })
    }
    for (const blocks of [0, CONFIRMATIONS, 1, 20, 64, 1]) {
      await anvil.mine(blocks)
      expect((await check(app, id)).status).toBe('UNPAID')
    }
    expect((await check(app, id)).attempt).toMatchObject({ state: 'underpaid', receivedAmount: '0.009' })
    expect(app.audit()).toEqual([])
  })

  test('the order and its transaction show the sweep to the payout wallet', async () => {
    const { id, address } = await opened('ethereum/usdt')
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    expect((await check(app, id)).status).toBe('PAID')
    expect((await getOrder(id)).providerTxOut).toBeUndefined()
    const [attempt] = await app.context.storage.read(tables => tables.attempts.listOf(id))
    await anvil.run(deployCall(EVM_WALLET, saltOf(attempt!.id)))
    const { transactionHash } = await anvil.run({ to: address, data: flushCall(token) })
    expect(await anvil.balanceOf(token, EVM_WALLET)).toBeGreaterThan(0n)
    await anvil.mine(CONFIRMATIONS)
    await app.advance(3600_000)
    expect((await getOrder(id)).providerTxOut).toBe(transactionHash)
    const read = await app.call('GET', `/v1/transactions?orderUUID=${id}`, { key: shop.live })
    expect(read.json.data.items[0].providerTxOut ?? read.text).toContain(transactionHash)
    expect(app.audit()).toEqual([])
  })

  test('an order does not expire while its node is unreachable', async () => {
    const { id, address } = await opened('ethereum/usdt')
    await anvil.sendToken(token, address, 25_000_000n)
    await anvil.mine(CONFIRMATIONS)
    await anvil.stop()
    expect((await check(app, id)).status).toBe('UNPAID')
    await app.advance(48 * 3600_000)
    expect(await statusOf(app, id)).toMatchObject({ status: 'UNPAID', attempt: { state: 'waiting' } })
    expect(app.audit()).toEqual([])
  })
})
