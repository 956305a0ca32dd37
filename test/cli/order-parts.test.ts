import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { givenCoinShop, HOUR_MS, LOCK_MS, openOnly, sendCoins } from '../http/payments.ts'
import type { Row } from '../http/rows.ts'
import { check, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

const run = (...args: string[]) => runInProcess({ FLORIN_DATA_DIR: app.dataDir }, 'order', 'show', ...args)
const show = async (id: string) => {
  const [json, text] = [await run(id, '--json'), await run(id)]
  expect([json.exitCode, json.stderr]).toEqual([0, ''])
  return { shown: JSON.parse(json.stdout), text: text.stdout }
}
const newOrder = async (): Promise<string> => (await givenOrder(app, shop)).orderUUID

async function pay(id: string, attempt: Row, atomic: bigint, state?: string): Promise<void> {
  await sendCoins(app, attempt, atomic, state)
  await check(app, id)
}

/** An order of 25.00 USD that received 12.00 in Bitcoin and has an open USDC payment for the rest. */
async function partPaid(): Promise<{ id: string; usdc: Row }> {
  const id = await newOrder()
  await pay(id, await openOnly(app, id, 'btc'), 20_001n)
  return { id, usdc: await openOnly(app, id, 'polygon/usdc') }
}

test('a part-paid order is shown with its credited and remaining amounts, also for each attempt', async () => {
  const { id } = await partPaid()
  const { shown, text } = await show(id)
  expect(shown).toMatchObject({
    settlement: null,
    credited: '12.00',
    settledCredit: '12.00',
    awaited: '0.00',
    left: { amount: '13.00', currency: 'USD' },
    attempts: [
      {
        assetId: 'btc',
        priced: '25.00',
        credited: '12.00',
        settledCredit: '12.00',
        isLocked: expect.any(Boolean),
      },
      { assetId: 'polygon/usdc', priced: '13.00', credited: '0.00', graceUntil: expect.any(String) },
    ],
  })
  expect(shown.attempts[0].chainReadAt).toBe(shown.attempts[0].checkedAt)
  expect(text).toContain('  received      12.00 USD, 13.00 USD left\n')
  expect(text).toContain('  credited      12.00 of 25.00 USD\n')
  expect(text).toEndWith('12.00 of 25.00 USD arrived. The page asks the buyer for the rest, 13.00 USD.\n')
})

test('an order that was paid in two coins is shown with its parts', async () => {
  const { id, usdc } = await partPaid()
  await pay(id, usdc, 13_000_000n)
  const { shown, text } = await show(id)
  const parts = [
    { assetId: 'btc', amount: '0.00020001', credited: '12.00' },
    { assetId: 'polygon/usdc', amount: '13', credited: '13.00' },
  ]
  expect(shown).toMatchObject({
    settlement: { verdict: 'exact', late: false, shortfall: null, acceptedBy: null, parts },
    transactions: [{ evidence: { parts } }],
    credited: '25.00',
    left: { amount: '0.00', currency: 'USD' },
  })
  expect(JSON.stringify(shown.transactions[0].evidence.incomingPayments)).not.toContain('"evidence"')
  expect(text).toContain('  received      25.00 USD\n  settled       exact\n')
  expect(text).toContain(
    '\nSettled by\n  12.00 USD  crypto  0.00020001 btc\n  13.00 USD  crypto  13 polygon/usdc\n',
  )
})

test('of a paid order, the amount that arrived is shown if it is more or less than the price', async () => {
  for (const [atomic, received] of [
    [15_500_000n, '27.50'],
    [12_900_000n, '24.90'],
  ] as const) {
    const { id, usdc } = await partPaid()
    await pay(id, usdc, atomic)
    const { shown, text } = await show(id)
    expect(shown.order.status).toBe('PAID')
    expect(text).toContain(`  received      ${received} USD\n`)
  }
})

test('payments that are not confirmed yet are named', async () => {
  const { id, usdc } = await partPaid()
  await pay(id, usdc, 5_000_000n, 'pending')
  const { shown, text } = await show(id)
  expect(shown).toMatchObject({ credited: '17.00', settledCredit: '12.00', left: { amount: '8.00' } })
  expect(text).toContain('  received      17.00 USD (12.00 USD confirmed), 8.00 USD left\n')
})

test('payments that wait for the merchant are shown, and who accepted them', async () => {
  await changeMerchant(app.context, shop.id, { late: 'ask' })
  const id = await newOrder()
  const btc = await openOnly(app, id, 'btc')
  await app.advance(LOCK_MS + 2 * HOUR_MS)
  await pay(id, btc, 20_000n)
  const waiting = await show(id)
  expect(waiting.shown).toMatchObject({
    credited: '0.00',
    left: { amount: '25.00', currency: 'USD' },
    awaited: '12.00',
    attempts: [{ awaited: '12.00' }],
  })
  expect(waiting.text).toContain('  waiting       12.00 USD, for your decision\n')
  expect(waiting.text).toContain('  open  late  0.0002 btc (12.00 USD), 13.00 USD missing\n')
  await acceptUnmatched(app.context, shop.id, [waiting.shown.unmatched[0].id], { by: 'Ann', reason: 'fine' })
  const { shown, text } = await show(id)
  expect(shown.settlement).toMatchObject({
    ...{ verdict: 'accepted', late: true, shortfall: '13.00', acceptedBy: 'Ann' },
  })
  expect(text).toContain('  settled       accepted by Ann, late, 13.00 USD missing\n')
})

test('an order that was marked as paid by hand is shown as forced', async () => {
  const id = await newOrder()
  await forceOrder(app.context, { merchantId: shop.id, orderId: id, by: 'Ann', reason: 'in cash' })
  const { shown, text } = await show(id)
  expect(shown.settlement).toEqual({
    ...{ verdict: 'forced', late: false, shortfall: null, acceptedBy: null, parts: [] },
  })
  expect(text).toContain('  settled       forced by Ann: in cash\n')
})
