import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  attemptsOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { type Row, rowOf, rowsOf } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenCoinShop(app))

/** An order with half of a Bitcoin payment. */
async function halfPaid(): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'underpaid')
  expect((await check(app, orderUUID)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  return orderUUID
}

test('a part in one coin and the rest in another pay the order', async () => {
  const orderUUID = await halfPaid()
  await openOnly(app, orderUUID, 'ltc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += 6000
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  expect(notificationsOf(app, orderUUID)).toEqual([])
  expect(app.audit()).toEqual([])
})

test('a part payment is unmatched as soon as the order is marked as paid', async () => {
  const orderId = await halfPaid()
  await forceOrder(app.context, { merchantId: shop.id, orderId, by: 'Ann', reason: 'paid the rest in cash' })
  expect(unmatchedOf(app, orderId)).toEqual(['order_closed open'])
  expect(notificationsOf(app, orderId)).toEqual(['unmatched_payment'])
  expect(app.audit()).toEqual([])
})

test('an order that expires with a part of its amount stays partly paid', async () => {
  const orderId = await halfPaid()
  await app.advance(25 * HOUR_MS)
  const row = rowOf(app, 'SELECT status, payment_state FROM orders WHERE id = ?', orderId)
  expect(row).toEqual({ status: 'EXPIRED', payment_state: 'PART_PAID' })
})

test('a part that the merchant sent back does not complete the order together with a later part', async () => {
  const orderId = await halfPaid()
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid open'])
  const { id } = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderId)
  await resolveUnmatched(app.context, shop.id, String(id), 'sent back to the buyer')
  const [attempt] = attemptsOf(app, orderId)
  const due = BigInt(String(attempt!.due_atomic))
  await sendCoins(app, attempt!, due / 2n + 1n)
  expect((await check(app, orderId)).status).toBe('UNPAID')
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid resolved', 'late open'])
  const late = "SELECT shortfall FROM unmatched_payments WHERE order_id = ? AND reason = 'late'"
  const half = (await getOrder(app, shop, orderId)).amount / 2
  expect(Number(rowOf(app, late, orderId).shortfall)).toBeCloseTo(half, 1)
  // Another such payment completes the order: only payments that the merchant kept count.
  await sendCoins(app, attempt!, due / 2n + 1n)
  expect((await check(app, orderId)).status).toBe('PAID')
  const { receivedAmount } = await getOrder(app, shop, orderId)
  expect(Number(receivedAmount)).toBeCloseTo(Number(due + 2n) / 1e8, 7)
  expect(app.audit()).toEqual([])
})

/** Accepts all unmatched payments. */
async function acceptAll(orderId: string): Promise<void> {
  const rows = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ? ORDER BY id', orderId)
  const ids = rows.map(({ id }) => String(id))
  await acceptUnmatched(app.context, shop.id, ids, { by: 'Ann', reason: null })
  expect((await getOrder(app, shop, orderId)).status).toBe('PAID')
}

test('after a payment in another coin was accepted, a payment in the coin that was due is a second payment', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'wrong_asset')
  await check(app, orderUUID)
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
  await acceptAll(orderUUID)
  await sendCoins(app, attempt, BigInt(String(attempt.due_atomic)))
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset accepted', 'second_payment open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment', 'unmatched_payment'])
  expect(app.audit()).toEqual([])
})

test('after parts in two coins were accepted, the missing amount of one is a second payment', async () => {
  const orderId = await halfPaid()
  const [attempt] = attemptsOf(app, orderId)
  await openOnly(app, orderId, 'ltc')
  await simulate(app, orderId, 'underpaid')
  await app.advance(3 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual(['underpaid open', 'underpaid open'])
  await acceptAll(orderId)
  await sendCoins(app, attempt!, BigInt(String(attempt!.due_atomic)) / 2n)
  await app.advance(2 * HOUR_MS)
  expect(unmatchedOf(app, orderId)).toEqual([
    'underpaid accepted',
    'underpaid accepted',
    'second_payment open',
  ])
  expect(app.audit()).toEqual([])
})

test('an amount that an endpoint reported too low before the payment was final is corrected', async () => {
  await ownApp()
  const { orderUUID } = await givenOrder(app, shop)
  const attempt = await openOnly(app, orderUUID, 'btc')
  const due = BigInt(String(attempt.due_atomic))
  const { networks } = app.context
  const network = networks.of('btc')!
  const reports = [
    { amountAtomic: 1000n, height: null, confirmations: 0, final: false },
    { amountAtomic: due, height: null, confirmations: 0, final: false },
    { amountAtomic: due, height: 1000, confirmations: 6, final: true },
  ]
  const tx = { txId: 'ab'.repeat(32), txIndex: '0', txIn: 'ab'.repeat(32), assetId: 'btc', evidence: {} }
  networks.of = () => ({
    ...network,
    scan: async ([watch]) => {
      const detectedPayments = reports.splice(0, 1).map(one => ({ ...tx, ...one, paidAt: app.time.now }))
      const { attemptId, cursor } = watch!
      return [{ attemptId, detectedPayments, completeFrom: 10_000, cursor }]
    },
  })
  const seen: string[] = []
  for (let left = reports.length; left > 0; left--) {
    await check(app, orderUUID)
    seen.push(String(attemptsOf(app, orderUUID)[0]!.received_atomic))
  }
  expect(seen).toEqual(['1000', `${due}`, `${due}`])
  expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
})

const setTolerance = (tolerance: string) => changeMerchant(app.context, shop.id, { tolerance })

async function opened(asset: string, change: object = {}): Promise<{ orderUUID: string; attempt: Row }> {
  const { orderUUID } = await givenOrder(app, shop, change)
  return { orderUUID, attempt: await openOnly(app, orderUUID, asset) }
}

const dueOf = (attempt: Row) => BigInt(String(attempt.due_atomic))
/** The part of an order that may stay unpaid, in units of the coin. */
const toleranceOf = (attempt: Row) =>
  (BigInt(String(attempt.tolerance)) * dueOf(attempt)) / (minorOf(String(attempt.priced)) * 10n ** 72n)
const minorOf = (amount: string) => BigInt(amount.replace('.', ''))

async function pay(orderUUID: string, attempt: Row, atomic: bigint): Promise<string> {
  await sendCoins(app, attempt, atomic)
  await check(app, orderUUID)
  return (await getOrder(app, shop, orderUUID)).status
}

const pageOf = async (orderUUID: string) => (await app.call('GET', `/pay/${orderUUID}`)).text

const evidenceOf = (orderUUID: string) =>
  rowsOf(app, 'SELECT verdict, evidence FROM settlements WHERE order_id = ?', orderUUID).map(row => ({
    verdict: row.verdict,
    ...JSON.parse(String(row.evidence)),
  }))

// In the sandbox, BTC costs 60,000 USD, ETH 3,000 USD and USDC 1 USD.
test.each<[sentence: string, asset: string, change: object]>([
  ['BTC for US dollars', 'btc', { amount: '25.00', currency: 'USD' }],
  ['ETH, with 18 decimals, for yen', 'ethereum/eth', { amount: '2500', currency: 'JPY' }],
  ['USDC for Kuwaiti dinars', 'ethereum/usdc', { amount: '8.125', currency: 'KWD' }],
])('a payment that is short by the tolerance of half a percent settles: %s', async (_, asset, change) => {
  const { orderUUID, attempt } = await opened(asset, change)
  const due = dueOf(attempt)
  expect(toleranceOf(attempt)).toBe(due / 200n)
  expect(await pay(orderUUID, attempt, due - due / 200n)).toBe('PAID')
  expect(evidenceOf(orderUUID)).toMatchObject([
    { verdict: 'short', dueAtomic: due.toString(), missingAtomic: (due / 200n).toString() },
  ])
})

test.each(['btc', 'ethereum/eth', 'ethereum/usdc'])(
  'a payment that is one unit of %s below the tolerance does not settle',
  async asset => {
    const { orderUUID, attempt } = await opened(asset)
    const due = dueOf(attempt)
    expect(await pay(orderUUID, attempt, due - due / 200n - 1n)).toBe('UNPAID')
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'underpaid' }])
  },
)

test('the tolerance is at most 5 USD in value, in every currency of an order', async () => {
  const dollars = await opened('ethereum/usdc', { amount: '1000.00', currency: 'USD' })
  expect(toleranceOf(dollars.attempt)).toBe(5_000_000n)
  const more = await opened('ethereum/usdc', { amount: '10000.00', currency: 'USD' })
  expect(toleranceOf(more.attempt)).toBe(5_000_000n)
  const yen = await opened('ethereum/usdc', { amount: '9000000', currency: 'JPY' })
  expect(toleranceOf(yen.attempt)).toBe(5_000_000n)
})

test('the tolerance is fixed when the payment is opened, and the merchant chooses it', async () => {
  await setTolerance('5')
  const { orderUUID, attempt } = await opened('ethereum/usdc')
  await setTolerance('0')
  expect(await pay(orderUUID, attempt, 23_750_000n)).toBe('PAID')
  const strict = await opened('ethereum/usdc')
  expect(toleranceOf(strict.attempt)).toBe(0n)
  expect(await pay(strict.orderUUID, strict.attempt, 24_999_999n)).toBe('UNPAID')
})

test('the rest of a settled payment, up to the amount due, joins its settlement; the excess does not', async () => {
  const { orderUUID, attempt } = await opened('ethereum/usdc')
  expect(await pay(orderUUID, attempt, 24_900_000n)).toBe('PAID')
  const paid = await getOrder(app, shop, orderUUID)
  await sendCoins(app, attempt, 60_000n)
  await app.advance(61 * MINUTE_MS)
  await sendCoins(app, attempt, 40_000n)
  await app.advance(61 * MINUTE_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  expect(await getOrder(app, shop, orderUUID)).toEqual(paid)
  await sendCoins(app, attempt, 1n)
  await app.advance(61 * MINUTE_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  const settling = rowsOf(
    app,
    'SELECT amount_atomic FROM incoming_payments WHERE order_id = ? AND settles = 1 ORDER BY created_at, id',
    orderUUID,
  )
  expect(settling.map(row => row.amount_atomic)).toEqual(['24900000', '60000', '40000'])
  expect(attemptsOf(app, orderUUID)).toMatchObject([
    { received_atomic: '25000000', confirmed_atomic: '25000000' },
  ])
})

test.each<[sentence: string, asset: string, amount: string, short: bigint]>([
  ['less than Bitcoin can send', 'btc', '25.00', 1n],
  ['less than 0.10 USD', 'ethereum/usdc', '25.00', 99_999n],
  ['less than 0.10 USD, with 18 decimals', 'ethereum/eth', '25.00', 1n],
])('a rest of %s is not asked for, and the shop is notified at once', async (_, asset, amount, short) => {
  await setTolerance('0')
  const { orderUUID, attempt } = await opened(asset, { amount })
  expect(await pay(orderUUID, attempt, dueOf(attempt) - short)).toBe('UNPAID')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'underpaid' }])
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid open'])
  const page = await pageOf(orderUUID)
  expect(page).toContain('is too little to send')
  expect(page).toContain('The shop has been notified')
  expect(page).not.toContain('left to pay')
  expect(page).not.toContain('Left to pay')
  expect(page).not.toContain('Open in wallet')
})

test('a rest of 0.10 USD is asked for', async () => {
  await setTolerance('0')
  const { orderUUID, attempt } = await opened('ethereum/usdc')
  await pay(orderUUID, attempt, 24_900_000n)
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  expect(await pageOf(orderUUID)).toContain('0.1 USDC left to pay')
})

test('a rest that was too small to be requested settles if it is paid anyway', async () => {
  await setTolerance('0')
  const { orderUUID, attempt } = await opened('ethereum/usdc')
  await pay(orderUUID, attempt, 24_999_999n)
  expect(await pay(orderUUID, attempt, 1n)).toBe('PAID')
  expect(unmatchedOf(app, orderUUID)).toEqual(['underpaid resolved'])
})
