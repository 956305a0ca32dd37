import { expect, test } from 'bun:test'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { check, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, getOrder, notificationsOf, openOnly, sendCoins, wallets } from './payments.ts'
import { freshKey } from './refunding.ts'
import { data } from './request.ts'
import type { Row } from './rows.ts'
import { givenStripeShop, openSession, payOnPage, type StripeApp, startStripeApp } from './stripes.ts'

const { app, each } = suite<StripeApp>({ start: startStripeApp })
const shop = each(async () => {
  const made = await givenStripeShop(app)
  await data(app, 'PUT', '/v1/wallet', { key: made.live, body: { cryptoWallets: wallets } })
  return made
})

/** An order of 25.00 EUR, half of which is paid in Bitcoin and half by card. */
async function givenHalves(state: 'confirmed' | 'pending'): Promise<{ orderUUID: string; btc: Row }> {
  const body = { amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['*'] }
  const { orderUUID } = await givenOrder(app, shop, body)
  const btc = await openOnly(app, orderUUID, 'btc')
  await sendCoins(app, btc, BigInt(String(btc.due_atomic)) / 2n, state)
  await check(app, orderUUID)
  await payOnPage(app, await openSession(app, orderUUID))
  expect(attemptsOf(app, orderUUID).map(({ priced }) => priced)).toEqual(['25.00', '12.50'])
  return { orderUUID, btc }
}

const statusOf = async (orderUUID: string): Promise<string> => (await getOrder(app, shop, orderUUID)).status

const refund = (orderId: string, amount?: string) =>
  executeRefund(app.context, {
    ...{ merchantId: shop.id, orderId, idempotencyKey: freshKey(), by: 'Ann' },
    body: { ...(amount && { amount }), reason: 'returned' },
  })

test('of an order paid by coin and card, the provider refunds what the card paid', async () => {
  const { orderUUID } = await givenHalves('confirmed')
  expect(await statusOf(orderUUID)).toBe('PAID')
  await expect(refund(orderUUID, '12.51')).rejects.toThrow('12.50 EUR')
  expect(await refund(orderUUID, '2.50')).toMatchObject({ status: 'succeeded', amount: '2.50' })
  expect(await refund(orderUUID)).toMatchObject({ status: 'succeeded', amount: '10.00' })
  await expect(refund(orderUUID)).rejects.toThrow('already')
  expect(notificationsOf(app, orderUUID)).toEqual(['refund_recorded', 'refund_recorded'])
})
