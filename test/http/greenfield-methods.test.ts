import { expect, test } from 'bun:test'
import { endOrder } from '../../src/operations/orders/end.ts'
import { startApp } from '../support/app.ts'
import { check, givenOrder, givenShop, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { openOnly, sendCoins } from './payments.ts'
import { changeRows } from './rows.ts'

const { app, each } = suite({ start: () => startApp({ FLORIN_GREENFIELD: 'on' }) })
const shop = each(() => givenShop(app))

/** An invoice of 25.00 USD. */
const invoice = async (): Promise<string> => (await givenOrder(app, shop)).orderUUID

/** The payment methods of an invoice, as BTCPay Server lists them. */
async function methodsOf(id: string): Promise<Record<string, string | null>[]> {
  const path = `/api/v1/stores/${shop.id}/invoices/${id}/payment-methods`
  const answer = await app.call('GET', path, { headers: { authorization: `token ${shop.live}` } })
  expect(answer.status).toBe(200)
  return answer.json
}

test('once money has arrived, an invoice lists only the payment methods with money', async () => {
  const id = await invoice()
  await openOnly(app, id, 'polygon/usdc')
  await openOnly(app, id, 'btc')
  const listed = async () => (await methodsOf(id)).map(({ currency }) => currency)
  expect(await listed()).toEqual(['USDC', 'BTC'])
  await simulate(app, id, 'pending')
  await check(app, id)
  expect(await listed()).toEqual(['BTC'])
})

const asksOf = async (id: string): Promise<string[]> =>
  (await methodsOf(id)).map(({ due, paymentLink }) => `${due} ${paymentLink}`)

test('each payment method of an invoice asks for what all of them have left to pay', async () => {
  const id = await invoice()
  const methods = () => asksOf(id)
  const btc = await openOnly(app, id, 'btc')
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(await methods()).toEqual([
    expect.stringMatching(/^0\.00041667 bitcoin:.*amount=0\.00041667&/),
    expect.stringMatching(/^25\.000000 ethereum:.*uint256=25000000$/),
  ])
  await sendCoins(app, btc, 20_001n)
  await check(app, id)
  expect(await methods()).toEqual([expect.stringMatching(/^0\.00021666 bitcoin:.*amount=0\.00021666&/)])
  await sendCoins(app, usdc, 5_000_000n)
  await check(app, id)
  expect(await methods()).toEqual([
    expect.stringMatching(/^0\.00013334 bitcoin:.*amount=0\.00013334&/),
    expect.stringMatching(/^8\.000000 ethereum:.*uint256=8000000$/),
  ])
  await sendCoins(app, usdc, 8_000_000n)
  expect((await check(app, id)).status).toBe('PAID')
  expect(await methods()).toEqual(['0.00000000 null', '0.000000 null'])
})

test('a payment method whose amount is fixed has no link once less than it is left', async () => {
  const id = await invoice()
  const btc = await openOnly(app, id, 'btc')
  changeRows(app, 'UPDATE attempts SET shared = 1 WHERE id = ?', String(btc.id))
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(await asksOf(id)).toEqual([
    expect.stringContaining('0.00041667 bitcoin:'),
    expect.stringMatching(/uint256=25000000$/),
  ])
  await sendCoins(app, { ...usdc, asset_id: 'polygon/usdt' }, 13_000_000n)
  await check(app, id)
  expect(await asksOf(id)).toEqual(['0.00020001 null', expect.stringMatching(/^12[.]000000 .*=12000000$/)])
})

test('each payment method has the amount and the paid total of the invoice in its own currency', async () => {
  const id = await invoice()
  await sendCoins(app, await openOnly(app, id, 'btc'), 20_000n)
  await check(app, id)
  const usdc = await openOnly(app, id, 'polygon/usdc')
  expect(usdc.priced).toBe('13.01')
  await sendCoins(app, usdc, 5_000_000n)
  await check(app, id)
  expect(await methodsOf(id)).toMatchObject([
    { amount: '0.00041667', totalPaid: '0.00028333', paymentMethodPaid: '0.00020000', due: '0.00013351' },
    { amount: '25.000000', totalPaid: '16.999904', paymentMethodPaid: '5.000000', due: '8.010000' },
  ])
  await sendCoins(app, usdc, 10_000_000n)
  expect((await check(app, id)).status).toBe('PAID')
  expect(await methodsOf(id)).toMatchObject([
    { totalPaid: '0.00045000', paymentMethodPaid: '0.00020000', due: '0.00000000' },
    { totalPaid: '26.999904', paymentMethodPaid: '15.000000', due: '0.000000' },
  ])
})

test('a payment method of an order that has ended has no link, but says what was left', async () => {
  const id = await invoice()
  await sendCoins(app, await openOnly(app, id, 'btc'), 20_000n)
  await check(app, id)
  await endOrder(app.context, shop.id, id)
  expect(await asksOf(id)).toEqual(['0.00021667 null'])
})
