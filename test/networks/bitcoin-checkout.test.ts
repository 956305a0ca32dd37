import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { toUnits } from '../../src/domain/money.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { type App, startApp } from '../support/app.ts'
import { type FrontCoin, startFront } from '../support/bitcoin-front.ts'
import { check, givenMerchant, givenOrder, openCrypto, type Shop } from '../support/given.ts'
import { type Litecoind, startLitecoind } from '../support/litecoind.ts'
import { isMissing } from '../support/programs.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'

const isSkipped = isMissing('Tests of coins from order to payment', 'litecoind')

/** The account of each coin, and the protocol by which it is watched here. */
const coins: Record<FrontCoin, { path: string; protocol: string; setting: string; rate: string }> = {
  btc: { path: "m/84'/0'/0'", protocol: 'esplora', setting: 'FLORIN_BITCOIN_URL', rate: '60000' },
  ltc: { path: "m/84'/2'/0'", protocol: 'core', setting: 'FLORIN_LITECOIN_URL', rate: '80' },
  doge: { path: "m/44'/3'/0'", protocol: 'blockbook', setting: 'FLORIN_DOGECOIN_URL', rate: '0.16' },
  bitcoincash: {
    path: "m/44'/145'/0'",
    protocol: 'blockbook',
    setting: 'FLORIN_BITCOINCASH_URL',
    rate: '400',
  },
  zec: { path: "m/44'/133'/0'", protocol: 'blockbook', setting: 'FLORIN_ZCASH_URL', rate: '40' },
}
const names = Object.keys(coins) as FrontCoin[]

let node: Litecoind
const fronts = new Map<FrontCoin, ReturnType<typeof startFront>>()
let app: App
let shop: Shop
let folder: string
let secret: string
const receiver = startReceiver()

beforeAll(async () => {
  if (isSkipped) return
  node = await startLitecoind()
  for (const coin of names) fronts.set(coin, startFront(node, { coin }))
  folder = mkdtempSync(join(tmpdir(), 'florin-coins-'))
  const rates = Object.fromEntries(names.map(name => [name, { USD: coins[name].rate }]))
  writeFileSync(join(folder, 'rates.json'), JSON.stringify(rates))
  const environment = {
    FLORIN_SANDBOX: 'false',
    FLORIN_RATES: `file:${join(folder, 'rates.json')}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    ...Object.fromEntries(
      names.map(name => {
        const { protocol, setting } = coins[name]
        return [setting, `${protocol}+${protocol === 'core' ? node.url : fronts.get(name)!.url}`]
      }),
    ),
  }
  app = await startApp(environment)
  app.time.now = Date.now()
  shop = await givenMerchant(app)
  for (const name of names) {
    const seed = new Uint8Array(32).fill(names.indexOf(name) + 1)
    const key = HDKey.fromMasterSeed(seed).derive(coins[name].path).publicExtendedKey
    await setUpSource(app.context, await previewAccount(app.context, shop.id, name, key, null))
  }
  const webhook = await app.call('PUT', '/v1/webhook', { key: shop.live, body: { url: receiver.url } })
  secret = webhook.json.data.signingSecret
})
afterAll(async () => {
  await app?.close()
  for (const front of fronts.values()) await front.stop()
  await node?.stop()
  receiver.stop()
  if (folder) rmSync(folder, { recursive: true })
})

async function opened(asset: FrontCoin) {
  const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await openCrypto(app, order.orderUUID, asset)
  const script = scriptOf(asset, attempt.address)!
  return {
    id: order.orderUUID as string,
    script,
    dueAtomic: toUnits(attempt.amount, 8)!,
    address: attempt.address,
  }
}

const getOrder = async (id: string) =>
  (await app.call('GET', `/v1/orders/${id}`, { key: shop.live })).json.data

describe.skipIf(isSkipped)('on a real chain', () => {
  test.each(names)('an order in %s is detected, confirmed, paid and reported by webhook', async asset => {
    const { id, script, dueAtomic, address } = await opened(asset)
    const txId = await node.pay({ script, amount: dueAtomic })
    expect((await check(app, id)).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
    await node.mine(10)
    expect(await check(app, id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
    expect(await getOrder(id)).toMatchObject({
      providerAddressIn: address,
      providerTxIn: txId,
      transactionRef: txId,
      receivedCurrency: asset,
    })
    await app.jobs.settle()
    const events = receiver.received.filter(({ json }) => json.orderUUID === id)
    expect(events.map(({ json }) => json.type)).toEqual(['order.paid'])
    expect(isSigned(events[0]!, secret)).toBe(true)
    expect(app.audit()).toEqual([])
  })

  test('two partial payments add up, and an overpayment settles too', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    await node.pay({ script, amount: dueAtomic / 2n })
    await node.mine(2)
    expect((await check(app, id)).attempt.state).toBe('underpaid')
    await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await check(app, id)).status).toBe('PAID')
  })

  test('a payment that a reorganisation removes is not counted, and can be made again', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    const txId = await node.pay({ script, amount: dueAtomic })
    await node.mine(1)
    expect((await check(app, id)).attempt).toMatchObject({ state: 'confirming', confirmations: 1 })
    await node.takeBack(1)
    await node.replace(txId)
    await node.mine(3)
    expect(await check(app, id)).toMatchObject({
      status: 'UNPAID',
      attempt: { state: 'waiting', receivedAmount: '0' },
    })
    await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await check(app, id)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
  })

  test('a late payment is found by the jobs, days after the lock', async () => {
    const { id, script, dueAtomic } = await opened('doge')
    await app.advance(3 * 24 * 3600_000)
    expect((await getOrder(id)).status).toBe('EXPIRED')
    await node.pay({ script, amount: dueAtomic })
    await node.mine(8)
    await app.advance(3600_000)
    expect((await getOrder(id)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
  })

  test('an order stays paid when its payment leaves the chain; the merchant is notified once', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    const txId = await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await check(app, id)).status).toBe('PAID')
    const kinds = async () => {
      const notifications = await app.context.storage.read(tables => tables.notifications.list(shop.id, 50))
      return notifications.filter(({ orderId }) => orderId === id).map(({ kind }) => kind)
    }
    // A chain that is only shorter says nothing: the node may be behind.
    await node.takeBack(2)
    await check(app, id)
    await app.advance(3600_000)
    expect(await kinds()).toEqual([])
    await node.replace(txId)
    await node.mine(3)
    await app.advance(3600_000)
    await app.advance(3600_000)
    expect((await getOrder(id)).status).toBe('PAID')
    expect(await kinds()).toEqual(['payment_reorganised'])
    expect(app.audit()).toEqual([])
  })
})
