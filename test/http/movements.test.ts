import { describe, expect, test } from 'bun:test'
import type { OrderTax, ShopTax } from '../../src/domain/tax.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { eachOrder } from '../../src/operations/orders/browse.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import type { Movement } from '../../src/operations/reports/movement.ts'
import { exportMovements } from '../../src/operations/reports/movements.ts'
import { movementsCsv } from '../../src/present/movement.ts'
import { ordersCsv } from '../../src/present/orders-csv.ts'
import { check, givenOrder, givenShop, paidInCash, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, HOUR_MS, openOnly, sendCoins, wallets } from './payments.ts'
import { givenPaid, tryRefund } from './refunding.ts'
import { data } from './request.ts'
import { changeRows, rowsOf, sumsOfDay } from './rows.ts'

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenShop(app, '2.5'))

const range = () => ({ merchantId: shop.id, from: '2026-03-01', to: '2026-03-31' })

const changeTax = (change: Partial<ShopTax>) =>
  app.context.storage.write(async tables => {
    const tax: ShopTax = {
      ...{ country: 'DE', vatId: null, prices: 'included', exemption: null, sells: 'goods' },
      ...{ reverseCharge: true, rates: [], ...change },
    }
    await tables.merchants.update(shop.id, { tax, updatedAt: app.time.now })
  })

const taxOfRow = ({ lines }: OrderTax) =>
  lines.flatMap(({ category, rate, net, tax }) => [category, rate, net, tax])

async function movementsOf(change: object = {}): Promise<Movement[]> {
  const { movements } = await exportMovements(app.context, { ...range(), ...change })
  return Array.fromAsync(movements)
}

const csvOf = async (change: object = {}): Promise<string> => {
  const exported = await exportMovements(app.context, { ...range(), ...change })
  return (await Array.fromAsync(movementsCsv(exported))).join('')
}

/** Two payments, one of them partly refunded, and one that paid nothing. */
async function givenMovements(): Promise<{ first: string; second: string }> {
  const first = await givenPaid(app, shop, { amount: '100.00', externalId: 'cart-1' })
  app.time.now += DAY_MS
  await tryRefund(app, shop, first.orderUUID, { amount: '30', reason: 'one cup broke' })
  const second = await givenOrder(app, shop, { amount: '8.00', currency: 'EUR' })
  await openOnly(app, second.orderUUID, 'btc')
  await simulate(app, second.orderUUID, 'underpaid')
  await app.advance(2 * DAY_MS)
  return { first: first.orderUUID, second: second.orderUUID }
}

describe('the export for accounts', () => {
  test('has a row for every movement of money, oldest first', async () => {
    const { first, second } = await givenMovements()
    const movements = await movementsOf()
    const [transaction] = rowsOf(app, 'SELECT * FROM transactions')
    const [attempt] = rowsOf(app, 'SELECT * FROM attempts WHERE order_id = ?', first)
    expect(movements.map(({ type, amount, currency, net }) => [type, amount, currency, net])).toEqual([
      ['payment', '100.00', 'USD', '97.50'],
      ['fee', '-2.50', 'USD', null],
      ['refund', '-30.00', 'USD', '-30.00'],
      ['unmatched', expect.stringMatching(/^[34][.]\d\d$/), 'EUR', null],
    ])
    const [payment, , refund, unmatched] = movements
    const forced = await givenOrder(app, shop, { amount: '7.00', externalId: 'cash-1' })
    await paidInCash(app, shop, forced.orderUUID)
    expect((await movementsOf()).find(({ type }) => type === 'forced')).toMatchObject({
      ...{ at: app.time.now, orderId: forced.orderUUID, externalId: 'cash-1', amount: '7.00', net: null },
      ...{ methodKey: null, assetId: null, reason: 'paid in cash' },
    })
    expect(payment).toMatchObject({
      orderId: first,
      externalId: 'cart-1',
      customerEmail: 'buyer@example.com',
      feePercent: '2.5',
      feeAmount: '2.50',
      methodKey: 'crypto',
      methodName: 'Bitcoin',
      network: 'btc',
      assetId: 'btc',
      assetName: 'Bitcoin',
      received: transaction?.received_amount,
      receivedIn: 'btc',
      rate: attempt?.rate,
      rateAt: attempt?.rate_at,
      rateSources: JSON.parse(String(attempt?.rate_sources)),
      txIn: transaction?.tx_in,
      reason: null,
    })
    expect(payment?.txIn).toBeString()
    expect(refund).toMatchObject({ orderId: first, reason: 'one cup broke', received: null })
    expect(unmatched).toMatchObject({ orderId: second, reason: 'underpaid', assetId: 'btc' })
  })

  test('has the coin, value and rate of an accepted payment, and the missing amount', async () => {
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
    const accept = async (orderUUID: string) => {
      const ids = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderUUID)
      const all = ids.map(({ id }) => String(id))
      await acceptUnmatched(app.context, shop.id, all, { by: 'Ann', reason: null })
      await tryRefund(app, shop, orderUUID, { amount: '1', reason: 'one cup broke' })
      return (await movementsOf()).filter(one => one.orderId === orderUUID && one.type !== 'unmatched')
    }
    const opened = async (asset: string) => {
      const { orderUUID } = await givenOrder(app, shop)
      const attempt = await openOnly(app, orderUUID, asset)
      return { orderUUID, attempt, pol: { ...attempt, asset_id: 'polygon/pol', decimals: 18 } }
    }
    const other = await opened('polygon/usdc')
    await sendCoins(app, other.pol, 10n ** 19n)
    await check(app, other.orderUUID)
    await app.advance(3 * 3600_000)
    const [payment, ...rows] = await accept(other.orderUUID)
    const pol = { assetId: 'polygon/pol', assetName: 'POL on Polygon', methodName: 'POL on Polygon' }
    expect(payment).toMatchObject({
      ...pol,
      received: '10',
      receivedIn: 'polygon/pol',
      rate: '0.5',
      worth: '5.00',
      reason: 'accepted by Ann',
    })
    expect(payment).toMatchObject({ rateSources: [], network: 'polygon', amount: '25.00' })
    expect(rows.map(({ type, amount }) => [type, amount])).toEqual([
      ['shortfall', '-20.00'],
      ['fee', '-0.63'],
      ['refund', '-1.00'],
    ])
    for (const row of rows) expect(row).toMatchObject(pol)
    const parts = eachOrder(app.context, shop.id, {})
    const names = {
      timeZone: 'UTC',
      method: () => null,
      asset: (id: string) => app.context.networks.asset(id)?.name ?? null,
    }
    const orders = (await Array.fromAsync(ordersCsv(parts, names))).join('')
    expect(orders).toContain(',crypto,POL on Polygon,polygon/pol,POL on Polygon,10,polygon/pol,')
    await changeMerchant(app.context, shop.id, { late: 'ask' })
    const late = await opened('polygon/usdc')
    await app.advance(3 * HOUR_MS)
    await sendCoins(app, late.attempt, 25_000_000n)
    await check(app, late.orderUUID)
    const usdc = { assetId: 'polygon/usdc', received: '25', receivedIn: 'polygon/usdc', worth: '25.00' }
    expect((await accept(late.orderUUID))[0]).toMatchObject(usdc)
    await changeMerchant(app.context, shop.id, { late: 'settle' })
  })

  test.each<[outcome: string, amount: string, rows: (string | null)[][]]>([
    ['paid', '25.00', [['payment', '25.00', '25.00', '25.00']]],
    [
      'overpaid',
      '25.00',
      [
        ['payment', '25.00', '50.00', '25.00'],
        ['excess', '25.00', null, '25.00'],
      ],
    ],
  ])(
    'has the value of received money, and its difference from the order: %s',
    async (outcome, amount, rows) => {
      const free = await givenShop(app)
      const { orderUUID } = await givenOrder(app, free, { amount })
      await openOnly(app, orderUUID, 'btc')
      await simulate(app, orderUUID, outcome)
      await check(app, orderUUID)
      const found = await movementsOf({ merchantId: free.id })
      expect(found.map(one => [one.type, one.amount, one.worth, one.net])).toEqual(rows)
    },
  )

  test('splits the tax of refunds so that together they deduct the tax of the order', async () => {
    await changeTax({ rates: [{ country: 'DE', standard: 1900, reduced: null }] })
    const { orderUUID } = await givenPaid(app, shop, { amount: '10.00' })
    for (const amount of ['3.33', '3.33', '3.34']) {
      app.time.now += 1000
      await tryRefund(app, shop, orderUUID, { amount })
    }
    const lines = (await movementsOf()).flatMap(({ type, tax }) => (tax ? [[type, ...taxOfRow(tax)]] : []))
    expect(lines).toEqual([
      ['payment', 'S', 1900, '8.40', '1.60'],
      ['refund', 'S', 1900, '-2.80', '-0.53'],
      ['refund', 'S', 1900, '-2.80', '-0.53'],
      ['refund', 'S', 1900, '-2.80', '-0.54'],
    ])
  })

  test('deducts the tax of a missing amount so that the tax of what arrived is left', async () => {
    await changeTax({ rates: [{ country: 'DE', standard: 1900, reduced: null }] })
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
    const { orderUUID } = await givenOrder(app, shop, { amount: '10.00' })
    await sendCoins(app, await openOnly(app, orderUUID, 'polygon/usdc'), 6_660_000n)
    await check(app, orderUUID)
    await app.advance(3 * HOUR_MS)
    const ids = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderUUID)
    const all = ids.map(({ id }) => String(id))
    await acceptUnmatched(app.context, shop.id, all, { by: 'Ann', reason: null })
    const lines = (await movementsOf()).flatMap(({ type, tax }) => (tax ? [[type, ...taxOfRow(tax)]] : []))
    // The tax of 6.66 is 1.06, and that of 3.34 alone would be 0.53.
    expect(lines).toEqual([
      ['payment', 'S', 1900, '8.40', '1.60'],
      ['shortfall', 'S', 1900, '-2.80', '-0.54'],
    ])
  })

  test('adds up to the net revenue of the reports, in both ways', async () => {
    await givenMovements()
    const movements = (await movementsOf()).filter(
      ({ type, currency }) => type !== 'unmatched' && currency === 'USD',
    )
    const minor = (amount: string | null) => BigInt((amount ?? '0').replace('.', ''))
    const sum = (amounts: (string | null)[]) => amounts.reduce((total, one) => total + minor(one), 0n)
    const net = ['2026-03-01', '2026-03-02'].reduce(
      (total, day) => total + BigInt(String(sumsOfDay(app, shop.id, day).net)),
      0n,
    )
    expect(sum(movements.map(({ amount }) => amount))).toBe(net)
    expect(sum(movements.map(one => one.net))).toBe(net)
    expect(net).toBe(6750n)
  })

  test('has the days of the shop’s time zone, and nothing of another merchant', async () => {
    await givenPaid(app, await givenShop(app))
    app.time.now = Date.parse('2026-03-31T22:30:00Z')
    await givenPaid(app, shop)
    expect(await movementsOf()).toHaveLength(2)
    expect(await movementsOf({ timeZone: 'Europe/Berlin' })).toEqual([])
    const april = { from: '2026-04-01', to: '2026-04-01', timeZone: 'Europe/Berlin' }
    expect(await movementsOf(april)).toHaveLength(2)
    expect(await csvOf(april)).toContain('2026-03-31T22:30:')
    expect(await csvOf(april)).toContain('2026-04-01T00:30:')
    expect(await csvOf(april)).toContain('+02:00')
  })

  test.each([
    ['2026-03-29T21:59:00Z', [2, 0]],
    ['2026-03-29T22:01:00Z', [0, 2]],
  ])('ends the day on which the clocks are set forward after 23 hours: %s', async (time, counts) => {
    app.time.now = Date.parse(time)
    await givenPaid(app, shop)
    const days = ['2026-03-29', '2026-03-30'].map(day => ({ from: day, to: day, timeZone: 'Europe/Berlin' }))
    const found = await Promise.all(days.map(movementsOf))
    expect(found.map(({ length }) => length)).toEqual(counts)
  })

  test('has the first moment of its range, and not the first one after it', async () => {
    await givenMovements()
    const cash = await givenOrder(app, shop, { amount: '7.00' })
    await paidInCash(app, shop, cash.orderUUID)
    const movements = await movementsOf()
    const listed = (from: number, to: number) =>
      app.context.storage.read(async tables => {
        const given = [{ merchantId: shop.id, from, to }, 9, null] as const
        const { movements: of } = tables
        const payments = [of.listPayments(...given), of.listRefunds(...given)]
        const lists: Promise<unknown[]>[] = [...payments, of.listUnmatched(...given), of.listForced(...given)]
        return (await Promise.all(lists)).map(({ length }) => length)
      })
    for (const [index, type] of (['payment', 'refund', 'unmatched', 'forced'] as const).entries()) {
      const { at } = movements.find(one => one.type === type)!
      const around = [await listed(at - 1, at), await listed(at, at + 1), await listed(at + 1, at + 2)]
      expect(around.map(counts => counts[index])).toEqual([0, 1, 0])
    }
  })

  test('leaves out an unmatched payment that the merchant accepted, because it has become a payment', async () => {
    await givenMovements()
    changeRows(app, "UPDATE incoming_payments SET state = 'gone' WHERE settles = 0")
    expect((await movementsOf()).map(({ type }) => type)).toEqual(['payment', 'fee', 'refund'])
    changeRows(app, "UPDATE incoming_payments SET state = 'final' WHERE settles = 0")
  })

  test('continues after each page, also among rows of the same moment', async () => {
    const rows = 1203
    const { orderUUID } = await givenPaid(app, shop)
    await tryRefund(app, shop, orderUUID, { amount: '0.01' })
    changeRows(
      app,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO refunds SELECT id || i, merchant_id, order_id, transaction_id, amount, currency, method_key, reason,
       created_by, created_at + i / 700, NULL, NULL, NULL FROM refunds, n`,
      rows,
    )
    const ids = (await movementsOf()).filter(({ type }) => type === 'refund').map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([rows + 1, rows + 1])
    changeRows(app, 'DROP TRIGGER refunds_no_delete')
    changeRows(app, 'DELETE FROM refunds WHERE length(id) > 64')
  })

  test('is refused for a range that is not valid', async () => {
    expect(movementsOf({ to: '2026-02-01' })).rejects.toThrow('before the first day')
    expect(movementsOf({ merchantId: crypto.randomUUID() })).rejects.toThrow('No merchant')
  })
})

test('the CSV file has a header, and a formula of a buyer is only text in it', async () => {
  const { orderUUID } = await givenPaid(app, shop, { customer: { email: '=cmd@b.example' } })
  await tryRefund(app, shop, orderUUID, { reason: '=HYPERLINK("https://thief.example")' })
  const [header, payment, fee, refund, end] = (await csvOf()).split('\r\n')
  expect(header).toStartWith('\ufefftype,timeUtc,time,id,orderUUID,externalId,customer,amount,currency,')
  expect(payment).toContain(",'=cmd@b.example,25.00,USD,2.5,0.63,24.37,")
  expect(fee).toContain(',-0.63,USD,')
  expect(refund).toContain(',"\'=HYPERLINK(""https://thief.example"")",')
  expect(end).toBe('')
  expect(new Set([header, payment, fee, refund].map(line => line?.split(',').length)).size).toBe(1)
})
