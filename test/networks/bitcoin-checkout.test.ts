import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import type { App } from '../support/app.ts'
import { type FrontCoin, startFront } from '../support/bitcoin-front.ts'
import { type Litecoind, startLitecoind } from '../support/litecoind.ts'
import { isMissing } from '../support/programs.ts'
import { type OpenShop, openShop } from './checkout-scene.ts'

const isSkipped = isMissing('Tests of coins from order to payment', 'litecoind')

/** The account of each coin, and the protocol that watches it in these tests. */
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
let scene: OpenShop

beforeAll(async () => {
  if (isSkipped) return
  node = await startLitecoind()
  for (const coin of names) fronts.set(coin, startFront(node, { coin }))
  scene = await openShop({
    environment: Object.fromEntries(
      names.map(name => {
        const { protocol, setting } = coins[name]
        return [setting, `${protocol}+${protocol === 'core' ? node.url : fronts.get(name)!.url}`]
      }),
    ),
    rates: Object.fromEntries(names.map(name => [name, { USD: coins[name].rate }])),
  })
  app = scene.app
  for (const name of names) {
    const seed = new Uint8Array(32).fill(names.indexOf(name) + 1)
    const key = HDKey.fromMasterSeed(seed).derive(coins[name].path).publicExtendedKey
    await setUpSource(app.context, await previewAccount(app.context, scene.shop.id, name, key, null))
  }
})
afterAll(async () => {
  await scene?.close()
  for (const front of fronts.values()) await front.stop()
  await node?.stop()
})

async function opened(asset: FrontCoin) {
  const own = await scene.opened(asset, 8)
  return { ...own, script: scriptOf(asset, own.address)! }
}

describe.skipIf(isSkipped)('on a real chain', () => {
  test.each(names)('an order in %s is detected, confirmed, paid and reported by webhook', async asset => {
    const { id, script, dueAtomic, address } = await opened(asset)
    const txId = await node.pay({ script, amount: dueAtomic })
    expect((await scene.check(id)).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
    await node.mine(10)
    expect(await scene.check(id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
    expect(await scene.getOrder(id)).toMatchObject({
      providerAddressIn: address,
      providerTxIn: txId,
      transactionRef: txId,
      receivedCurrency: asset,
    })
    expect(await scene.eventsOf(id)).toEqual([['order.paid', true]])
    expect(app.audit()).toEqual([])
  })

  test('two partial payments add up, and an overpayment pays the order too', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    await node.pay({ script, amount: dueAtomic / 2n })
    await node.mine(2)
    expect((await scene.check(id)).attempt.state).toBe('underpaid')
    await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await scene.check(id)).status).toBe('PAID')
  })

  test('a payment that a reorganisation removes is not counted, and can be made again', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    const txId = await node.pay({ script, amount: dueAtomic })
    await node.mine(1)
    expect((await scene.check(id)).attempt).toMatchObject({ state: 'confirming', confirmations: 1 })
    await node.takeBack(1)
    await node.replace(txId)
    await node.mine(3)
    expect(await scene.check(id)).toMatchObject({
      status: 'UNPAID',
      attempt: { state: 'waiting', receivedAmount: '0' },
    })
    await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await scene.check(id)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
  })

  test('a late payment is found by the jobs, days after the lock', async () => {
    const { id, script, dueAtomic } = await opened('doge')
    await app.advance(3 * 24 * 3600_000)
    expect((await scene.getOrder(id)).status).toBe('EXPIRED')
    await node.pay({ script, amount: dueAtomic })
    await node.mine(8)
    await app.advance(3600_000)
    expect((await scene.getOrder(id)).status).toBe('PAID')
    expect(app.audit()).toEqual([])
  })

  test('an order stays paid when its payment leaves the chain; the merchant is notified once', async () => {
    const { id, script, dueAtomic } = await opened('ltc')
    const txId = await node.pay({ script, amount: dueAtomic })
    await node.mine(2)
    expect((await scene.check(id)).status).toBe('PAID')
    const kinds = async () => {
      const notifications = await app.context.storage.read(tables =>
        tables.notifications.list(scene.shop.id, 50),
      )
      return notifications.filter(({ orderId }) => orderId === id).map(({ kind }) => kind)
    }
    // A chain that is merely shorter proves nothing: the node may be behind.
    await node.takeBack(2)
    await scene.check(id)
    await app.advance(3600_000)
    expect(await kinds()).toEqual([])
    await node.replace(txId)
    await node.mine(3)
    await app.advance(3600_000)
    await app.advance(3600_000)
    expect((await scene.getOrder(id)).status).toBe('PAID')
    expect(await kinds()).toEqual(['payment_reorganised'])
    expect(app.audit()).toEqual([])
  })
})
