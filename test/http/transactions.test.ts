import { expect, test } from 'bun:test'
import { scopes } from '../../src/domain/api-key.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { START } from '../support/app.ts'
import { check, givenOrder, givenShop, type Shop, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { paymentProblems } from './expected-settled-shapes.ts'
import { givenPaid, refundOf } from './refunding.ts'
import { data, MARKER, refused } from './request.ts'
import { rowOf } from './rows.ts'

const { app, once } = suite()
/** a transaction of another merchant, and its order */
let theirs: { transactionId: string; orderUUID: string }
const shop = once(() => givenShop(app, '2.5'))
const stranger = once(() => givenShop(app))
once(async () => {
  const { orderUUID } = await givenPaid(app, stranger)
  theirs = { orderUUID, transactionId: await transactionOf(orderUUID, stranger) }
  await app.jobs.settle()
})

const wrong = { status: 400, code: 'validation_error' }
const absent = { status: 404, code: 'not_found' }

const getOrder = (orderUUID: string, { live }: Shop = shop) =>
  data(app, 'GET', `/v1/orders/${orderUUID}`, { key: live })
const transactionOf = async (orderUUID: string, merchant = shop): Promise<string> =>
  (await getOrder(orderUUID, merchant)).paidTransactionUUID

const list = (query = '', key = shop.live) => data(app, 'GET', `/v1/transactions${query}`, { key })
const read = (id: string, key = shop.live) => data(app, 'GET', `/v1/transactions/${id}`, { key })
const ordersOf = (page: { items: { orderUUID: string }[] }) => page.items.map(({ orderUUID }) => orderUUID)

const wrongQueries: [title: string, query: string][] = [
  ['an unknown status', `status=${MARKER}`],
  ['a status in lower case', 'status=paid'],
  ['a status of an order', 'status=UNPAID'],
  ['an empty status', 'status='],
  ['two statuses', 'status=PAID&status=REFUNDED'],
  ['an order id that is not a UUID', `orderUUID=${MARKER}`],
  ['an empty order', 'orderUUID='],
  ['an unknown property', `externalId=${MARKER}`],
  ['a prototype key', '__proto__=1'],
  ['a page size of 0', 'pageSize=0'],
  ['a page size of 101', 'pageSize=101'],
  ['a page size in words', `pageSize=${MARKER}`],
  ['an empty token', 'pageToken='],
  ['a token that is a word', `pageToken=${MARKER}`],
  ['a token of 2049 characters', `pageToken=${'a'.repeat(2049)}`],
]

test.each(wrongQueries)('a list of transactions with %s is refused', async (_, query) => {
  await refused(app, wrong, 'GET', `/v1/transactions?${query}`, { key: shop.live })
})

test('a transaction of another merchant, with an unknown id or with its order’s id is not found', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  for (const id of [theirs.transactionId, crypto.randomUUID(), orderUUID]) {
    await refused(app, absent, 'GET', `/v1/transactions/${id}`, { key: shop.live })
  }
  await refused(app, wrong, 'GET', `/v1/transactions/${MARKER}`, { key: shop.live })
})

test('both routes of transactions need a key with the scope api:read', async () => {
  const others = scopes.filter(scope => scope !== 'api:read')
  const { text } = await createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: others })
  for (const path of ['/v1/transactions', `/v1/transactions?a=${MARKER}`, `/v1/transactions/${MARKER}`]) {
    await refused(app, { status: 401, code: 'unauthorized' }, 'GET', path)
    await refused(app, { status: 401, code: 'invalid_api_key' }, 'GET', path, { key: MARKER })
    await refused(app, { status: 403, code: 'insufficient_scope' }, 'GET', path, { key: text })
  }
})

test('a list of transactions has nothing of another merchant, with any filter or page token', async () => {
  const merchant = await givenShop(app)
  expect(await list(`?orderUUID=${theirs.orderUUID}`, merchant.live)).toEqual({ items: [] })
  expect(await list('', merchant.live)).toEqual({ items: [] })
  await givenPaid(app, stranger)
  const { nextPageToken } = await list('?pageSize=1', stranger.live)
  expect(await list(`?pageToken=${nextPageToken}`, merchant.live)).toEqual({ items: [] })
})

test('forced and unpaid orders have no transaction', async () => {
  const merchant = await givenShop(app)
  const [forced, open] = [await givenOrder(app, merchant), await givenOrder(app, merchant)]
  const reason = 'paid in cash'
  await forceOrder(app.context, { merchantId: merchant.id, orderId: forced.orderUUID, by: 'Ann', reason })
  for (const query of [
    '',
    `?orderUUID=${forced.orderUUID}`,
    `?orderUUID=${open.orderUUID}`,
    '?status=PAID',
  ]) {
    expect(await list(query, merchant.live)).toEqual({ items: [] })
  }
})

test('a transaction shows its payment and the data of its order', async () => {
  const change = {
    amount: '100.00',
    externalId: 'cart-7',
    metadata: { cart: [1, { a: null }] },
    description: 'Two cups',
    productImageUrl: 'https://shop.example/cup.png',
    returnUrl: 'https://93.184.216.34/thanks',
    paymentMethodsKeys: ['crypto', 'stripe'],
    expiresAt: new Date(START + 7 * 24 * 3600_000).toISOString(),
  }
  const { orderUUID } = await givenPaid(app, shop, change)
  const order = await getOrder(orderUUID)
  const transaction = await read(order.paidTransactionUUID)
  expect(paymentProblems(transaction)).toEqual([])
  const same = [
    ...['merchantId', 'orderUUID', 'transactionRef', 'externalId', 'amount', 'currency', 'feePercent'],
    ...words('platformFeeAmount netAmount feeCollectionStatus paymentMethodsKeys source customerId'),
    ...['customerEmail', 'customerFullName', 'description', 'productImageUrl', 'returnUrl', 'metadata'],
    ...['receivedAmount', 'receivedCurrency', 'expiresAt', 'paidAt'],
  ]
  for (const name of same) expect([name, transaction[name]]).toEqual([name, order[name]])
  expect(transaction).toMatchObject({
    tenantId: shop.email,
    transactionId: order.paidTransactionUUID,
    status: 'PAID',
    metadata: change.metadata,
    platformFeeAmount: '2.50',
    netAmount: '97.50',
    receivingWallet: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    receivedCurrency: 'btc',
    expiresAt: change.expiresAt,
  })
  expect(Object.keys(transaction).filter(name => name.startsWith('refund'))).toEqual([])
})

test('a payment through a provider shows the provider’s references', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe'] })
  await app.call('GET', `/payment/process/${orderUUID}`)
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  const order = await getOrder(orderUUID)
  const transaction = await read(order.paidTransactionUUID)
  expect(paymentProblems(transaction)).toEqual([])
  const { providerTxIn, providerTxOut, transactionRef } = order
  expect(transaction).toMatchObject({ providerTxIn, providerTxOut, transactionRef })
  expect(providerTxIn).toMatch(/\S/)
  const row = rowOf(app, 'SELECT * FROM attempts WHERE order_id = ?', orderUUID)
  for (const secret of [row.callback_secret, row.redirect_url, row.callback_url, row.provider_ref]) {
    expect(JSON.stringify(transaction)).not.toContain(String(secret))
  }
})

test('the list of transactions is newest first and filtered, and never repeats or skips rows while orders are paid', async () => {
  const merchant = await givenShop(app)
  const made: string[] = []
  const pay = async () => {
    app.time.now += 1000
    made.unshift((await givenPaid(app, merchant)).orderUUID)
  }
  for (let i = 0; i < 7; i++) await pay()
  await refundOf(app, merchant, made[1]!, { amount: '1' })
  await refundOf(app, merchant, made[3]!)
  const refunds = { PARTIALLY_REFUNDED: [made[1]], REFUNDED: [made[3]] }
  for (const [status, orders] of Object.entries(refunds)) {
    expect(ordersOf(await list(`?status=${status}`, merchant.test))).toEqual(orders as string[])
  }
  const unrefunded = made.filter((_, i) => i !== 1 && i !== 3)
  expect(ordersOf(await list('?status=PAID', merchant.live))).toEqual(unrefunded)
  expect(ordersOf(await list(`?orderUUID=${made[2]}`, merchant.live))).toEqual([made[2]!])
  expect(ordersOf(await list(`?orderUUID=${made[2]}&status=REFUNDED`, merchant.live))).toEqual([])
  const expected = [...made]
  const found: string[] = []
  let page = await list('?pageSize=2', merchant.live)
  for (;;) {
    expect(page.items.flatMap(paymentProblems)).toEqual([])
    found.push(...ordersOf(page))
    if (page.nextPageToken === undefined) break
    await pay()
    page = await list(`?pageSize=2&pageToken=${page.nextPageToken}`, merchant.live)
  }
  expect(found).toEqual(expected)
  app.time.now = START
})

test('the answer for one transaction is the same as its row in the list', async () => {
  const merchant = await givenShop(app)
  const { orderUUID } = await givenPaid(app, merchant)
  await refundOf(app, merchant, orderUUID, { amount: '3' })
  const { items } = await list('', merchant.live)
  expect(items).toEqual([await read(items[0].transactionId, merchant.test)])
})
