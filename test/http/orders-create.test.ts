import { expect, test } from 'bun:test'
import { type App, OWN_URL, START, startApp } from '../support/app.ts'
import {
  BTC_WALLET,
  EVM_WALLET,
  givenMerchant,
  givenOrder,
  givenShop,
  OTHER_EVM_WALLET,
  orderBody,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { envelopeProblems, orderProblems } from './expected-shapes.ts'
import { data, requestTo, send } from './request.ts'
import { countOf, rowsOf, sumsOfDay } from './rows.ts'

const { app, once } = suite({
  start: () => startApp({ FLORIN_OUTBOUND_ALLOW: '127.0.0.1:9099, shop.internal:443' }),
})
const shop = once(() => givenShop(app))
once(async () => {
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { orderWalletOverrideEnabled: true } })
  await app.jobs.settle()
})

const HOUR_MS = 3600_000
const after = (ms: number): string => new Date(START + ms).toISOString()
const emoji = (count: number): string => '😀'.repeat(count)

/** Creates an order and reads it back; both must be equal and have the documented form. */
async function created(change: object = {}, key = shop.live, from: App = app) {
  const order = await data(from, 'POST', '/v1/orders', { key, body: orderBody(change) }, 201)
  expect(orderProblems(order)).toEqual([])
  expect(await data(from, 'GET', `/v1/orders/${order.orderUUID}`, { key })).toEqual(order)
  return order
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

test('a plain order has exactly the documented fields', async () => {
  const order = await created()
  expect(order).toEqual({
    merchantId: shop.id,
    merchantEmail: shop.email,
    merchantName: 'Corner Coffee',
    orderUUID: uuid,
    transactionRef: null,
    externalId: null,
    amount: '25.00',
    currency: 'USD',
    receivingWallet: EVM_WALLET,
    status: 'UNPAID',
    provisioningStatus: 'CREATED',
    expiresAt: after(24 * HOUR_MS),
    customerId: uuid,
    customerEmail: 'buyer@example.com',
    customerFullName: 'Sam Buyer',
    feePercent: '0',
    platformFeeAmount: '0.00',
    netAmount: '25.00',
    feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
    paymentMethodsKeys: ['*'],
    source: 'api',
    checkoutUrl: `${OWN_URL}/pay/${order.orderUUID}`,
    metadata: {},
    createdAt: after(0),
    updatedAt: after(0),
  })
})

test('an order with all optional fields has exactly the documented additional fields', async () => {
  const plain = await created()
  const full = {
    externalId: 'A.b_c:1-2',
    receivingWallet: OTHER_EVM_WALLET,
    description: 'Two beans & a cup',
    productImageUrl: 'https://shop.example/bean.png',
    returnUrl: 'https://shop.example/back?a=b',
    expiresAt: after(48 * HOUR_MS),
    metadata: { cart: { id: 7, lines: [1, 2] }, note: 'ü "quoted"', none: null, yes: true },
    paymentMethodsKeys: ['stripe'],
  }
  const order = await created(full)
  expect(order).toEqual({
    ...plain,
    ...full,
    orderUUID: uuid,
    checkoutUrl: `${OWN_URL}/pay/${order.orderUUID}`,
    directPaymentLink: `${OWN_URL}/payment/process/${order.orderUUID}`,
  })
})

test('creating an order writes an order, a session and a customer, but no transaction or event', async () => {
  const customer = { email: 'new-here@example.com' }
  const { orderUUID } = await created({ customer })
  for (const table of ['attempts', 'transactions', 'events', 'incoming_payments']) {
    expect([table, countOf(app, table, orderUUID)]).toEqual([table, 0])
  }
  const session = 'SELECT session_status AS status FROM orders WHERE id = ?'
  expect(rowsOf(app, session, orderUUID)).toEqual([{ status: 'CREATED' }])
  expect(rowsOf(app, 'SELECT * FROM customers WHERE email = ?', customer.email)).toHaveLength(1)
})

test('creating an order calls no upstream', async () => {
  const asked: string[] = []
  const closed = await startApp(
    {},
    {
      fetch: async url => {
        asked.push(new URL(url).pathname)
        return new Response('503', { status: 503 })
      },
    },
  )
  const merchant = await givenShop(closed)
  await closed.jobs.settle()
  asked.length = 0
  await created({ paymentMethodsKeys: ['stripe', 'crypto'] }, merchant.live, closed)
  expect(asked).toEqual([])
  await closed.close()
})

const methods: [keys: string[], session: string][] = [
  [['*'], 'CREATED'],
  [['stripe'], 'CREATED'],
  [['crypto', 'stripe'], 'CREATED'],
  [['no-such_provider0'], 'CREATED'],
  [['crypto'], 'READY'],
  [Array.from({ length: 64 }, (_, i) => `key${i}`), 'CREATED'],
  [['a'.repeat(64)], 'CREATED'],
]

test.each(methods)('an order for %j is stored unchanged', async (keys, session) => {
  const order = await created({ paymentMethodsKeys: keys })
  expect([order.paymentMethodsKeys, order.provisioningStatus]).toEqual([keys, session])
})

// More amounts and fees are in test/unit/domain/money.test.ts.
const amounts: [sent: string, currency: string, answered: string][] = [
  ['007.5', 'USD', '7.50'],
  ['999999999999999999', 'JPY', '999999999999999999'],
  ['0.001', 'KWD', '0.001'],
  ['999999999999999999.999', 'TND', '999999999999999999.999'],
]

test.each(amounts)('an amount of %s %s is answered as %s', async (amount, currency, answered) => {
  expect(await created({ amount, currency })).toMatchObject({
    amount: answered,
    currency,
    netAmount: answered,
  })
})

const fees: [percent: string, amount: string, currency: string, fee: string, net: string][] = [
  ['0', '25.00', 'USD', '0.00', '25.00'],
  ['2.5', '25.00', 'USD', '0.63', '24.37'],
  ['50', '1', 'JPY', '1', '0'],
  ['99.0000', '0.50', 'USD', '0.50', '0.00'],
  ['12.3456', '999999999999999999.999', 'TND', '123456000000000000.000', '876543999999999999.999'],
]

test.each(fees)(
  'a fee of %s percent of %s %s is %s and leaves %s',
  async (percent, amount, currency, platformFeeAmount, netAmount) => {
    const merchant = await givenMerchant(app, 'Fee Payer', percent)
    await data(app, 'PUT', '/v1/wallet', { key: merchant.live, body: { payoutWallet: EVM_WALLET } })
    const order = await created({ amount, currency }, merchant.live)
    const feeCollectionStatus = 'ACCOUNTED_NOT_COLLECTED'
    expect(order).toMatchObject({ feePercent: percent, platformFeeAmount, netAmount, feeCollectionStatus })
  },
)

const accepted: [title: string, change: object, answered?: object][] = [
  ['a full name of 128 characters outside the basic plane', named(emoji(128)), full(emoji(128))],
  ['no full name', { customer: { email: 'a@b.example' } }, full('')],
  ['a full name that is null', named(null), full('')],
  ['a full name of white space', named(' \t\n\u00a0 '), full('')],
  ['an externalId that is null', { externalId: null }],
  ['an externalId of 128 characters', { externalId: 'a'.repeat(128) }],
  ['a description of 512 characters outside the basic plane', { description: emoji(512) }],
  ['an image URL of 2048 characters', { productImageUrl: `https://a.example/${'a'.repeat(2030)}` }],
  ['a return URL of 2048 characters', { returnUrl: `https://a.example/${'a'.repeat(2030)}` }],
  ['a return URL of a public address', { returnUrl: 'https://93.184.216.34:8443/a?b=c' }],
  ['a return URL that is allowed, over http', { returnUrl: 'http://127.0.0.1:9099/back' }],
  ['a return URL that is allowed by name', { returnUrl: 'https://shop.internal/back' }],
  ['an expiry a millisecond ahead', { expiresAt: after(1) }],
  ['an expiry 364 days ahead', { expiresAt: after(364 * 24 * HOUR_MS) }],
  [
    'an expiry with another offset',
    { expiresAt: '2026-03-02T11:30:00+05:30' },
    { expiresAt: '2026-03-02T06:00:00.000Z' },
  ],
  ['metadata with three levels (decisions)', { metadata: { a: { b: { c: 1 } }, d: [[1, 'x', null]] } }],
  ['metadata of exactly 16 KiB (decisions)', { metadata: { a: 'x'.repeat(16 * 1024 - 8) } }],
  ['metadata with any Unicode', { metadata: { '': '\u0000 \ud800 😀 \u2028', ключ: '<b>&"' } }],
  ['metadata with numbers', { metadata: { a: 0.1, b: -1e-7, c: 1e300, d: 9007199254740991 } }],
  ['metadata with harmless names', { metadata: { toString: 1, hasOwnProperty: 2, __proto: 3 } }],
]

function named(fullName: string | null) {
  return { customer: { email: 'named@example.com', fullName } }
}

function full(customerFullName: string) {
  return { customerFullName }
}

const answers = accepted.map(([title, change, answered = change]) => [title, change, answered] as const)

test.each(answers)('an order with %s is accepted', async (_, change, answered) => {
  const order = await created(change)
  expect(order).toMatchObject(answered)
  expect(order.metadata).toEqual((change as { metadata?: object }).metadata ?? {})
})

test.each(['1e400', '-1e400', '12345678901234567890', '0.1234567890123456789'])(
  'metadata with the number %s is stored unchanged or refused',
  async number => {
    const body = JSON.stringify(orderBody({ metadata: { n: 'N' } })).replace('"N"', number)
    const answer = await app.call('POST', '/v1/orders', { key: shop.live, body })
    expect(envelopeProblems(answer)).toEqual([])
    if (answer.status !== 400) expect(answer.text).toContain(`"n":${number}`)
  },
)

test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
  'a body with the content type %s is read',
  async type => {
    const headers = { 'content-type': type }
    await data(app, 'POST', '/v1/orders', { key: shop.live, body: orderBody(), headers }, 201)
  },
)

test('a body that arrives in chunks is read', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(orderBody({ description: emoji(3) })))
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })
  const headers = { 'x-api-key': shop.live, 'content-type': 'application/json' }
  const answer = await send(app, requestTo('POST', '/v1/orders', { body, headers }))
  expect([answer.status, answer.json.data.description]).toEqual([201, emoji(3)])
})

test('externalId is not unique: two requests with the same one create two orders', async () => {
  const [first, second] = [await created({ externalId: 'same' }), await created({ externalId: 'same' })]
  expect(first.orderUUID).not.toBe(second.orderUUID)
  expect(first.customerId).toBe(second.customerId)
})

test('the same email address is a different customer at another merchant', async () => {
  const other = await givenShop(app)
  const [here, there] = [await created(), await created({}, other.live)]
  expect(here.customerId).not.toBe(there.customerId)
})

test('an order keeps the payout wallet of its creation', async () => {
  const merchant = await givenShop(app)
  const order = await created({}, merchant.live)
  await data(app, 'PUT', '/v1/wallet', { key: merchant.live, body: { payoutWallet: OTHER_EVM_WALLET } })
  const later = await data(app, 'GET', `/v1/orders/${order.orderUUID}`, { key: merchant.live })
  expect(later.receivingWallet).toBe(EVM_WALLET)
  expect((await created({}, merchant.live)).receivingWallet).toBe(OTHER_EVM_WALLET)
})

const wallets: [title: string, wallet: object, change: object, receivingWallet: string | undefined][] = [
  [
    'with only a Bitcoin wallet, crypto',
    { cryptoWallets: { btc: BTC_WALLET } },
    { paymentMethodsKeys: ['crypto'] },
    undefined,
  ],
  [
    'with crypto disabled, any method',
    { payoutWallet: EVM_WALLET, includeCrypto: false },
    { paymentMethodsKeys: ['*'] },
    EVM_WALLET,
  ],
  [
    'with only overrides enabled, any method to the wallet of the order',
    { orderWalletOverrideEnabled: true },
    { receivingWallet: OTHER_EVM_WALLET },
    OTHER_EVM_WALLET,
  ],
  [
    'with only overrides enabled, crypto to the wallet of the order',
    { orderWalletOverrideEnabled: true },
    { receivingWallet: OTHER_EVM_WALLET, paymentMethodsKeys: ['crypto'] },
    OTHER_EVM_WALLET,
  ],
]

test.each(wallets)('a merchant can create an order %s', async (_, wallet, change, receivingWallet) => {
  const merchant = await givenMerchant(app)
  await data(app, 'PUT', '/v1/wallet', { key: merchant.live, body: wallet })
  const order = await created(change, merchant.live)
  expect(order.receivingWallet).toBe(receivingWallet)
})

test('the amount counts as pending in the statistics of the day', async () => {
  const merchant = await givenShop(app)
  await created({ amount: '10' }, merchant.live)
  await created({ amount: '0.5' }, merchant.live)
  const sums = { pending: '1050', pending_count: 2, created_count: 2, gross: '0' }
  expect(sumsOfDay(app, merchant.id)).toMatchObject(sums)
})

test('the operator sets the checkout host and the default expiry', async () => {
  const own = await startApp({ FLORIN_CHECKOUT_URL: 'https://pay.shop.example', FLORIN_ORDER_EXPIRY: '90m' })
  const merchant = await givenShop(own)
  const order = await created({ paymentMethodsKeys: ['stripe'] }, merchant.live, own)
  expect(order).toMatchObject({
    checkoutUrl: `https://pay.shop.example/pay/${order.orderUUID}`,
    directPaymentLink: `https://pay.shop.example/payment/process/${order.orderUUID}`,
    expiresAt: after(90 * 60_000),
  })
  await own.close()
})

test('20 requests at once create 20 orders', async () => {
  const merchant = await givenShop(app)
  const orders = await Promise.all(Array.from({ length: 20 }, () => givenOrder(app, merchant)))
  expect(new Set(orders.map(order => order.orderUUID)).size).toBe(20)
  expect(sumsOfDay(app, merchant.id)).toMatchObject({ pending: '50000', pending_count: 20 })
})
