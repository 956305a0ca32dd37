import { expect, test } from 'bun:test'
import { expireOrder } from '../../src/operations/orders/end.ts'
import { OWN_URL } from '../support/app.ts'
import { check, EVM_WALLET, givenOrder, givenShop, openCrypto, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems, statusProblems } from './expected-shapes.ts'
import { enter, openProvider, simulated, startGatewayApp } from './paygate.ts'
import {
  attemptsOf,
  DAY_MS,
  eventTypesOf,
  getOrder,
  HOUR_MS,
  incomingPaymentsOf,
  instant,
  MINUTE_MS,
  outage,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { data } from './request.ts'
import { countOf, rowOf, rowsOf, subscribe, sumsOfDay } from './rows.ts'

const { app, each, ownApp } = suite({ start: startGatewayApp })
const shop = each(() => givenShop(app))

const stripe = { paymentMethodsKeys: ['stripe'] }

const order = async (change: object = stripe): Promise<string> =>
  (await givenOrder(app, shop, change)).orderUUID

const read = async (orderUUID: string) => {
  const found = await getOrder(app, shop, orderUUID)
  expect(orderProblems(found)).toEqual([])
  return found
}

const failing: [keys: string[], amount: string, status: string, session: string][] = [
  [['stripe'], '25.00', 'FAILED', 'FAILED'],
  [['stripe', 'moonpay'], '25.00', 'UNPAID', 'READY'],
  [['stripe', 'crypto'], '25.00', 'UNPAID', 'READY'],
  [['*'], '25.00', 'UNPAID', 'READY'],
]

test.each(failing)('a decline of an order for %j of %s leaves it %s', async (...row) => {
  const [paymentMethodsKeys, amount, status, session] = row
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  subscribe(app, shop.id, ['order.paid', 'payment.failed'])
  const orderUUID = await order({ paymentMethodsKeys, amount })
  await openProvider(app, orderUUID, 'stripe')
  expect(await simulated(app, orderUUID, 'failed')).toEqual([200])
  expect(await simulated(app, orderUUID, 'duplicate')).toEqual([200])
  expect(await read(orderUUID)).toMatchObject({ status, provisioningStatus: session })
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'failed' }])
  expect(eventTypesOf(app, orderUUID)).toEqual(['payment.failed'])
  expect(sumsOfDay(app, shop.id).pending_count).toBe(status === 'FAILED' ? 0 : 1)
})

test('after a decline the buyer pays with a new attempt', async () => {
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'moonpay'] })
  const first = await openProvider(app, orderUUID, 'stripe')
  await simulated(app, orderUUID, 'failed')
  const second = await openProvider(app, orderUUID, 'stripe')
  expect([second.id, second.address]).not.toEqual([first.id, first.address])
  expect(await simulated(app, orderUUID, 'paid')).toEqual([200])
  expect((await read(orderUUID)).status).toBe('PAID')
  expect(attemptsOf(app, orderUUID).map(({ state }) => state)).toEqual(['failed', 'settled'])
})

test('after a decline, every visit still redirects to one page, so that a buyer cannot pay two', async () => {
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'moonpay'] })
  await openProvider(app, orderUUID, 'stripe')
  await simulated(app, orderUUID, 'failed')
  const visits = [await enter(app, orderUUID, 'stripe'), await enter(app, orderUUID, 'stripe')]
  const [second, again] = visits.map(({ headers }) => headers.get('location'))
  expect(again).toBe(second!)
  expect(attemptsOf(app, orderUUID).map(({ state }) => state)).toEqual(['failed', 'waiting'])
})

test('a payment for a FAILED order is unmatched', async () => {
  const orderUUID = await order()
  await openProvider(app, orderUUID)
  await simulated(app, orderUUID, 'failed')
  expect(await simulated(app, orderUUID, 'paid')).toEqual([200])
  expect((await read(orderUUID)).status).toBe('FAILED')
  expect(unmatchedOf(app, orderUUID)).toEqual(['order_closed open'])
})

const lateness: [sentence: string, afterMs: number, settlement: string | null, unmatched: string[]][] = [
  ['before the expiry', HOUR_MS - 1, 'exact', []],
  ['at the expiry', HOUR_MS, 'late', []],
  ['after the expiry', HOUR_MS + MINUTE_MS, 'late', []],
  ['on the seventh day after it', 7 * DAY_MS + HOUR_MS - MINUTE_MS, 'late', []],
  ['after the watch of seven days', 7 * DAY_MS + HOUR_MS + MINUTE_MS, null, ['too_late open']],
]

test.each(lateness)('a payment %s leaves the order in the right state', async (...row) => {
  const [, afterMs, settlement, unmatched] = row
  const orderUUID = await order({ ...stripe, expiresAt: instant(app.time.now + HOUR_MS) })
  await openProvider(app, orderUUID)
  await app.advance(afterMs)
  expect((await read(orderUUID)).status).toBe(afterMs < HOUR_MS ? 'UNPAID' : 'EXPIRED')
  expect(await simulated(app, orderUUID, 'late')).toEqual([200])
  expect((await read(orderUUID)).status).toBe(settlement === null ? 'EXPIRED' : 'PAID')
  expect(rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID)).toEqual(
    settlement === null ? [] : [{ verdict: settlement }],
  )
  expect(unmatchedOf(app, orderUUID)).toEqual(unmatched)
})

test('if callbacks are lost, polling settles within ten minutes (1)', async () => {
  await ownApp()
  const orderUUID = await order()
  await openProvider(app, orderUUID)
  app.wire.isLost = true
  expect(await simulated(app, orderUUID, 'paid')).toEqual([0])
  expect((await read(orderUUID)).status).toBe('UNPAID')
  await app.advance(10 * MINUTE_MS)
  const paid = await read(orderUUID)
  expect(paid.status).toBe('PAID')
  const [incoming] = incomingPaymentsOf(app, orderUUID)
  expect([paid.transactionRef, paid.providerTxOut]).toEqual([incoming!.tx_out, incoming!.tx_out])

  app.wire.isLost = false
  expect(await simulated(app, orderUUID, 'duplicate')).toEqual([200])
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  expect([unmatchedOf(app, orderUUID), eventTypesOf(app, orderUUID)]).toEqual([[], ['order.paid']])
})

test('if callbacks are lost, a check on the page finds payments and declines at once', async () => {
  await ownApp()
  const [paid, failed] = [await order(), await order()]
  await openProvider(app, paid)
  await openProvider(app, failed)
  app.wire.isLost = true
  await simulated(app, paid, 'paid')
  await simulated(app, failed, 'failed')
  app.time.now += 6000
  for (const id of [paid, failed]) await app.call('POST', `/pay/${id}/check`)
  expect([(await read(paid)).status, (await read(failed)).status]).toEqual(['PAID', 'FAILED'])
})

test('polling continues through an outage of the provider', async () => {
  await ownApp()
  const orderUUID = await order()
  await openProvider(app, orderUUID)
  app.wire.isLost = true
  await simulated(app, orderUUID, 'paid')
  await outage(app, 'provider', true)
  await app.advance(HOUR_MS)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  await outage(app, 'provider', false)
  await app.advance(MINUTE_MS)
  expect((await read(orderUUID)).status).toBe('PAID')
})

const fees: [percent: string, fee: string, net: string, status: string][] = [
  ['0', '0.00', '25.00', 'ACCOUNTED_NOT_COLLECTED'],
  ['2.5', '0.63', '24.37', 'PROVIDER_SPLIT'],
]

test.each(fees)('a paid order with a fee of %s percent shows its settlement', async (...row) => {
  await ownApp()
  const [percent, fee, net, feeCollectionStatus] = row
  Object.assign(shop, await givenShop(app, percent))
  const unpaid = await givenOrder(app, shop, stripe)
  const { orderUUID } = unpaid
  expect(unpaid).toMatchObject({
    feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
    provisioningStatus: 'CREATED',
    directPaymentLink: `${OWN_URL}/payment/process/${orderUUID}`,
  })
  const attempt = await openProvider(app, orderUUID)
  expect(await read(orderUUID)).toMatchObject({ status: 'UNPAID', feeCollectionStatus })
  app.time.now += MINUTE_MS
  await simulated(app, orderUUID, 'paid')
  const paidAt = instant(app.time.now)
  const [incoming, ...more] = incomingPaymentsOf(app, orderUUID)
  expect(more).toEqual([])
  const paid = await read(orderUUID)
  expect(paid).toEqual({
    ...unpaid,
    status: 'PAID',
    provisioningStatus: 'SETTLED',
    feeCollectionStatus,
    transactionRef: incoming!.tx_in,
    providerAddressIn: attempt.address,
    providerPayoutAddress: EVM_WALLET,
    providerTxIn: incoming!.tx_in,
    providerTxOut: incoming!.tx_out,
    receivedAmount: '25',
    receivedCurrency: 'polygon/usdc',
    paidTransactionUUID: expect.any(String),
    paidAt,
    updatedAt: paidAt,
  })
  expect(paid).toMatchObject({ platformFeeAmount: fee, netAmount: net })
  expect(rowOf(app, 'SELECT * FROM transactions WHERE order_id = ?', orderUUID)).toMatchObject({
    id: paid.paidTransactionUUID,
    attempt_id: attempt.id,
    transaction_ref: paid.transactionRef,
    method_key: 'stripe',
    status: 'PAID',
    amount: '25.00',
    fee_percent: percent,
    fee_amount: fee,
    net_amount: net,
    fee_collection: feeCollectionStatus,
    receiving_wallet: EVM_WALLET,
    received_amount: '25',
    tx_in: paid.providerTxIn,
    tx_out: paid.providerTxOut,
  })
  const settlement = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', orderUUID)
  expect(String(settlement.evidence)).toContain(String(incoming!.tx_in))
  expect(String(settlement.evidence)).not.toContain(String(attempt.callback_secret))
  expect(statusProblems(await statusOf(app, orderUUID))).toEqual([])
  expect((await simulate(app, orderUUID, 'duplicate')).status).toBe(202)
})

test('a coin payment costs no platform fee, even if a page that would have cost it was open', async () => {
  await ownApp()
  Object.assign(shop, await givenShop(app, '2.5'))
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
  await openProvider(app, orderUUID, 'stripe')
  await openCrypto(app, orderUUID, 'btc')
  const coin = attemptsOf(app, orderUUID).at(-1)!
  await sendCoins(app, coin, BigInt(String(coin.due_atomic)))
  expect((await check(app, orderUUID)).status).toBe('PAID')
  expect(rowOf(app, 'SELECT * FROM transactions WHERE order_id = ?', orderUUID)).toMatchObject({
    attempt_id: coin.id,
    fee_amount: '0.63',
    fee_collection: 'ACCOUNTED_NOT_COLLECTED',
  })
})

test('payment.expired is sent once for an unpaid page, after a job or a check', async () => {
  await ownApp()
  Object.assign(shop, await givenShop(app))
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  subscribe(app, shop.id, ['order.paid', 'payment.expired'])
  const expiresAt = () => ({ ...stripe, expiresAt: instant(app.time.now + HOUR_MS) })
  const [byJob, byPage] = [await order(expiresAt()), await order(expiresAt())]
  for (const orderUUID of [byJob, byPage]) await openProvider(app, orderUUID)
  app.time.now += HOUR_MS + MINUTE_MS
  await app.call('POST', `/pay/${byPage}/check`)
  await expireOrder(app.context, byJob)
  await app.advance(2 * HOUR_MS)
  for (const orderUUID of [byJob, byPage]) {
    expect((await read(orderUUID)).status).toBe('EXPIRED')
    expect(eventTypesOf(app, orderUUID)).toEqual(['payment.expired'])
  }
})
