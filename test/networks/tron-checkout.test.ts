import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { deriveAddress } from '../support/known-coins.ts'
import { toHex, toTron } from '../support/tron-chain.ts'
import { startTronFront, type TronFront } from '../support/tron-front.ts'
import { type OpenShop, openShop } from './checkout-scene.ts'

const SOLID_LAG = 3
const ACCOUNT = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive("m/44'/195'/0'").publicExtendedKey

let anvil: Anvil
let front: TronFront
let usdt: string
let shop: OpenShop

beforeAll(async () => {
  anvil = await startAnvil()
  front = startTronFront(anvil, { solidLag: SOLID_LAG })
  usdt = await anvil.deploy('TestTether')
  await anvil.mine(SOLID_LAG)
  shop = await openShop({
    environment: { FLORIN_TRON_URL: `trongrid+${front.url}` },
    rates: { 'trc20/trx': { USD: '0.25' }, 'trc20/usdt': { USD: '1' } },
    assets: [{ id: 'trc20/usdt', contract: toTron(usdt) }],
  })
  await setUpSource(
    shop.app.context,
    await previewAccount(shop.app.context, shop.shop.id, 'trc20', ACCOUNT, null),
  )
})
afterAll(async () => {
  await shop.close()
  front.stop()
  await anvil.stop()
})

describe('on TRON', () => {
  test.each([
    ['trc20/usdt', 0],
    ['trc20/trx', 1],
  ])(
    'an order in %s is paid at an address of the account, and the merchant gets an event',
    async (asset, index) => {
      const { id, address, dueAtomic } = await shop.opened(asset, 6)
      expect(address).toBe(deriveAddress('trc20', ACCOUNT, null, index))
      const to = toHex(address)
      const hash = await (asset === 'trc20/usdt'
        ? anvil.sendToken(usdt, to, dueAtomic)
        : anvil.sendNative(to, dueAtomic))
      await anvil.mine(1)
      expect((await shop.check(id)).attempt.state).toBe('confirming')
      await anvil.mine(SOLID_LAG)
      expect(await shop.check(id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
      expect(await shop.getOrder(id)).toMatchObject({ providerTxIn: hash.slice(2), receivedCurrency: asset })
      expect(await shop.eventsOf(id)).toEqual([['order.paid', true]])
      expect(shop.app.audit()).toEqual([])
    },
  )
})
