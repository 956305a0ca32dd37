import { expect, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { checkOrder } from '../../src/operations/payments/check-order.ts'
import { check, givenOrder, openCrypto, paidInCash, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { orderProblems, statusProblems } from './expected-shapes.ts'
import {
  attemptsOf,
  eventsOf,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  HOUR_MS,
  incomingPaymentsOf,
  instant,
  MINUTE_MS,
  notificationsOf,
  openOnly,
  sendCoins,
  unmatchedOf,
  wallets,
} from './payments.ts'
import { ask, data } from './request.ts'
import { countOf, rowOf, rowsOf, subscribe, sumsOfDay } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenCoinShop(app, '2.5'))

const order = (change: object = {}) => givenOrder(app, shop, change)

/** An order with an open payment in an asset. */
async function opened(asset: string, change: object = {}) {
  const { orderUUID } = await order(change)
  const { attempt } = await openCrypto(app, orderUUID, asset)
  return { orderUUID, attempt }
}

async function simulated(orderUUID: string, outcome: string) {
  const answer = await ask(app, 'POST', '/sandbox/simulate', { body: { orderUUID, outcome } })
  expect([answer.status, answer.json.data]).toEqual([202, { callbacks: [] }])
  return check(app, orderUUID)
}

const refusedOpenings: [sentence: string, asset: string, change: object, status: number][] = [
  ['an unknown asset', 'nothing', {}, 422],
  ['an asset in capitals', 'BTC', {}, 422],
  ['a chain without its ticker', 'ethereum', {}, 422],
  ['a chain with a ticker too many', 'btc/btc', {}, 422],
  ['a provider’s key', 'stripe', {}, 422],
  ['a prototype key', '__proto__', {}, 422],
  ['crypto where the order does not offer it', 'btc', { paymentMethodsKeys: ['stripe'] }, 422],
  ['an amount below what Bitcoin carries', 'btc', { amount: '0.01' }, 422],
  ['no asset', '', {}, 400],
]

test.each(refusedOpenings)('a request with %s opens no payment', async (_, asset, change, status) => {
  const { orderUUID, provisioningStatus } = await order(change)
  const answer = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset } })
  expect(answer.status).toBe(status)
  if (status === 422) expect(answer.json.error.code).toBe('method_not_offered')
  expect(attemptsOf(app, orderUUID)).toEqual([])
  expect((await statusOf(app, orderUUID)).provisioningStatus).toBe(provisioningStatus)
})

const walletChanges: [sentence: string, body: object][] = [
  ['whose network has no wallet any more', { cryptoWallets: { btc: '' } }],
  ['after crypto was switched off', { includeCrypto: false }],
]

test.each(walletChanges)('an asset %s opens no payment', async (_, body) => {
  const { orderUUID } = await order()
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body })
  const answer = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
  expect([answer.status, answer.json.error.code]).toEqual([422, 'method_not_offered'])
})

test('a blocked customer can neither start a payment nor choose one again', async () => {
  const { orderUUID } = await opened('btc')
  await blockCustomer(app.context, shop.id, 'buyer@example.com', true)
  const before = attemptsOf(app, orderUUID)
  for (const asset of ['ltc', 'btc']) {
    const answer = await ask(app, 'POST', `/pay/${orderUUID}/crypto`, { form: { asset } })
    expect([answer.status, answer.json.error.code]).toEqual([403, 'customer_blocked'])
  }
  expect(attemptsOf(app, orderUUID)).toEqual(before)
})

/** Every asset, and the network whose payout wallet receives its money. */
const assets: [asset: string, network: keyof typeof wallets][] = [
  ['btc', 'btc'],
  ['ltc', 'ltc'],
  ['doge', 'doge'],
  ['bitcoincash', 'bitcoincash'],
  ['zec', 'zec'],
  ['xmr', 'xmr'],
  ['trc20/trx', 'trc20'],
  ['trc20/usdt', 'trc20'],
  ['solana/sol', 'solana'],
  ['solana/usdc', 'solana'],
  ['ethereum/eth', 'evm'],
  ['ethereum/usdc', 'evm'],
  ['polygon/pol', 'evm'],
  ['polygon/usdc', 'evm'],
  ['base/usdc', 'evm'],
  ['bsc/usdt', 'evm'],
]

test.each(assets)('an exact payment in %s to the %s wallet pays an order', async (asset, network) => {
  const unpaid = await order({ externalId: 'cart-7', metadata: { cart: [1, 2] } })
  const { orderUUID } = unpaid
  const status = await openCrypto(app, orderUUID, asset)
  expect(statusProblems(status)).toEqual([])
  expect(status).toMatchObject({ status: 'UNPAID', provisioningStatus: 'READY', attempt: { assetId: asset } })
  const paidAt = instant(app.time.now + 6000)
  const after = await simulated(orderUUID, 'paid')
  expect(statusProblems(after)).toEqual([])
  const { amount, address } = status.attempt
  expect(after).toMatchObject({
    status: 'PAID',
    provisioningStatus: 'SETTLED',
    attempt: { state: 'settled', receivedAmount: amount },
  })

  const [incoming, ...more] = incomingPaymentsOf(app, orderUUID)
  expect(more).toEqual([])
  const paid = await getOrder(app, shop, orderUUID)
  expect(orderProblems(paid)).toEqual([])
  expect(paid).toEqual({
    ...unpaid,
    status: 'PAID',
    provisioningStatus: 'SETTLED',
    transactionRef: incoming!.tx_in,
    providerAddressIn: address,
    providerPayoutAddress: wallets[network],
    providerTxIn: incoming!.tx_in,
    receivedAmount: amount,
    receivedCurrency: expect.stringContaining(asset.split('/').at(-1)!),
    paidTransactionUUID: expect.any(String),
    paidAt,
    updatedAt: paidAt,
  })

  const transaction = rowOf(app, 'SELECT * FROM transactions WHERE order_id = ?', orderUUID)
  expect(transaction).toMatchObject({
    id: paid.paidTransactionUUID,
    merchant_id: shop.id,
    status: 'PAID',
    amount: '25.00',
    currency: 'USD',
    fee_percent: '2.5',
    fee_amount: '0.63',
    net_amount: '24.37',
    fee_collection: 'ACCOUNTED_NOT_COLLECTED',
    receiving_wallet: wallets[network],
    received_amount: amount,
    transaction_ref: paid.transactionRef,
  })
  expect(rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', orderUUID)).toMatchObject({
    transaction_id: transaction.id,
    verdict: 'exact',
  })
  expect([unmatchedOf(app, orderUUID), notificationsOf(app, orderUUID)]).toEqual([[], []])
})

test('order.paid has externalId and metadata even if the order has neither', async () => {
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'paid')
  expect(eventsOf(app, orderUUID)).toMatchObject([{ externalId: null, metadata: {} }])
})

test('a settlement stores its evidence: the chain’s data, rate, sources and rule', async () => {
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'paid')
  const [incoming] = incomingPaymentsOf(app, orderUUID)
  const [attempt] = attemptsOf(app, orderUUID)
  const settlement = rowOf(app, 'SELECT * FROM settlements WHERE order_id = ?', orderUUID)
  const kept = String(settlement.evidence)
  for (const part of [incoming!.tx_id, attempt!.rate, attempt!.due_atomic])
    expect(kept).toContain(String(part))
  expect(JSON.parse(String(attempt!.rate_sources))).not.toBeEmpty()
  expect(String(settlement.rule)).toMatch(/\S/)
})

test('the amount of a paid order moves from pending to gross and net in the statistics', async () => {
  await ownApp()
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'paid')
  const sums = { gross: '2500', net: '2437', paid_count: 1 }
  expect(sumsOfDay(app, shop.id)).toMatchObject({
    ...sums,
    pending: '0',
    pending_count: 0,
    converted_count: 1,
  })
  const ofMethods = rowsOf(app, 'SELECT * FROM method_statistics WHERE minutes = 1440')
  expect(ofMethods).toMatchObject([{ ...sums, method_key: 'crypto', asset_id: 'btc' }])
})

test('a payment is found without an open page, within ten minutes', async () => {
  const { orderUUID } = await order()
  await openOnly(app, orderUUID, 'ltc')
  await simulate(app, orderUUID, 'paid')
  await app.advance(10 * MINUTE_MS)
  expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
})

test('a detected payment waits for its confirmations, and then pays', async () => {
  const { orderUUID, attempt } = await opened('trc20/usdt')
  const seen = await simulated(orderUUID, 'pending')
  expect(statusProblems(seen)).toEqual([])
  expect(seen).toMatchObject({ status: 'UNPAID', provisioningStatus: 'READY' })
  expect(seen.attempt).toMatchObject({
    state: 'confirming',
    receivedAmount: attempt.amount,
    confirmations: 0,
  })
  expect(countOf(app, 'transactions', orderUUID)).toBe(0)
  expect((await simulated(orderUUID, 'paid')).status).toBe('PAID')
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
})

test.each([
  ['a page', (id: string) => check(app, id)],
  ['its shop', (id: string) => checkOrder(app.context, id)],
])('a payment that %s has detected pays within a minute of its confirmation', async (_, look) => {
  await ownApp()
  const { orderUUID } = await opened('trc20/usdt')
  await simulate(app, orderUUID, 'pending')
  await look(orderUUID)
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'confirming' }])
  await simulate(app, orderUUID, 'paid')
  await app.advance(MINUTE_MS)
  expect((await getOrder(app, shop, orderUUID)).status).toBe('PAID')
})

test('after a payment has vanished, its attempt waits for another one', async () => {
  const { orderUUID } = await opened('ethereum/usdc')
  await simulated(orderUUID, 'pending')
  const gone = await simulated(orderUUID, 'failed')
  expect(gone).toMatchObject({ status: 'UNPAID', attempt: { state: 'waiting', receivedAmount: '0' } })
  expect(unmatchedOf(app, orderUUID)).toEqual([])
  const paid = await simulated(orderUUID, 'paid')
  expect(paid).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
  expect(incomingPaymentsOf(app, orderUUID).map(({ state, settles }) => [state, settles])).toEqual([
    ['gone', 0],
    ['final', 1],
  ])
})

const half = (amount: string): number => Number(amount) / 2

test('after a payment of too little, the page asks for the rest at the same address, and the rest pays', async () => {
  const { orderUUID, attempt } = await opened('solana/sol')
  const part = await simulated(orderUUID, 'underpaid')
  expect(part.status).toBe('UNPAID')
  expect(part.attempt).toMatchObject({ state: 'underpaid', address: attempt.address, amount: attempt.amount })
  expect(Number(part.attempt.receivedAmount)).toBeCloseTo(half(attempt.amount), 8)
  const page = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain(attempt.address)
  expect(page.text).toMatch(/left to pay/i)

  const paid = await simulated(orderUUID, 'paid')
  expect(paid).toMatchObject({ status: 'PAID', attempt: { receivedAmount: attempt.amount } })
  expect(incomingPaymentsOf(app, orderUUID).map(({ settles }) => settles)).toEqual([1, 1])
  expect([unmatchedOf(app, orderUUID), notificationsOf(app, orderUUID)]).toEqual([[], []])
  expect((await getOrder(app, shop, orderUUID)).receivedAmount).toBe(attempt.amount)
})

test('one atomic unit too little does not pay; one more unit does, at a tolerance of 0', async () => {
  await changeMerchant(app.context, shop.id, { tolerance: '0' })
  const { orderUUID } = await opened('polygon/usdc')
  const [attempt] = attemptsOf(app, orderUUID)
  const dueAtomic = BigInt(String(attempt!.due_atomic))
  await sendCoins(app, attempt!, dueAtomic - 1n)
  expect(await check(app, orderUUID)).toMatchObject({ status: 'UNPAID', attempt: { state: 'underpaid' } })
  await sendCoins(app, attempt!, 1n)
  expect(await check(app, orderUUID)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
})

test('an overpayment settles, and receivedAmount has the full amount', async () => {
  const { orderUUID, attempt } = await opened('doge')
  const paid = await simulated(orderUUID, 'overpaid')
  expect(paid.status).toBe('PAID')
  const { receivedAmount, amount } = await getOrder(app, shop, orderUUID)
  expect(Number(receivedAmount)).toBeCloseTo(Number(attempt.amount) * 2, 6)
  expect(amount).toBe('25.00')
  expect(rowOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', orderUUID)).toEqual({
    verdict: 'over',
  })
})

test('another asset at the address is unmatched, and the right one still pays', async () => {
  const { orderUUID } = await opened('ethereum/usdc')
  const wrong = await simulated(orderUUID, 'wrong_asset')
  expect(wrong).toMatchObject({ status: 'UNPAID', attempt: { state: 'waiting', receivedAmount: '0' } })
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  expect((await simulated(orderUUID, 'paid')).status).toBe('PAID')
  await app.advance(HOUR_MS)
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
  expect(notificationsOf(app, orderUUID)).toHaveLength(1)
})

test('two attempts that are both paid pay once; the second is unmatched', async () => {
  const { orderUUID } = await opened('btc')
  await openOnly(app, orderUUID, 'ltc')
  const [first, second] = attemptsOf(app, orderUUID)
  await sendCoins(app, first!, BigInt(String(first!.due_atomic)))
  await sendCoins(app, second!, BigInt(String(second!.due_atomic)))
  expect((await check(app, orderUUID)).status).toBe('PAID')
  await app.advance(10 * MINUTE_MS)
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  const states = attemptsOf(app, orderUUID).map(({ state }) => state)
  expect(states.filter(state => state === 'settled')).toHaveLength(1)
})

test('the first attempt also pays when a second one is open', async () => {
  const { orderUUID } = await opened('btc')
  await openOnly(app, orderUUID, 'xmr')
  const [first] = attemptsOf(app, orderUUID)
  await sendCoins(app, first!, BigInt(String(first!.due_atomic)))
  expect((await check(app, orderUUID)).attempt.assetId).toBe('btc')
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({
    status: 'PAID',
    providerAddressIn: first!.address,
    receivedCurrency: 'btc',
  })
})

test('a second payment after the settlement is unmatched and does not change the settlement', async () => {
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'paid')
  const before = await getOrder(app, shop, orderUUID)
  await simulate(app, orderUUID, 'paid')
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(10 * MINUTE_MS)
  expect(await getOrder(app, shop, orderUUID)).toEqual(before)
  expect(unmatchedOf(app, orderUUID)).toEqual(['second_payment open', 'second_payment open'])
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment', 'unmatched_payment'])
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test('a payment for an order that was forced is unmatched', async () => {
  const { orderUUID: orderId } = await opened('btc')
  await paidInCash(app, shop, orderId)
  await simulate(app, orderId, 'paid')
  await app.advance(10 * MINUTE_MS)
  const forced = await getOrder(app, shop, orderId)
  expect(orderProblems(forced)).toEqual([])
  expect(forced).toMatchObject({
    status: 'PAID',
    forced: true,
    transactionRef: null,
    forcedProviderStatus: 'none',
  })
  expect(countOf(app, 'transactions', orderId)).toBe(0)
  expect(unmatchedOf(app, orderId)).toHaveLength(1)
  const [event] = eventsOf(app, orderId)
  expect('transactionUUID' in event || 'transactionRef' in event).toBe(false)
})

test('20 checks of a payment at once settle it once', async () => {
  const { orderUUID } = await opened('btc')
  await simulate(app, orderUUID, 'paid')
  app.time.now += 10 * MINUTE_MS
  await Promise.all([
    app.jobs.settle(),
    ...Array.from({ length: 20 }, () => app.call('POST', `/pay/${orderUUID}/check`)),
  ])
  expect(countOf(app, 'transactions', orderUUID)).toBe(1)
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test('10 orders that are paid at once in one coin are each paid by their own payment', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await opened('trc20/usdt')).orderUUID),
  )
  for (const id of ids.slice(0, 5)) await simulate(app, id, 'paid')
  await app.advance(10 * MINUTE_MS)
  const statuses = await Promise.all(ids.map(async id => (await getOrder(app, shop, id)).status))
  expect(statuses).toEqual([...Array(5).fill('PAID'), ...Array(5).fill('UNPAID')])
})

const everyEvent = words(`
  order.paid payment.created payment.processing payment.paid payment.failed payment.expired
`)

async function listen(events: string[]) {
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  subscribe(app, shop.id, events)
}

const stories: [sentence: string, events: string[], outcomes: string[], received: string[]][] = [
  ['all that happens', everyEvent, ['paid'], ['payment.created', 'order.paid', 'payment.paid']],
  [
    'what is seen first',
    everyEvent,
    ['pending', 'paid'],
    ['payment.created', 'payment.processing', 'order.paid', 'payment.paid'],
  ],
  ['nothing that is not subscribed', ['order.paid'], ['pending', 'paid'], ['order.paid']],
  ['one kind alone', ['order.paid', 'payment.paid'], ['pending', 'paid'], ['order.paid', 'payment.paid']],
  ['what has begun', ['payment.created'], [], ['payment.created']],
]

test.each(stories)(
  'a webhook that subscribed to payment events receives %s',
  async (_, events, outcomes, received) => {
    await listen(events)
    const { orderUUID } = await opened('solana/usdc', { externalId: 'e', metadata: { m: 1 } })
    for (const outcome of outcomes) await simulated(orderUUID, outcome)
    expect(eventTypesOf(app, orderUUID).sort()).toEqual([...received].sort())
    const [attempt] = attemptsOf(app, orderUUID)
    for (const event of eventsOf(app, orderUUID).filter(({ type }) => type !== 'order.paid')) {
      expect(event).toMatchObject({
        orderUUID,
        attemptId: attempt!.id,
        methodKey: 'crypto',
        assetId: 'solana/usdc',
        amount: '25.00',
        currency: 'USD',
        externalId: 'e',
        metadata: { m: 1 },
      })
    }
  },
)

test('payment.expired is sent once, when the grace ends and no payment was detected', async () => {
  await listen(everyEvent)
  const { orderUUID } = await opened('btc')
  await app.advance(89 * MINUTE_MS)
  expect(eventTypesOf(app, orderUUID)).toEqual(['payment.created'])
  await app.advance(2 * MINUTE_MS)
  expect(eventTypesOf(app, orderUUID)).toEqual(['payment.created', 'payment.expired'])
  await app.advance(5 * HOUR_MS)
  expect(eventTypesOf(app, orderUUID)).toHaveLength(2)
})

test('payment.expired is not sent for a payment that was detected', async () => {
  await listen(everyEvent)
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'underpaid')
  await app.advance(91 * MINUTE_MS)
  expect(eventTypesOf(app, orderUUID)).not.toContain('payment.expired')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'expired' }])
})

test('no payment event goes to another merchant', async () => {
  const stranger = await givenCoinShop(app)
  const { orderUUID } = await opened('btc')
  await simulated(orderUUID, 'paid')
  await simulate(app, orderUUID, 'paid')
  await app.advance(10 * MINUTE_MS)
  for (const table of ['events', 'deliveries', 'notifications', 'unmatched_payments', 'transactions']) {
    const rows = rowsOf(app, `SELECT * FROM ${table} WHERE merchant_id = ?`, stranger.id)
    const ownChanges = ['key_created', 'payout_changed']
    expect(rows.filter(({ kind }) => !ownChanges.includes(String(kind)))).toEqual([])
  }
  await app.context.storage.read(async tables =>
    expect(await tables.statistics.listCurrencies(stranger.id)).toEqual([]),
  )
})
