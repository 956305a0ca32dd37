import { expect, test } from 'bun:test'
import { givenOrder, givenShop } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { callBack, startGatewayApp } from './paygate.ts'
import { attemptsOf, getOrder, notificationsOf, unmatchedOf } from './payments.ts'
import { type Row, rowOf } from './rows.ts'

const { app, each } = suite({ start: startGatewayApp })
const shop = each(() => givenShop(app))

async function opened(method = 'stripe', change: object = {}): Promise<{ id: string; attempt: Row }> {
  const terms = { paymentMethodsKeys: [method], amount: '1000.00', ...change }
  const id = (await givenOrder(app, shop, terms)).orderUUID
  const answer = await app.call('GET', `/payment/process/${id}?method=${method}`)
  expect(answer.status).toBe(303)
  return { id, attempt: attemptsOf(app, id)[0]! }
}

test.each([
  ['stripe', '1000.00', 'USD', 850n],
  ['moonpay', '1000.00', 'USD', 850n],
  ['robinhood', '1000.00', 'USD', 950n],
  ['revolut', '1000.00', 'USD', 930n],
  ['upi', '100000.00', 'INR', 930n],
])('a payment by %s settles at its own share of the amount due', async (method, amount, currency, share) => {
  const { attempt } = await opened(method, { amount, currency })
  const due = BigInt(String(attempt.due_atomic))
  expect(BigInt(String(attempt.threshold_atomic))).toBe((due * share + 999n) / 1000n)
})

// The buyer's redirect shows the amount, so a buyer can lower it.
test.each([
  ['850', '150.00'],
  ['949.999999', '50.01'],
])('%s USDC for an order of 1000.00 USD pay it, and the merchant is notified', async (received, missing) => {
  const { id, attempt } = await opened()
  await callBack(app, attempt, { value_coin: received })
  expect((await getOrder(app, shop, id)).status).toBe('PAID')
  expect(notificationsOf(app, id)).toEqual(['payment_short'])
  const text = said(rowOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', id))
  expect(text).toContain(`${received} USDC on Polygon arrived, 1000 USDC on Polygon was due`)
  expect(text).toContain(`${missing} USD is missing`)
  const { verdict, evidence } = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', id)
  const atomic = BigInt(Number(received) * 1_000_000)
  expect([verdict, JSON.parse(String(evidence))]).toMatchObject([
    'short',
    { dueAtomic: '1000000000', confirmedAtomic: `${atomic}`, missingAtomic: `${1_000_000_000n - atomic}` },
  ])
})

test.each(['950', '999.99', '1000'])(
  '%s USDC for 1000.00 USD are usual, so the merchant is not notified',
  async received => {
    const { id, attempt } = await opened()
    await callBack(app, attempt, { value_coin: received })
    expect((await getOrder(app, shop, id)).status).toBe('PAID')
    expect(notificationsOf(app, id)).toEqual([])
  },
)

test("the merchant's tolerance is not added to the share", async () => {
  const { id, attempt } = await opened()
  await callBack(app, attempt, { value_coin: '849.999999' })
  expect((await getOrder(app, shop, id)).status).toBe('UNPAID')
})

const small = { amount: '25.00' }
const statusOf = async (id: string): Promise<string> => (await getOrder(app, shop, id)).status

test('a rest that no offered method accepts is not asked for, and from the floor on the page counts as whole', async () => {
  const { id, attempt } = await opened('revolut', small)
  await callBack(app, attempt, { value_coin: '22' })
  expect(await statusOf(id)).toBe('PAID')
  expect(notificationsOf(app, id)).toEqual(['payment_short'])
  const { verdict } = rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)
  expect(verdict).toBe('short')
})

test('below the floor, such a rest leaves the payment to the merchant at once', async () => {
  const { id, attempt } = await opened('revolut', small)
  await callBack(app, attempt, { value_coin: '20' })
  expect(await statusOf(id)).toBe('UNPAID')
  expect(unmatchedOf(app, id)).toEqual(['underpaid open'])
  expect(notificationsOf(app, id)).toEqual(['unmatched_payment'])
  const again = await app.call('GET', `/payment/process/${id}?method=revolut`)
  expect(again.headers.get('location')).not.toContain('process-payment')
})

test.each([
  ['a coin', ['revolut', 'crypto']],
  ['another method', ['revolut', 'stripe']],
])('the rest is asked for if %s accepts it', async (_, paymentMethodsKeys) => {
  const { id, attempt } = await opened('revolut', { ...small, paymentMethodsKeys })
  await callBack(app, attempt, { value_coin: '22' })
  expect(await statusOf(id)).toBe('UNPAID')
  expect(unmatchedOf(app, id)).toEqual([])
  expect((await app.call('GET', `/pay/${id}`)).text).toContain('$3.00')
})
