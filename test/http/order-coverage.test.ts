import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { endOrder } from '../../src/operations/orders/end.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
import { check, givenOrder, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  openOnly,
  outage,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { data } from './request.ts'
import { type Row, rowOf } from './rows.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

// In the sandbox, BTC costs 60,000 USD, LTC 80 USD and USDC 1 USD.
const newOrder = async (): Promise<string> => (await givenOrder(app, shop)).orderUUID
const pageOf = async (id: string): Promise<string> => (await app.call('GET', `/pay/${id}`)).text
const newest = (id: string): Row => attemptsOf(app, id).at(-1)!
const dueOf = (attempt: Row): bigint => BigInt(String(attempt.due_atomic))

async function pay(id: string, attempt: Row, atomic: bigint): Promise<string> {
  await sendCoins(app, attempt, atomic)
  return (await check(app, id)).status
}

/** An order of 25.00 USD that received 12.00 in Bitcoin. */
async function partPaid(): Promise<string> {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  expect(await pay(id, btc, 20_001n)).toBe('UNPAID')
  return id
}

test('a coin that was chosen before can be chosen again', async () => {
  const id = await newOrder()
  for (const asset of ['btc', 'polygon/usdc', 'ltc', 'btc']) await openOnly(app, id, asset)
  expect(attemptsOf(app, id)).toHaveLength(3)
  expect((await statusOf(app, id)).attempt.assetId).toBe('btc')
  const page = await pageOf(id)
  expect(page).toContain('Pay 0.00041667 BTC')
  for (const other of ['USDC on Polygon', 'Litecoin']) expect(page).toContain(`Continue with ${other}`)
})

test('a card page that was chosen before can be chosen again, and its decline is reported', async () => {
  const id = await newOrder()
  const card = () => app.call('GET', `/payment/process/${id}?method=moonpay`)
  await card()
  await openOnly(app, id, 'btc')
  expect(await pageOf(id)).toContain('Pay 0.00041667 BTC')
  await card()
  expect(attemptsOf(app, id)).toHaveLength(2)
  expect(await pageOf(id)).toContain('Waiting for MoonPay')
  const attemptId = attemptsOf(app, id).find(({ kind }) => kind === 'redirect')!.id
  await app.call('POST', '/sandbox/simulate', { body: { orderUUID: id, outcome: 'failed', attemptId } })
  await check(app, id)
  expect(await pageOf(id)).toContain('MoonPay.com declined the payment')
})

test('the rest of a part payment is asked for in another coin, and completes the order', async () => {
  const id = await partPaid()
  expect(await pageOf(id)).toContain('Received $12.00 of $25.00 · $13.00 left')
  expect((await app.call('GET', `/pay/${id}?choose=1`)).text).toContain('13 USDC')
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(dueOf(usdc)).toBe(13_000_000n)
  const page = await pageOf(id)
  expect(page).toContain('Received $12.00 of $25.00 · $13.00 left')
  expect(page).toContain('Pay 13 USDC')
  expect(page).toContain('Continue with Bitcoin')
  expect(await pay(id, usdc, 13_000_000n)).toBe('PAID')
  expect(unmatchedOf(app, id)).toEqual([])
  expect(await pageOf(id)).not.toContain('second payment')
  const { verdict, evidence } = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', id)
  expect(verdict).toBe('exact')
  expect(JSON.parse(String(evidence)).parts).toMatchObject([
    { assetId: 'btc', credited: '12.00' },
    { assetId: 'polygon/usdc', credited: '13.00' },
  ])
})

test('a settlement lists money in another coin at the same address as that coin', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'ethereum/eth')
  for (const [assetId, amount] of [
    ['ethereum/usdc', '12'],
    ['ethereum/usdt', '13'],
  ]) {
    const sent = { orderUUID: id, outcome: 'paid', assetId, amount }
    expect((await app.call('POST', '/sandbox/simulate', { body: sent })).status).toBe(202)
  }
  expect((await check(app, id)).status).toBe('PAID')
  const { evidence } = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', id)
  expect(JSON.parse(String(evidence)).parts).toMatchObject([
    { assetId: 'ethereum/usdc', amount: '12', credited: '12.00' },
    { assetId: 'ethereum/usdt', amount: '13', credited: '13.00' },
  ])
})

test('the first coin still asks for the rest, and a card page is opened for it', async () => {
  const id = await partPaid()
  await openOnly(app, id, 'polygon/usdc')
  await openOnly(app, id, 'btc')
  expect(await pageOf(id)).toContain('0.00021666 BTC left to pay')
  expect((await app.call('GET', `/payment/process/${id}?method=stripe`)).status).toBe(303)
  expect(newest(id)).toMatchObject({ kind: 'redirect', priced: '13.00' })
  expect((await simulate(app, id, 'paid')).status).toBe(202)
  expect((await check(app, id)).status).toBe('PAID')
})

test('after half of a card payment, a new card page is for the rest', async () => {
  const id = await newOrder()
  const open = () => app.call('GET', `/payment/process/${id}?method=stripe`)
  await open()
  await simulate(app, id, 'underpaid')
  expect(await pageOf(id)).toContain('Received $12.50 of $25.00 · $12.50 left')
  await open()
  expect(attemptsOf(app, id).map(({ priced }) => priced)).toEqual(['25.00', '12.50'])
  await simulate(app, id, 'paid')
  expect((await statusOf(app, id)).status).toBe('PAID')
})

test('a new price after the time has run out is for the rest alone', async () => {
  const id = await newOrder()
  const first = await openOnly(app, id, 'ethereum/usdc')
  await pay(id, first, 12_500_000n)
  await app.advance(2 * HOUR_MS)
  const second = await openOnly(app, id, 'ethereum/usdc')
  expect(dueOf(second)).toBe(12_500_000n)
  expect(await pay(id, second, 12_500_000n)).toBe('PAID')
  expect(unmatchedOf(app, id)).toEqual(['underpaid resolved'])
})

test('scripts get a URI for the rest, as the page has it, and the amount that was due', async () => {
  const id = await newOrder()
  const usdc = await openOnly(app, id, 'polygon/usdc')
  const btc = await openOnly(app, id, 'btc')
  expect((await statusOf(app, id)).attempt.uri).toContain('amount=0.00041667')
  await pay(id, btc, 20_001n)
  const { attempt } = await statusOf(app, id)
  expect([attempt.amount, attempt.uri]).toEqual(['0.00041667', expect.stringContaining('amount=0.00021666&')])
  await openOnly(app, id, 'polygon/usdc')
  const other = (await statusOf(app, id)).attempt
  expect([other.amount, other.uri]).toEqual(['25', expect.stringMatching(/uint256=13000000$/)])
  expect(await pageOf(id)).toContain(other.uri.replaceAll('&', '&amp;'))
  expect(await pay(id, usdc, 13_000_000n)).toBe('PAID')
})

describe('scripts get a URI without an amount', () => {
  const uriOf = async (id: string) => (await check(app, id)).attempt.uri

  test('while seen payments in any coin cover the order, and once it is paid', async () => {
    const id = await newOrder()
    const usdc = await openOnly(app, id, 'polygon/usdc')
    const btc = await openOnly(app, id, 'btc')
    await sendCoins(app, btc, 41_667n, 'pending')
    expect(await uriOf(id)).toBe(`bitcoin:${btc.address}?label=Corner%20Coffee`)
    await simulate(app, id, 'vanished')
    expect(await uriOf(id)).toContain('amount=0.00041667')
    await sendCoins(app, usdc, 25_000_000n)
    expect(await uriOf(id)).not.toContain('amount=')
  })

  test('while a late payment waits for the shop, and after the order has ended', async () => {
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const id = await newOrder()
    await openOnly(app, id, 'ethereum/usdc')
    await app.advance(2 * HOUR_MS)
    await simulate(app, id, 'late')
    expect(await uriOf(id)).toMatch(/^ethereum:0x\w+@1[/]transfer[?]address=0x\w{40}$/)
    await changeMerchant(app.context, shop.id, { late: 'settle' })
    const ended = await newOrder()
    await openOnly(app, ended, 'ethereum/usdc')
    await endOrder(app.context, shop.id, ended)
    expect(await uriOf(ended)).not.toContain('uint256')
  })
})

test('in the hour after the lock, the page still shows where to pay the rest', async () => {
  const id = await newOrder()
  const attempt = await openOnly(app, id, 'ethereum/usdc')
  await pay(id, attempt, 12_500_000n)
  await app.advance(31 * MINUTE_MS)
  const page = await pageOf(id)
  expect(page).toContain('12.5 USDC left to pay')
  expect(page).toContain(String(attempt.address))
  expect(page).not.toContain('time to pay has run out')
  expect(await pay(id, attempt, 12_500_000n)).toBe('PAID')
})

test('four parts in three coins, one of them late, pay the order once', async () => {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  await pay(id, btc, 10_000n)
  const ltc = await openOnly(app, id, 'ltc')
  await pay(id, ltc, dueOf(ltc) / 4n)
  await app.advance(3 * HOUR_MS)
  await pay(id, btc, 10_000n)
  const left = (await statusOf(app, id)).left.amount
  expect(await pageOf(id)).toContain(`$${left} left`)
  expect(await pageOf(id)).not.toContain('unpaid')
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(usdc.priced).toBe(left)
  expect(await pay(id, usdc, dueOf(usdc))).toBe('PAID')
  expect(unmatchedOf(app, id).every(row => String(row).endsWith('resolved'))).toBe(true)
})

test('a tiny payment that can be replaced does not lock the price of the whole amount', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  const tiny = { orderUUID: id, outcome: 'pending', amount: '0.000001', fee: 'low' }
  expect((await app.call('POST', '/sandbox/simulate', { body: tiny })).status).toBe(202)
  await check(app, id)
  await app.advance(4 * HOUR_MS)
  await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'btc', currency: 'USD', rate: '30000' } })
  await app.advance(2 * MINUTE_MS)
  // The replacement spends the same coins, and is worth half of the order.
  const replaced = { orderUUID: id, outcome: 'replaced', amount: '0.00041667' }
  expect((await app.call('POST', '/sandbox/simulate', { body: replaced })).status).toBe(202)
  expect(
    (await app.call('POST', '/sandbox/simulate', { body: { orderUUID: id, outcome: 'mined' } })).status,
  ).toBe(202)
  expect((await check(app, id)).status).toBe('UNPAID')
  expect(Number((await statusOf(app, id)).left.amount)).toBeGreaterThan(12)
})

test('the page says that the network cannot be reached, and claims no check that was not made', async () => {
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  await check(app, id)
  expect(await pageOf(id)).toContain('data-countdown')
  await sendCoins(app, btc, dueOf(btc))
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  const { attempt } = await statusOf(app, id)
  expect(attempt.blindSince).not.toBeNull()
  const answer = await app.call('POST', `/pay/${id}/check`, { headers: { accept: 'text/html' } })
  const page = (await app.call('GET', String(answer.headers.get('location')))).text
  expect(page).toContain('We can’t reach the Bitcoin network right now')
  expect(page).not.toContain('data-countdown')
  expect(page).not.toContain('No payment detected')
  expect((await app.call('GET', `/pay/${id}?checked=1700000000`)).text).not.toContain('No payment detected')
  await app.advance(45 * MINUTE_MS)
  expect(await pageOf(id)).not.toContain('Get a new Bitcoin price')
  await outage(app, 'chain', false)
  await app.advance(2 * MINUTE_MS)
  expect((await statusOf(app, id)).status).toBe('PAID')
})

test('a page says when the last check was made, not when the buyer asked', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await check(app, id)
  const checkedAt = app.time.now
  app.time.now += 4000
  const page = (await app.call('GET', `/pay/${id}?checked=${Math.floor(app.time.now / 1000)}`)).text
  const [, shown] = /Checked at <time datetime="([^"]+)"/.exec(page) ?? []
  expect(shown).toBe(new Date(checkedAt).toISOString())
})

test('time in which the chain could not be read does not count towards the lock', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await check(app, id)
  const before = Number(newest(id).locked_until)
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  await app.advance(20 * MINUTE_MS)
  await outage(app, 'chain', false)
  await app.advance(2 * MINUTE_MS)
  expect(Number(newest(id).locked_until)).toBeGreaterThan(before + 19 * MINUTE_MS)
})

test('time in which the chain could not be read also does not count after a restart, or for another server', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await app.advance(10 * MINUTE_MS)
  const before = Number(newest(id).locked_until)
  await outage(app, 'chain', true)
  for (let minutes = 0; minutes < 40; minutes++) await app.advance(MINUTE_MS)
  await outage(app, 'chain', false)
  const restarted = { ...app.context, storage: { ...app.context.storage } }
  await checkAttempts(restarted, [String(newest(id).id)])
  expect(Number(newest(id).locked_until)).toBeGreaterThan(before + 25 * MINUTE_MS)
})
