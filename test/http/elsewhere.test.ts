import { describe, expect, test } from 'bun:test'
import { registry } from '../../src/coins/registry.ts'
import { check, givenOrder, openCrypto } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { waysOf } from '../support/whole.ts'
import { givenCoinShop, incomingPaymentsOf } from './payments.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))

const evmAssets = registry.assets.filter(({ network }) => network === 'evm')
const chains = [...new Set(evmAssets.map(({ chain }) => chain))]

async function opened(asset: string): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, asset)
  return orderUUID
}

const send = (orderUUID: string, assetId: string, more: object = {}) =>
  app.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid', assetId, ...more } })
/** Another request came just before, so this one is answered two seconds later. */
const askAfterOthers = (orderUUID: string) =>
  app.call('POST', `/pay/${orderUUID}/check`, { form: { elsewhere: '1' }, headers: { accept: 'text/html' } })
async function ask(orderUUID: string) {
  await app.advance(2000)
  return askAfterOthers(orderUUID)
}
const foundFor = (order: string) =>
  incomingPaymentsOf(app, order).map(({ source, asset_id, state }) => [source, asset_id, state])

describe('a payment that was sent on another chain than was asked for is found', () => {
  const pairs = evmAssets.flatMap(({ id, chain: own }, at) => {
    const others = chains.filter(chain => chain !== own)
    return waysOf(others, at).map(chain => [chain, id] as const)
  })

  test.each(pairs)('when it was asked for on %s and sent as %s', async (chain, sent) => {
    const asked = evmAssets.find(asset => asset.chain === chain)!
    const order = await opened(asked.id)
    expect((await send(order, sent)).status).toBe(202)
    await check(app, order)
    expect(foundFor(order)).toEqual([])
    await ask(order)
    await app.advance(2000)
    expect(foundFor(order)).toEqual([[sent.split('/')[0], sent, 'final']])
  })

  test('when a lock ends, although nobody requests a check', async () => {
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
  const siblings = listed.flatMap((sent, at) => {
    const others = listed.filter(({ chain, id }) => chain === sent.chain && id !== sent.id)
    return (others.length > 0 ? waysOf(others, at) : []).map(({ id }) => [id, sent.id] as const)
  })

  test.each(siblings)('when %s was asked for and %s was sent', async (asked, sent) => {
    const order = await opened(asked)
    await send(order, sent)
    await check(app, order)
    expect(foundFor(order)).toEqual([[asked.split('/')[0], sent, 'final']])
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

  test('is worth the amount due, or the given amount', async () => {
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

describe('the page of an order', () => {
  const pageOf = async (order: string, language = 'en') =>
    (await app.call('GET', `/pay/${order}?lang=${language}`)).text
  const textOf = async (order: string, language = 'en') =>
    (await pageOf(order, language)).replace(/<[^>]*>/g, '')
  const clickable = /name="elsewhere" value="1"/

  test('offers to look at other networks for EVM addresses only, and reports what was found', async () => {
    expect(await pageOf(await opened('btc'))).not.toMatch(clickable)
    const order = await opened('polygon/usdc')
    expect(await pageOf(order)).toMatch(clickable)
    expect(await textOf(order)).not.toContain('We looked')
    await ask(await opened('base/usdc'))
    const asked = await askAfterOthers(order)
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/pay\/.*checked=/),
    ])
    expect(await textOf(order)).toContain(
      'We’re looking at Ethereum, Base, BNB Smart Chain, Arbitrum, and Optimism',
    )
    await app.advance(2000)
    expect(await textOf(order)).toMatch(
      /We looked at Ethereum, Base, .*and Optimism at \d+:\d\d:\d\d.* UTC and found nothing/,
    )
    await send(order, 'base/usdc', { amount: '10' })
    await app.advance(31 * 60_000)
    expect(await pageOf(order)).toMatch(clickable)
    expect(await textOf(order)).toContain('We found 10 USDC on Base.')
    expect(await textOf(order)).toContain('Received $10.00 of $25.00 · $15.00 left')
    expect(await textOf(order, 'de')).toContain('Gefunden: 10 USDC auf Base.')
    await send(order, 'base/usdc', { amount: '15' })
    await app.advance(61 * 60_000)
    expect(await textOf(order)).toContain('Paid')
  })

  test('says which network could not be reached, that nothing is lost, and then what arrived there', async () => {
    const order = await opened('ethereum/usdc')
    await send(order, 'base/usdc', { amount: '10' })
    const down = (isDown: boolean) =>
      app.call('POST', '/sandbox/outage', { body: { upstream: 'chain', down: isDown } })
    expect((await down(true)).status).toBeLessThan(300)
    await ask(order)
    await app.advance(2000)
    expect(await textOf(order)).toContain('We couldn’t reach Polygon, Base')
    await down(false)
    await app.advance(3 * 60_000)
    expect(await textOf(order)).toContain('We found 10 USDC on Base.')
    expect(await textOf(order)).not.toContain('couldn’t reach')
    await app.advance(2 * 3600_000)
    expect(await textOf(order)).toContain('We received 10 USDC on Base, worth $10.00.')
  })
})
