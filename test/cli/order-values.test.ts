import { describe, expect, test } from 'bun:test'
import { DAY_MS, givenCoinShop, HOUR_MS, MINUTE_MS, openOnly, sendCoins } from '../http/payments.ts'
import { data } from '../http/request.ts'
import type { Row } from '../http/rows.ts'
import { check, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenCoinShop(app))

// The sandbox price of ETH is 3,000 USD, so that an order of 300 USD asks for 0.1 ETH.
const DUE = 10n ** 17n

async function opened() {
  const { orderUUID } = await givenOrder(app, shop, { amount: '300.00' })
  return { orderUUID, attempt: await openOnly(app, orderUUID, 'ethereum/eth') }
}

async function priceIs(rate: string) {
  await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'ethereum/eth', currency: 'USD', rate } })
  await app.advance(2 * MINUTE_MS)
}

async function pay({ orderUUID, attempt }: { orderUUID: string; attempt: Row }, atomic: bigint) {
  await sendCoins(app, attempt, atomic)
  app.time.now += 10_000
  await check(app, orderUUID)
}

async function show(orderUUID: string) {
  const { stdout } = await runInProcess(
    { FLORIN_DATA_DIR: app.dataDir, FLORIN_SANDBOX: 'true' },
    ...['order', 'show', orderUUID, '--json'],
  )
  const { order, payments } = JSON.parse(stdout)
  return { status: order.status, values: payments.map(({ value }: { value: string | null }) => value) }
}

describe('order show gives the value of a payment', () => {
  test('at the quoted price if it was in time, and at the price of its block if it was late', async () => {
    const payment = await opened()
    await pay(payment, DUE / 2n)
    await app.advance(3 * HOUR_MS)
    await priceIs('1500')
    await pay(payment, DUE / 2n)
    expect(await show(payment.orderUUID)).toEqual({ status: 'UNPAID', values: ['150.00', '75.00'] })
  })

  test('that paid an order late, also when the rates of that time are deleted', async () => {
    const payment = await opened()
    await app.advance(3 * HOUR_MS)
    await priceIs('2250')
    await pay(payment, (DUE * 4n) / 3n + 1n)
    expect(await show(payment.orderUUID)).toEqual({ status: 'PAID', values: ['300.00'] })
    await app.advance(9 * DAY_MS)
    expect(await show(payment.orderUUID)).toEqual({ status: 'PAID', values: ['300.00'] })
  })
})
