import { expect, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { expireOrder } from '../../src/operations/orders/end.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
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
import { ask, data, refused } from './request.ts'
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

test('if callbacks are lost, polling settles within ten minutes', async () => {
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

const sessionOf = async (orderUUID: string): Promise<string> => (await read(orderUUID)).provisioningStatus

const notOffered = { status: 422, code: 'method_not_offered' }
const wrongMethods: [sentence: string, method: string, change: object][] = [
  ['that the order does not name', 'banxa', { paymentMethodsKeys: ['stripe', 'moonpay'] }],
  ['that is in no catalogue', 'nothing', { paymentMethodsKeys: ['nothing'] }],
  ['that is not active', 'sardine', { paymentMethodsKeys: ['sardine'] }],
  ['that takes another currency only', 'upi', { paymentMethodsKeys: ['*'] }],
  ['whose minimum is above the amount', 'moonpay', { amount: '19.99', paymentMethodsKeys: ['moonpay'] }],
  ['that is the sentinel', '*', { paymentMethodsKeys: ['*'] }],
  ['that was once a sentinel', 'all', { paymentMethodsKeys: ['*'] }],
  ['that is "hosted"', 'hosted', { paymentMethodsKeys: ['*'] }],
  ['in capitals', 'STRIPE', { paymentMethodsKeys: ['*'] }],
  ['that is a prototype key', '__proto__', { paymentMethodsKeys: ['*'] }],
  ['with NUL', 'stripe%00', { paymentMethodsKeys: ['*'] }],
]

test.each(wrongMethods)('a method %s is not offered (422)', async (sentence, method, change) => {
  const orderUUID = await order(change)
  const expected = sentence === 'with NUL' ? { status: 400, code: 'validation_error' } : notOffered
  await refused(app, expected, 'GET', `/payment/process/${orderUUID}?method=${method}`)
  expect(await sessionOf(orderUUID)).toBe('CREATED')
})

const unknownId = '0192d1c0-0000-7000-8000-000000000000'
const wrongRequests: [sentence: string, path: string, status: number, code: string][] = [
  ['an unknown order', `/payment/process/${unknownId}?method=stripe`, 404, 'not_found'],
  ['an order without an id', '/payment/process/?method=stripe', 404, 'not_found'],
  ['a malformed id', '/payment/process/order?method=stripe', 400, 'validation_error'],
  ['an empty method', '/payment/process/{order}?method=', 400, 'validation_error'],
  ['a method that is too long', `/payment/process/{order}?method=${'a'.repeat(65)}`, 400, 'validation_error'],
]

test.each(wrongRequests)('%s does not lead to a provider', async (_, path, status, code) => {
  await refused(app, { status, code }, 'GET', path.replace('{order}', await order()))
})

test('a blocked customer and a buyer of a suspended merchant cannot reach a provider', async () => {
  const orderUUID = await order()
  await blockCustomer(app.context, shop.id, 'buyer@example.com', true)
  await refused(app, { status: 403, code: 'customer_blocked' }, 'GET', `/payment/process/${orderUUID}`)
  await blockCustomer(app.context, shop.id, 'buyer@example.com', false)
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  await refused(app, { status: 404, code: 'not_found' }, 'GET', `/payment/process/${orderUUID}`)
})

test('a closed order redirects to its own page', async () => {
  const [cancelled, paid, expired] = [await order(), await order(), await order()]
  await data(app, 'POST', `/v1/orders/${cancelled}/cancel`, { key: shop.live, body: {} })
  await openProvider(app, paid)
  await simulated(app, paid, 'paid')
  await app.advance(DAY_MS)
  for (const orderUUID of [cancelled, paid, expired]) {
    const answer = await enter(app, orderUUID, 'stripe')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
    expect(attemptsOf(app, orderUUID)).toHaveLength(orderUUID === paid ? 1 : 0)
  }
})

const severalMethods: string[][] = [['*'], ['stripe', 'moonpay'], ['stripe', 'crypto'], ['crypto']]

test.each(severalMethods.map(keys => [keys.join(' or '), keys] as const))(
  'without a method, an order for %s redirects to the choice of methods',
  async (_, paymentMethodsKeys) => {
    const orderUUID = await order({ paymentMethodsKeys })
    const before = await sessionOf(orderUUID)
    const answer = await enter(app, orderUUID)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
    expect([attemptsOf(app, orderUUID), await sessionOf(orderUUID)]).toEqual([[], before])
  },
)

test('the provider is contacted only when the buyer chooses it', async () => {
  await ownApp()
  const paths: string[] = []
  app.wire.hold = path => {
    paths.push(path)
    return undefined
  }
  const orderUUID = await order()
  await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  await app.advance(MINUTE_MS)
  expect(paths.filter(path => path.includes('wallet'))).toEqual([])
  expect(await sessionOf(orderUUID)).toBe('CREATED')
  await openProvider(app, orderUUID)
  expect(paths.filter(path => path.includes('wallet'))).toHaveLength(1)
  expect(await sessionOf(orderUUID)).toBe('READY')
})

test('a session is PROVISIONING while the provider has not answered', async () => {
  await ownApp()
  const { promise, resolve } = Promise.withResolvers<void>()
  app.wire.hold = path => (path.endsWith('/wallet.php') ? promise : undefined)
  const orderUUID = await order()
  const entering = enter(app, orderUUID)
  while ((await sessionOf(orderUUID)) === 'CREATED') await Bun.sleep(1)
  expect(await sessionOf(orderUUID)).toBe('PROVISIONING')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'waiting', redirect_url: null }])
  resolve()
  expect((await entering).status).toBe(303)
  expect(await sessionOf(orderUUID)).toBe('READY')
})

/** Starts to open a provider's page, whose answer arrives with `answer`, or never, as after a kill. */
async function openSlowly(orderUUID: string, method?: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  app.wire.hold = path => {
    if (!path.endsWith('/wallet.php')) return undefined
    isAsked = true
    return promise
  }
  const entering = enter(app, orderUUID, method)
  while (!isAsked) await Bun.sleep(1)
  return {
    answer() {
      resolve()
      return entering
    },
  }
}

test('an opening that was interrupted fails after a while, and a late answer is still used', async () => {
  const orderUUID = await order()
  const { answer } = await openSlowly(orderUUID)
  await app.advance(4 * MINUTE_MS)
  expect(await sessionOf(orderUUID)).toBe('PROVISIONING')
  await app.advance(2 * MINUTE_MS)
  expect(await sessionOf(orderUUID)).toBe('FAILED')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'failed', redirect_url: null }])
  expect(app.logged.map(({ sentence }) => sentence)).toContain('provider.provision.interrupted')
  await app.advance(DAY_MS / 2)
  expect((await answer()).status).toBe(303)
  expect(await sessionOf(orderUUID)).toBe('READY')
  expect(await simulated(app, orderUUID, 'paid')).toEqual([200])
})

test('an opening that was interrupted does not affect another method of the order', async () => {
  await ownApp()
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'moonpay'] })
  const { answer } = await openSlowly(orderUUID, 'stripe')
  app.wire.hold = () => undefined
  await openProvider(app, orderUUID, 'moonpay')
  await app.advance(6 * MINUTE_MS)
  expect(await sessionOf(orderUUID)).toBe('READY')
  expect(attemptsOf(app, orderUUID).map(({ state }) => state)).toEqual(['failed', 'waiting'])
  await answer()
})

test('the redirect to the payment page is neither cached nor sent as a referrer', async () => {
  const orderUUID = await order({ ...stripe, amount: '25.5', currency: 'EUR' })
  const answer = await enter(app, orderUUID)
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const query = new URL(answer.headers.get('location')!).searchParams
  expect(Object.fromEntries(query)).toEqual({
    address: expect.any(String),
    amount: '25.50',
    provider: 'stripe',
    email: 'buyer@example.com',
    currency: 'EUR',
  })
})

test('a second visit redirects to the same page, with one attempt', async () => {
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'moonpay'] })
  const [first, again] = [await enter(app, orderUUID, 'stripe'), await enter(app, orderUUID, 'stripe')]
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect(attemptsOf(app, orderUUID)).toHaveLength(1)
  const other = await enter(app, orderUUID, 'moonpay')
  expect(other.headers.get('location')).not.toBe(first.headers.get('location'))
  expect(attemptsOf(app, orderUUID).map(({ method_key }) => method_key)).toEqual(['stripe', 'moonpay'])
})

test('an outage fails the session; a retry makes the same attempt READY', async () => {
  await ownApp()
  const orderUUID = await order()
  await outage(app, 'provider', true)
  for (let i = 0; i < 2; i++) {
    const answer = await ask(app, 'GET', `/payment/process/${orderUUID}`)
    expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable'])
    expect(await sessionOf(orderUUID)).toBe('FAILED')
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'failed', redirect_url: null }])
  }
  const [failed] = attemptsOf(app, orderUUID)
  await outage(app, 'provider', false)
  const attempt = await openProvider(app, orderUUID)
  expect(attempt).toMatchObject({ id: failed!.id, callback_url: failed!.callback_url, state: 'waiting' })
  expect(await sessionOf(orderUUID)).toBe('READY')
  expect(await simulated(app, orderUUID, 'paid')).toEqual([200])
  expect((await read(orderUUID)).status).toBe('PAID')
})

test('an order whose provisioning failed expires like any other', async () => {
  await ownApp()
  const orderUUID = await order()
  await outage(app, 'provider', true)
  await enter(app, orderUUID)
  await app.advance(DAY_MS)
  expect(await read(orderUUID)).toMatchObject({ status: 'EXPIRED', provisioningStatus: 'EXPIRED' })
})

test('an order can be paid in coins while the provider is unavailable', async () => {
  await ownApp()
  const orderUUID = await order({ paymentMethodsKeys: ['stripe', 'crypto'] })
  await outage(app, 'provider', true)
  expect((await enter(app, orderUUID, 'stripe')).status).toBe(502)
  await openCrypto(app, orderUUID, 'btc')
  expect(await sessionOf(orderUUID)).toBe('READY')
})

test('HEAD requests, which link previews send, open no payment', async () => {
  const orderUUID = await order()
  const answer = await app.call('HEAD', `/payment/process/${orderUUID}`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
  expect([await sessionOf(orderUUID), attemptsOf(app, orderUUID)]).toEqual(['CREATED', []])
})

test('a later check of a payment that came in time stores no rate', async () => {
  const orderUUID = await order()
  const { id } = await openProvider(app, orderUUID)
  await simulated(app, orderUUID, 'paid')
  await app.advance(2 * DAY_MS)
  app.time.now += 5 * MINUTE_MS
  const rates = () => rowsOf(app, 'SELECT * FROM rates')
  const before = rates()
  await checkAttempts(app.context, [String(id)])
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  expect(rates()).toEqual(before)
})
