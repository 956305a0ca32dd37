import { expect, test } from 'bun:test'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { callBack, openProvider, startGatewayApp } from './paygate.ts'
import { DAY_MS, getOrder, HOUR_MS } from './payments.ts'
import { type Row, rowOf } from './rows.ts'

const { app, each } = suite({ start: startGatewayApp })
const shop = each(() => givenShop(app))
let buyers = 0

interface Opened {
  id: string
  attempt: Row
}

async function opened(method: string, amount = '1000.00'): Promise<Opened> {
  const terms = {
    paymentMethodsKeys: [...new Set([method, 'wert'])],
    amount,
    customer: { email: `buyer${++buyers}@example.com`, fullName: 'Sam Buyer' },
  }
  const id = (await givenOrder(app, shop, terms)).orderUUID
  return { id, attempt: await openProvider(app, id, method) }
}

/** Pays an order with `received` USDC. */
async function paid(method: string, received: string): Promise<string> {
  const { id, attempt } = await opened(method)
  await callBack(app, attempt, { value_coin: received })
  return (await getOrder(app, shop, id)).status
}

async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await act()
}

const shareOf = ({ due_atomic, threshold_atomic }: Row): number =>
  Number(threshold_atomic) / Number(due_atomic)

/** The share that the page of the next order asks for with this method. */
const nextShare = async (method: string, amount?: string): Promise<number> =>
  shareOf((await opened(method, amount)).attempt)

test('after 20 payments of a similar amount, a page asks for their usual share less 4 points', async () => {
  await times(19, () => paid('moonpay', '970'))
  expect(await nextShare('moonpay')).toBe(0.85)
  await paid('moonpay', '970')
  expect(await nextShare('moonpay')).toBe(0.93)
  expect(await nextShare('moonpay', '500.00')).toBe(0.93)
  expect(await nextShare('moonpay', '2000.00')).toBe(0.93)
  expect(await nextShare('moonpay', '499.99')).toBe(0.85)
  expect(await nextShare('moonpay', '2000.01')).toBe(0.85)
  expect(await nextShare('stripe')).toBe(0.85)
  expect(await paid('moonpay', '929.99')).toBe('UNPAID')
  expect(await paid('moonpay', '930')).toBe('PAID')
})

test('the share stays that of the opening, and is never below FLORIN_PROVIDER_MIN_RECEIVED', async () => {
  const { id, attempt } = await opened('wert')
  await times(20, () => paid('wert', '970'))
  await callBack(app, attempt, { value_coin: '850' })
  expect((await getOrder(app, shop, id)).status).toBe('PAID')
  await times(20, () => paid('banxa', '860'))
  expect(await nextShare('banxa')).toBe(0.85)
})

test('payments older than 90 days do not change the learned share', async () => {
  await times(20, () => paid('transak', '970'))
  expect(await nextShare('transak')).toBe(0.93)
  app.time.now += 91 * DAY_MS
  expect(await nextShare('transak')).toBe(0.85)
})

async function forced({ id, attempt }: Opened): Promise<void> {
  await callBack(app, attempt, { value_coin: '800' })
  await forceOrder(app.context, { merchantId: shop.id, orderId: id, by: 'Sam', reason: 'enough' })
}

async function accepted({ id, attempt }: Opened): Promise<void> {
  await callBack(app, attempt, { value_coin: '800' })
  await app.advance(25 * HOUR_MS)
  const row = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id)
  await acceptUnmatched(app.context, shop.id, [String(row.id)], { by: 'Sam', reason: null })
}

async function completedByAnother({ id, attempt }: Opened): Promise<void> {
  const other = await openProvider(app, id, 'wert')
  await callBack(app, other, { value_coin: '300' })
  await callBack(app, attempt, { value_coin: '700' })
}

async function inParts({ attempt }: Opened): Promise<void> {
  await callBack(app, attempt, { value_coin: '400' })
  await callBack(app, attempt, { value_coin: '560' })
}

const overpaid = ({ attempt }: Opened) => callBack(app, attempt, { value_coin: '1000.01' })

test.each<[string, string, (opened: Opened) => Promise<unknown>]>([
  ['what the merchant accepted', 'stripe', accepted],
  ['what the merchant forced', 'simplex', forced],
  ['what completed an order together with another payment', 'revolut', completedByAnother],
  ['what came in two payments', 'robinhood', inParts],
  ['what was more than was due', 'particle', overpaid],
])('%s does not change the learned share', async (_, method, pay) => {
  await times(19, () => paid(method, '995'))
  const one = await opened(method)
  await pay(one)
  expect((await getOrder(app, shop, one.id)).status).toBe('PAID')
  const before = await nextShare(method)
  await paid(method, '995')
  expect([before < 0.955, await nextShare(method)]).toEqual([true, 0.955])
})
