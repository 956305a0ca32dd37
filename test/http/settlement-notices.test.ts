import { describe, expect, test } from 'bun:test'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { signInAs } from '../support/dashboard.ts'
import { check, givenOrder, paidInCash } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { suite } from '../support/suite.ts'
import { orderPaidProblems, paymentEventProblems } from './expected-shapes.ts'
import { DAY_MS, givenCoinShop, MINUTE_MS, notificationsOf, openOnly, sendCoins } from './payments.ts'
import { data, listen } from './request.ts'
import { type Row, rowOf, rowsOf } from './rows.ts'

const { app, once, each, ownApp } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
const shop = each(() => givenCoinShop(app))
each(async () => {
  await listen(app, shop, receiver.url)
  await chooseEvents(app.context, shop.id, ['order.paid', 'payment.paid'])
})

async function opened(): Promise<{ orderUUID: string; attempt: Row }> {
  const { orderUUID } = await givenOrder(app, shop, { amount: '200.00', paymentMethodsKeys: ['crypto'] })
  return { orderUUID, attempt: await openOnly(app, orderUUID, 'ethereum/usdc') }
}

/** The delivery of an event of this type, checked for its shape. */
async function delivered(orderUUID: string, type: 'order.paid' | 'payment.paid') {
  await app.advance(MINUTE_MS)
  const found = receiver.received.find(({ json }) => json.orderUUID === orderUUID && json.type === type)!
  const problems = type === 'order.paid' ? orderPaidProblems(found.json) : paymentEventProblems(found.json)
  expect(problems).toEqual([])
  return found
}

const textOf = (orderUUID: string): string =>
  said(rowOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', orderUUID))

test.each<[kind: string, atomic: bigint, waitMs: number, shortfall: string | null, kinds: string[]]>([
  ['exact', 200_000_000n, 0, null, []],
  ['short', 199_994_000n, 0, '0.01', ['payment_short']],
  ['short', 199_000_000n, 0, '1.00', ['payment_short']],
  ['over', 200_000_001n, 0, null, ['payment_over']],
  ['late', 200_000_000n, 2 * DAY_MS, null, ['payment_late']],
  ['late', 199_500_000n, 2 * DAY_MS, '0.50', ['payment_late', 'payment_short']],
  ['late', 230_000_000n, 2 * DAY_MS, null, ['payment_late', 'payment_over']],
])(
  'a settlement is reported as %s for %p units, %p ms later',
  async (kind, atomic, waitMs, shortfall, kinds) => {
    const { orderUUID, attempt } = await opened()
    if (waitMs > 0) {
      await app.advance(31 * MINUTE_MS)
      await app.advance(waitMs)
    }
    await sendCoins(app, attempt, atomic)
    expect((await check(app, orderUUID)).status).toBe('PAID')
    const paid = await delivered(orderUUID, 'order.paid')
    expect(paid.headers.get('x-service-settlement')).toBe(kind)
    const payment = await delivered(orderUUID, 'payment.paid')
    expect(payment.headers.get('x-service-settlement')).toBeNull()
    expect(payment.json).toMatchObject({ late: kind === 'late', shortfall, acceptedBy: null })
    expect(notificationsOf(app, orderUUID)).toEqual(kinds)
  },
)

describe('what buyer and merchant read about a late payment whose value has changed', () => {
  /** An order of 200.00 USD that ETH pays late. Returns its page, its page in the dashboard, and news. */
  async function paidLate(rate: string, atomic: bigint) {
    await ownApp()
    const { orderUUID } = await givenOrder(app, shop, { amount: '200.00', paymentMethodsKeys: ['crypto'] })
    const attempt = await openOnly(app, orderUUID, 'ethereum/eth')
    await app.advance(DAY_MS / 4)
    await data(app, 'POST', '/sandbox/rates', { body: { assetId: 'ethereum/eth', currency: 'USD', rate } })
    await app.advance(2 * MINUTE_MS)
    await sendCoins(app, attempt, atomic)
    expect((await check(app, orderUUID)).status).toBe('PAID')
    const owner = await signInAs(app, 'owner', shop.id)
    const news = rowsOf(app, 'SELECT facts FROM notifications WHERE order_id = ?', orderUUID).map(said)
    const page = (await app.call('GET', `/pay/${orderUUID}`)).text.replaceAll(/[\u2066-\u2069]/g, '')
    return { page, order: (await owner.get(`/dashboard/orders/${orderUUID}`)).text, news }
  }

  test('is the excess in money, if it was worth more', async () => {
    const { page, order, news } = await paidLate('3300', 66_666_670_000_000_000n)
    expect(page).toContain('We received $220.00, but only $200.00 was due.')
    expect(order).toContain('The customer paid $20.00 more than was due.')
    expect(order).not.toContain('paid again')
    expect(news.join()).toContain(
      '220.00 USD arrived, 200.00 USD was due. Decide whether to return 20.00 USD',
    )
  })

  test('is no excess, if more coins were worth no more', async () => {
    const { page, order, news } = await paidLate('2700', 74_074_080_000_000_000n)
    expect(page).not.toContain('more than was due')
    expect(order).not.toContain('more than was due')
    expect(news.join()).not.toContain('too much')
  })

  test('is what is missing in money, if it was worth a little less', async () => {
    const { news } = await paidLate('2990', 66_666_670_000_000_000n)
    expect(news.join()).toContain('199.33 USD arrived, 200.00 USD was due. 0.67 USD is missing')
  })
})

test('of an order that is paid partly in time and partly late, all sums are in money', async () => {
  const { orderUUID, attempt } = await opened()
  await sendCoins(app, attempt, 100_000_000n)
  await check(app, orderUUID)
  await app.advance(DAY_MS / 4)
  await sendCoins(app, attempt, 100_000_000n)
  expect((await check(app, orderUUID)).status).toBe('PAID')
  const late = "SELECT facts FROM notifications WHERE order_id = ? AND kind = 'payment_late'"
  expect(said(rowOf(app, late, orderUUID))).toContain(
    'by payments worth 100.00 USD when they arrived: 200.00 USD arrived, 200.00 USD was due.',
  )
})

test('an order that was forced is reported as forced', async () => {
  const { orderUUID: orderId } = await opened()
  await paidInCash(app, shop, orderId)
  const paid = await delivered(orderId, 'order.paid')
  expect(paid.headers.get('x-service-settlement')).toBe('forced')
})

test('a notification names the received, due and missing amounts', async () => {
  const { orderUUID, attempt } = await opened()
  await sendCoins(app, attempt, 199_000_000n)
  await check(app, orderUUID)
  const text = textOf(orderUUID)
  for (const part of [
    '199 USDC on Ethereum arrived',
    '200 USDC on Ethereum was due',
    '1.00 USD is missing',
  ]) {
    expect(text).toContain(part)
  }
})
