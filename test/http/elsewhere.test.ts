import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { registry } from '../../src/coins/registry.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, openCrypto, type Shop } from '../support/given.ts'
import { givenCoinShop, incomingPaymentsOf, rest } from './payments.ts'

let app: App
let shop: Shop
beforeAll(async () => {
  app = await startApp()
  shop = await givenCoinShop(app)
})
afterAll(async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
  await app.close()
})

const evmAssets = registry.assets.filter(({ network }) => network === 'evm')
const chains = [...new Set(evmAssets.map(({ chain }) => chain))]

async function opened(asset: string): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, asset)
  return orderUUID
}

const send = (orderUUID: string, assetId: string, more: object = {}) =>
  app.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid', assetId, ...more } })
const ask = (orderUUID: string) => app.call('POST', `/pay/${orderUUID}/check`, { form: { elsewhere: '1' } })
const foundFor = (order: string) =>
  incomingPaymentsOf(app, order).map(({ source, asset_id, state }) => [source, asset_id, state])

describe('a payment that was sent on another chain than was asked for is found', () => {
  const pairs = chains.flatMap(chain =>
    evmAssets.filter(asset => asset.chain !== chain).map(asset => [chain, asset.id]),
  )

  test.each(pairs)('asked for on %s, sent as %s', async (chain, sent) => {
    const asked = evmAssets.find(asset => asset.chain === chain)!
    const order = await opened(asked.id)
    expect((await send(order, sent!)).status).toBe(202)
    await check(app, order)
    expect(foundFor(order)).toEqual([])
    await ask(order)
    await app.advance(2000)
    expect(foundFor(order)).toEqual([[sent!.split('/')[0], sent!, 'final']])
  })

  test('by each end of a lock, without being asked', async () => {
    const orders = await Promise.all(evmAssets.map(({ id }) => opened(id)))
    const other = (id: string) => evmAssets.find(asset => asset.chain !== id.split('/')[0])!
    for (const [index, { id }] of evmAssets.entries()) await send(orders[index]!, other(id).id)
    await app.advance(31 * 60_000)
    for (const [index, { id }] of evmAssets.entries()) {
      const { chain, id: sent } = other(id)
      expect(foundFor(orders[index]!)).toEqual([[chain, sent, 'final']])
    }
  })
})

describe('another listed coin on the same chain is found', () => {
  const listed = registry.assets
  const siblings = listed.flatMap(asked =>
    listed
      .filter(sent => sent.chain === asked.chain && sent.id !== asked.id)
      .map(sent => [asked.id, sent.id]),
  )

  test.each(siblings)('asked for %s, sent %s', async (asked, sent) => {
    const order = await opened(asked!)
    await send(order, sent!)
    await check(app, order)
    expect(foundFor(order)).toEqual([[asked!.split('/')[0], sent!, 'final']])
  })
})

describe('the coin that is really sent', () => {
  test('is refused where it cannot be sent to the address', async () => {
    const order = await opened('ethereum/usdc')
    for (const assetId of ['btc', 'solana/usdc', 'tron/usdt', 'ethereum/nonsense', '']) {
      const { status, json } = await send(order, assetId)
      expect([status, json.error.details[0].path]).toEqual([400, '/assetId'])
    }
    expect((await send(order, 'ethereum/usdc')).status).toBe(202)
    expect((await check(app, order)).status).toBe('PAID')
  })

  test('is worth what is due, or the given amount', async () => {
    const order = await opened('ethereum/usdc')
    await send(order, 'polygon/usdt')
    await send(order, 'base/eth', { amount: '0.5' })
    await ask(order)
    await app.advance(2000)
    expect(
      incomingPaymentsOf(app, order)
        .map(({ amount_atomic }) => amount_atomic)
        .toSorted(),
    ).toEqual(['25000000', `5${'0'.repeat(17)}`])
  })
})
