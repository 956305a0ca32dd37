import { expect, test } from 'bun:test'
import { readInvoice } from '../../src/networks/lightning/bolt11.ts'
import { setUpLightning, tryLightning } from '../../src/operations/addresses/lightning.ts'
import { check, givenMerchant, givenOrder, openCrypto } from '../support/given.ts'
import { startNodes } from '../support/lightning-nodes.ts'
import { startWallet } from '../support/lightning-wallet.ts'
import { startOver } from './checkout-scene.ts'

test('a buyer’s node pays the checkout, and the money arrives at the merchant’s node', async () => {
  const nodes = await startNodes()
  const wallet = startWallet(Date.now, nodes)
  const { app, close } = await startOver({
    rates: { btc: { USD: '60000' } },
    environment: { FLORIN_OUTBOUND_ALLOW: `lightning:${wallet.host}` },
  })
  const shop = await givenMerchant(app)
  const account = await tryLightning(app.context, shop.id, {
    kind: 'address',
    text: `shop@${wallet.host}`,
  })
  await setUpLightning(app.context, shop.id, account)
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await openCrypto(app, orderUUID, 'lightning')
  const page = await app.call('GET', `/pay/${orderUUID}`)
  const [, shown = ''] = /href="lightning:(LNBC[0-9A-Z]+)"/.exec(page.text) ?? []
  expect(shown.toLowerCase()).toBe(attempt.address)
  expect(readInvoice(shown)).toMatchObject({ node: account.account.node, unknownFeature: null })
  expect((await check(app, orderUUID)).status).toBe('UNPAID')

  const before = nodes.sendableMsat()
  await nodes.pay(shown)
  expect((await check(app, orderUUID)).status).toBe('PAID')
  // 25 dollars at 60,000 dollars per bitcoin
  const { amountMsat } = readInvoice(shown)
  expect(amountMsat).toBe(41_667_000n)
  expect(before - nodes.sendableMsat()).toBe(amountMsat ?? 0n)
  await app.advance(0)
  expect(app.audit()).toEqual([])
  await close()
  wallet.stop()
})
