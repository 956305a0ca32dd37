import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { proposeViewKey, setUpSource } from '../../src/operations/set-up-source.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { type Monero, startMonero } from '../support/monerod.ts'
import { isMissing } from '../support/programs.ts'
import { type OpenShop, openShop } from './checkout-scene.ts'

const START_MS = 120_000
const CONFIRMATIONS = 10

const isSkipped = isMissing('Tests of Monero from order to payment', 'monerod', 'monero-wallet-rpc')
const wallet = merchantOf('checkout')

let monero: Monero
let shop: OpenShop

beforeAll(async () => {
  if (isSkipped) return
  monero = await startMonero()
  shop = await openShop({
    environment: { FLORIN_MONERO_URL: monero.url },
    rates: { xmr: { USD: '160' } },
    cryptoWallets: { xmr: wallet.payout },
  })
}, START_MS)
afterAll(async () => {
  await shop?.close()
  await monero?.stop()
})

describe.skipIf(isSkipped)('on Monero', () => {
  test('nothing is offered without the view key: no payment could be seen', async () => {
    await expect(shop.opened('xmr', 12)).rejects.toThrow('method_not_offered')
  })

  test('the key that spends is refused in the place of the view key, and nothing is kept', async () => {
    const { world } = shop.app
    await expect(proposeViewKey(world, shop.shop.id, wallet.spendKey)).rejects.toThrow(/SPEND/)
    await expect(proposeViewKey(world, shop.shop.id, merchantOf('another').viewKey)).rejects.toThrow()
  })

  test('each order has its subaddress, and is seen, confirmed, paid and told', async () => {
    const { world } = shop.app
    await setUpSource(world, await proposeViewKey(world, shop.shop.id, wallet.viewKey))
    const [first, second] = [await shop.opened('xmr', 12), await shop.opened('xmr', 12)]
    expect([first.address, second.address]).toEqual([wallet.own(1).address, wallet.own(2).address])
    const hash = await monero.pay([{ address: second.address, amount: second.due }])
    await monero.mine()
    expect((await shop.check(second.id)).attempt).toMatchObject({ state: 'confirming', confirmations: 1 })
    await monero.mine(CONFIRMATIONS)
    expect(await shop.check(second.id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
    expect((await shop.check(first.id)).status).toBe('UNPAID')
    expect(await shop.readOrder(second.id)).toMatchObject({ providerTxIn: hash, receivedCurrency: 'xmr' })
    expect(await shop.told(second.id)).toEqual([['order.paid', true]])
    expect(shop.app.audit()).toEqual([])
  })
})
