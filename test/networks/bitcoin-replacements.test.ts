import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { toUnits } from '../../src/domain/money.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { check, givenMerchant } from '../support/given.ts'
import { isMissing } from '../support/programs.ts'
import { openScene, protocols, type Scene } from './bitcoin-scene.ts'
import { openOrder, startOver } from './checkout-scene.ts'

const isSkipped = isMissing('Tests of replaced transactions', 'litecoind')

const HOUR_MS = 3600_000
const MINUTE_MS = 60_000
const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/2'/0'").publicExtendedKey

let scene: Scene
/** The time of the node's clock, which only moves forward. */
let now = 0

beforeAll(async () => {
  if (isSkipped) return
  scene = await openScene()
  now = Date.now()
})
afterAll(() => scene?.stop())

/** A shop that decides about late payments by hand, with an open payment of 25 USD in LTC. */
async function openPayment(protocol: (typeof protocols)[number]) {
  const endpoint = scene.endpoints[protocol]
  const { app, close } = await startOver({
    environment: { FLORIN_LITECOIN_URL: `${endpoint.protocol}+${endpoint.url}` },
    rates: { ltc: { USD: '80' } },
  })
  const setTime = async (at: number) => {
    now = at
    app.time.now = at
    await scene.node.rpc('setmocktime', Math.floor(at / 1000))
  }
  await setTime(now)
  const shop = await givenMerchant(app)
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'ltc', key, null))
  const { id, address, amount } = await openOrder(app, shop, 'ltc')
  const output = { script: scriptOf('ltc', address)!, amount: toUnits(amount, 8)! }
  return {
    app,
    close,
    output,
    check: async () => {
      const status = await check(app, id)
      now = app.time.now
      return status
    },
    later: (ms: number) => setTime(app.time.now + ms),
  }
}

describe.skipIf(isSkipped).each(protocols)('a transaction that is replaced, over %s', protocol => {
  test('keeps the time at which the first one was seen', async () => {
    const { app, output, check, later, close } = await openPayment(protocol)
    const first = await scene.node.pay(output)
    expect((await check()).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
    await later(2 * HOUR_MS)
    const second = await scene.node.bump(first, output)
    expect((await check()).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
    await later(HOUR_MS)
    const third = await scene.node.bump(second, output)
    await scene.node.mine(10)
    expect(await check()).toMatchObject({ status: 'PAID' })
    expect(third).not.toBe(second)
    expect(app.audit()).toEqual([])
    await close()
  })

  test('is late if it shares no input with one that was seen in time', async () => {
    const { output, check, later, close } = await openPayment(protocol)
    const first = await scene.node.pay(output)
    expect((await check()).attempt).toMatchObject({ state: 'confirming', confirmations: 0 })
    await scene.node.replace(first)
    await later(2 * HOUR_MS)
    await scene.node.mine(1)
    await scene.node.pay(output)
    await scene.node.mine(10)
    expect(await check()).toMatchObject({ status: 'UNPAID' })
    await close()
  })

  test('is not taken for late because the clock of its miner is ahead', async () => {
    const { app, output, check, later, close } = await openPayment(protocol)
    const openedAt = app.time.now
    await later(MINUTE_MS)
    await scene.node.pay(output)
    await scene.node.rpc('setmocktime', Math.floor((openedAt + 115 * MINUTE_MS) / 1000))
    await scene.node.mine(10)
    expect(await check()).toMatchObject({ status: 'PAID' })
    now = openedAt + 2 * HOUR_MS
    await close()
  })
})
